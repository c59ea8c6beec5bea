"""`mindnet status`: what is indexed and which parts are there."""

from __future__ import annotations

import typer

from core.api import SmartState, Status
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


@expected_failures
def status(
    vault: VaultOption = None, prefix: PrefixOption = None, as_json: JsonOption = False
) -> None:
    """Show the state of the index, the store and the models.

    Asks the core that runs for the vault, else looks at the index itself. `mindnet doctor`
    looks at more and says what to do.
    """
    root = find_vault(vault)
    tree = settings_tree(prefix)
    with open_core(root, tree, settings_of(tree)) as core:
        found = core.status()
    if as_json:
        print_json(found)
    else:
        _show(found)
    if found.index.state == "error":
        raise typer.Exit(FINDINGS)


def _show(found: Status) -> None:
    for name, value in _rows(found).items():
        typer.echo(f"{name:<11}{value}")
    if not found.notes and found.index.state != "indexing":
        typer.echo("run `mindnet import --apply`; editors do it by themselves", err=True)
    if found.index.state == "error":
        typer.echo("see `mindnet doctor`", err=True)


def _rows(found: Status) -> dict[str, str]:
    model = f"{found.embedding.provider} {found.embedding.model}".strip()
    detail = found.index.last_error or (f"{found.index.pending} left" * (found.index.pending > 0))
    return {
        "version": found.version,
        "vault": found.vault,
        "notes": str(found.notes),
        "chunks": str(found.chunks),
        "edges": str(found.edges),
        "unresolved": str(found.unresolved),
        "index": found.index.state + (f" ({detail})" if detail else ""),
        "store": f"{found.store.mode}, {found.store.state}",
        "embedding": f"{model}, {found.embedding.state}",
        "llm": f"{found.llm.model}, {found.llm.state}",
        "smart": _smart(found.smart_edges),
    }


def _smart(found: SmartState) -> str:
    left = [f"{found.waiting} passages left"] * (found.waiting > 0)
    left += [f"{found.failed} without an answer"] * (found.failed > 0)
    return found.state + (f" ({', '.join(left)})" if left else "")
