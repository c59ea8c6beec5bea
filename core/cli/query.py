"""`mindnet query`: ask the vault, with the reasons of every hit."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from core.api import Filters, QueryHit, QueryRequest
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
from core.cli.notes import path_or_name
from core.explanation import ScoreBreakdown, WhyNot

_SNIPPET = 160


@expected_failures
def query(
    text: Annotated[str, typer.Argument(help="What to look for.")],
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    mode: Annotated[
        Literal["hybrid", "semantic"],
        typer.Option(help="Words, meaning and links, or meaning alone."),
    ] = "hybrid",
    top: Annotated[int, typer.Option("--top", "-n", min=1, max=200, help="Number of hits.")] = 10,
    hops: Annotated[int, typer.Option(min=0, max=3, help="Links followed from the best hits.")] = 1,
    types: Annotated[list[str] | None, typer.Option("--type", help="Only this type.")] = None,
    tags: Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag.")] = None,
    paths: Annotated[list[str] | None, typer.Option("--path", help="Only below this.")] = None,
    why: Annotated[
        str | None,
        typer.Option("--why", metavar="NOTE", help="Say why this note is not among the hits."),
    ] = None,
) -> None:
    """Find notes by words, meaning and links; exit code 1 if there are none."""
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    request = QueryRequest(
        query=text,
        mode=mode,
        top_k=top,
        hops=hops,
        filters=Filters(types=types or [], tags=tags or [], paths=paths or []),
        why_not=None if why is None else path_or_name(root, why),
        remember=settings.history.enabled,
        locale=user_locale(settings),
    )
    with open_core(root, tree, settings) as core:
        answer = core.query(request)
    if as_json:
        print_json(answer)
    else:
        if answer.notice:
            typer.echo(f"({answer.notice})", err=True)
        for number, hit in enumerate(answer.hits, 1):
            _print(number, hit)
        if answer.why_not is not None:
            _print_why_not(answer.why_not)
    if not answer.hits:
        raise typer.Exit(FINDINGS)


def _print_why_not(found: WhyNot) -> None:
    typer.echo(f"{found.title}  {found.path}")
    if found.score_breakdown is not None:
        typer.echo(f"    {_terms(found.score_breakdown)}")
    for sentence in found.sentences:
        typer.echo(f"    · {sentence}")


def _print(number: int, hit: QueryHit) -> None:
    place = f"{hit.path}:{hit.start_line + 1}"
    typer.echo(f"{number:2}. {hit.score:.3f}  {hit.title}  [{hit.type}]  {place}")
    snippet = " ".join(hit.text.split())
    typer.echo(f"    {snippet[:_SNIPPET]}{'…' if len(snippet) > _SNIPPET else ''}")
    parts = hit.score_breakdown
    if parts is not None:
        typer.echo(f"    {_terms(parts)}")
    for reason in hit.reasons:
        typer.echo(f"    · {reason}")


def _terms(parts: ScoreBreakdown) -> str:
    return (
        f"semantic {parts.semantic:.3f} + lexical {parts.lexical:.3f}"
        f" + edges {parts.edge_bonus:.3f} + centrality {parts.centrality:.3f}"
        f"   (type ×{parts.type_weight:.2f})"
    )
