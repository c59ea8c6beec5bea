"""`mindnet graph`: the notes around one, for people and for other programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import typer

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
    user_locale,
)
from core.cli.notes import note_path
from core.graph.formats import as_dot, as_graphml, as_mermaid
from core.graph.shapes import MAX_NODES, GraphRequest, GraphResponse

_FORMATS: dict[str, Callable[[GraphResponse], str]] = {
    "dot": as_dot,
    "mermaid": as_mermaid,
    "graphml": as_graphml,
}


@expected_failures
def graph(
    note: Annotated[
        str | None,
        typer.Argument(help="A file, note id or title; without it the most linked notes."),
    ] = None,
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    hops: Annotated[int, typer.Option(min=0, max=6, help="How far to follow links.")] = 1,
    kinds: Annotated[
        list[str] | None, typer.Option("--kind", help="Only relations of this kind.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MAX_NODES, help="Most notes.")] = 200,
    form: Annotated[
        Literal["text", "json", "dot", "mermaid", "graphml"],
        typer.Option("--format", help="What to print."),
    ] = "text",
) -> None:
    """Show the notes around one and how they are linked; exit code 1 if it has no links."""
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    path = None if note is None else note_path(root, settings, note)
    request = GraphRequest(
        path=path, hops=hops, kinds=kinds or [], limit=limit, locale=user_locale(settings)
    )
    with open_core(root, tree, settings) as core:
        answer = core.graph(request)
    if as_json or form == "json":
        print_json(answer)
    elif form in _FORMATS:
        typer.echo(_FORMATS[form](answer), nl=False)
    else:
        _show(answer)
    if path is not None and not answer.edges:
        raise typer.Exit(FINDINGS)


def _show(answer: GraphResponse) -> None:
    titles = {node.id: node.title for node in answer.nodes}
    for node in answer.nodes:
        typer.echo(
            f"{'  ' * node.hops}{node.title}  ({node.type}, {node.degree} links)  {node.path}"
        )
        for edge in answer.edges:
            if edge.source == node.id and edge.provenance != "rule":
                typer.echo(f"{'  ' * node.hops}    {edge.kind} → {titles[edge.target]}")
    if answer.truncated:
        typer.echo(f"there are more; these are the nearest {len(answer.nodes)}", err=True)
