"""`mindnet dryrun`: what an import would write, as JSON lines. No store, no model."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import (
    FINDINGS,
    PrefixOption,
    VaultOption,
    expected_failures,
    find_vault,
    settings_of,
    settings_tree,
)
from core.cli.notes import named_path, read_vault
from core.vault.index import VaultIndex


@expected_failures
def dryrun(
    notes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NOTE", help="Files, note ids or titles; without any, the whole vault."
        ),
    ] = None,
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON lines: it always does.")
    ] = True,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Add `effective` to each note: where its type, chunk profile, weight, default "
            "edges, id and title come from, with file and line.",
        ),
    ] = False,
) -> None:
    """Print the payloads of notes, chunks and edges that an import writes, one a line.

    Each line is {"kind": "note" | "chunk" | "edge", "payload": {...}}, notes in the order of
    their paths, each followed by its chunks and edges. The same vault gives the same lines.
    Neither a store nor a model is needed, and nothing is written. Exit code 1 if a note cannot
    be imported.
    """
    from core.config.load import load_config
    from core.embedding.make import make_embedder
    from core.ingest.dry import dry_lines
    from core.ingest.hashing import hash_options
    from core.paths import vault_data_dir

    root = find_vault(vault)
    settings = settings_of(settings_tree(prefix))
    loaded = read_vault(root, settings)
    paths = [_path(root, loaded.index, one) for one in notes or ()] or list(loaded.index.paths)
    failed = {p.path: f"{p.reason} {p.detail}".strip() for p in loaded.problems}
    failed = {} if notes else {p: why for p, why in failed.items() if p not in loaded.index.notes}
    embedder = make_embedder(settings, root, vault_data_dir(root))
    lines = dry_lines(
        root,
        loaded.index,
        dict.fromkeys(paths),
        load_config(root, os.environ),
        hash_options(os.environ),
        embedder.model if embedder else "",
        failed,
        explain=explain,
        environ=os.environ,
    )
    for line in lines:
        typer.echo(json.dumps(line, ensure_ascii=False))
    for path, reason in sorted(failed.items()):
        typer.echo(f"mindnet: {path}: {reason}", err=True)
    if failed:
        raise typer.Exit(FINDINGS)


def _path(root: Path, index: VaultIndex, given: str) -> str:
    for file in (Path(given), root / given):
        resolved = file.resolve()
        if resolved.is_relative_to(root):
            below = resolved.relative_to(root).as_posix()
            if below in index.notes:
                return below
    return named_path(index, given)
