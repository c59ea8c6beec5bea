"""`mindnet import`: bring the index in step with the vault's files."""

from __future__ import annotations

from typing import Annotated

import typer

from core.api import SyncRequest, SyncResult
from core.cli.access import open_core
from core.cli.common import (
    FINDINGS,
    JsonOption,
    PrefixOption,
    VaultOption,
    expected_failures,
    find_vault,
    print_json,
    settings_of,
    settings_tree,
)
from core.cli.progress import progress


@expected_failures
def import_(
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    apply: Annotated[bool, typer.Option("--apply", help="Write; without it, only report.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Write every note anew, changed or not.")
    ] = False,
    purge: Annotated[
        bool,
        typer.Option("--purge-before-upsert", help="Replace a changed note whole (always so)."),
    ] = True,
    sync_deletes: Annotated[
        bool,
        typer.Option("--sync-deletes", help="Remove notes without a file (always so)."),
    ] = True,
) -> None:
    """Index the vault: changed notes are cut, embedded and written, others left alone."""
    root = find_vault(vault)
    tree = settings_tree(prefix)
    with open_core(root, tree, settings_of(tree)) as core, progress() as show:
        result = core.sync(SyncRequest(full=full, dry_run=not apply), show)
    if as_json:
        print_json({"applied": apply, **result.model_dump()})
    else:
        _report(result, applied=apply)
    if result.failed:
        raise typer.Exit(FINDINGS)


def _report(result: SyncResult, *, applied: bool) -> None:
    done = "" if applied else "would be "
    typer.echo(f"{result.changed} notes {done}written, {result.deleted} {done}deleted")
    if applied:
        typer.echo(f"{result.embedded} chunks embedded in {result.took_ms / 1000:.1f} s")
        typer.echo(
            f"the index has {result.notes} notes, {result.chunks} chunks, {result.edges} edges"
        )
    else:
        typer.echo("nothing was written; `mindnet import --apply` does it")
    for one in result.failed:
        typer.echo(f"{one.path}: {one.reason}", err=True)
