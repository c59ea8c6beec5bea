"""`mindnet check`: whether the store is what the files say."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from core.api import SyncProgress
from core.check.shapes import NAMES
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
from core.cli.reading import check_lines


class Name(StrEnum):
    """What can be named; `core.check.shapes.NAMES` and all of them."""

    EDGES = "edges"
    CHUNKS = "chunks"
    WINDOWS = "windows"
    SCHEMA = "schema"
    HASHES = "hashes"
    ALL = "all"


@expected_failures
def check(
    what: Annotated[
        list[Name] | None,
        typer.Argument(
            metavar="WHAT",
            help="edges: counts, duplicates, ends that are not there. chunks: order, and their "
            "text against the files. windows: what is embedded, and the vectors. schema: payload "
            "fields and indexes. hashes: records against files. Without any: all.",
        ),
    ] = None,
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check the index against itself and against the files; exit code 1 if something is wrong.

    Changes nothing. A core that runs is asked; it must not be importing just then.
    """
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    named = {name.value for name in what or ()}
    chosen = [] if "all" in named else [name for name in NAMES if name in named]
    found: dict[str, list[dict[str, Any]]] = {"finding": [], "fact": [], "result": []}
    with progress() as show:

        def tell(line: dict[str, Any]) -> None:
            kind = line["kind"]
            if kind == "progress":
                show(SyncProgress.model_validate(line))
                return
            found[kind].append({key: value for key, value in line.items() if key != "kind"})
            if kind == "finding" and not as_json:
                typer.echo(_shown(line))

        check_lines(root, tree, settings, chosen, tell)
    (result,) = found["result"]
    if as_json:
        print_json({**result, "findings": found["finding"], "facts": found["fact"]})
    else:
        for fact in found["fact"]:
            typer.echo(f"{fact['check']}: {fact['message']}")
        typer.echo(
            f"{result['notes']} notes, {result['chunks']} chunks, {result['edges']} edges: "
            f"{result['findings'] or 'no'} findings in {result['took_ms'] / 1000:.1f} s",
            err=True,
        )
    if result["findings"]:
        raise typer.Exit(FINDINGS)


def _shown(line: dict[str, Any]) -> str:
    place = line["path"] or line["note_id"]
    return (f"{place}: " if place else "") + f"{line['message']} [{line['check']}/{line['code']}]"
