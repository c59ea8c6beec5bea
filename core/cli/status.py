"""`mindnet status`: what is indexed and which parts are there."""

from __future__ import annotations

import typer

from core.cli.access import open_core
from core.cli.common import (
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
    """Show the state of the index, the store and the models."""
    root = find_vault(vault)
    tree = settings_tree(prefix)
    with open_core(root, tree, settings_of(tree)) as core:
        found = core.status()
    if as_json:
        print_json(found)
        return
    model = f"{found.embedding.provider} {found.embedding.model}".strip()
    rows = {
        "version": found.version,
        "vault": found.vault,
        "notes": str(found.notes),
        "chunks": str(found.chunks),
        "edges": str(found.edges),
        "unresolved": str(found.unresolved),
        "index": found.index.state
        + (f" ({found.index.last_error})" if found.index.last_error else ""),
        "store": f"{found.store.mode}, {found.store.state}",
        "embedding": f"{model}, {found.embedding.state}",
        "llm": f"{found.llm.model}, {found.llm.state}",
    }
    for name, value in rows.items():
        typer.echo(f"{name:<11}{value}")
