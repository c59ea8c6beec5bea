"""`mindnet resolve`: the links that lead nowhere, and what they may have meant."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from core.api import SyncRequest
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
from core.cli.notes import read_vault
from core.features.linktext import searched_name
from core.vault.index import VaultIndex

_NEAREST = 3


@expected_failures
def resolve(
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    apply: Annotated[
        bool,
        typer.Option("--apply", help="Bring edges in step whose note exists by now."),
    ] = False,
) -> None:
    """List links to notes that do not exist, with the nearest titles; exit code 1 if any."""
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    healed = None
    if apply:
        with open_core(root, tree, settings) as core:
            before = core.status().unresolved
            core.sync(SyncRequest(), lambda step: None)
            healed = max(0, before - core.status().unresolved)
    found = unresolved(read_vault(root, settings).index)
    if as_json:
        print_json({"healed": healed, "unresolved": found})
    else:
        for one in found:
            near = ", ".join(one["nearest"])
            typer.echo(
                f"{one['target']}  ({one['uses']} ×)" + (f"  nearest: {near}" if near else "")
            )
            for place in one["places"]:
                typer.echo(f"    {place}")
        if healed is not None:
            typer.echo(f"{healed} links lead to notes that exist by now", err=True)
    if found:
        raise typer.Exit(FINDINGS)


def unresolved(index: VaultIndex) -> list[dict[str, Any]]:
    """Targets without a note, most used first: name, uses, places as `path:line`, nearest paths."""
    places: dict[str, list[str]] = {}
    for path in index.paths:
        for link in index.unresolved_in(path):
            places.setdefault(link.target, []).append(f"{path}:{link.line + 1}")
    return [
        {
            "target": target,
            "uses": len(where),
            "places": where,
            "nearest": [hit.path for hit in index.names.nearest(searched_name(target), _NEAREST)],
        }
        for target, where in sorted(places.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
