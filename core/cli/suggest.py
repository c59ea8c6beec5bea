"""`mindnet suggest` and `mindnet related`: what a note should link to, and what is near it."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from core.api import AnalyzeRequest, Suggestion
from core.cli.access import open_core
from core.cli.common import (
    FINDINGS,
    JsonOption,
    PrefixOption,
    VaultOption,
    expected_failures,
    fail,
    find_vault,
    print_json,
    settings_of,
    settings_tree,
    user_locale,
)
from core.cli.notes import named_path, note_path, read_vault
from core.suggest.shapes import DismissedResponse, DismissRequest, RelatedRequest

_SNIPPET = 160
NoteArgument = Annotated[str, typer.Argument(help="A file, note id or title.")]
TopOption = Annotated[int, typer.Option("--top", "-n", min=1, max=200, help="Number of notes.")]


@expected_failures
def suggest(
    note: Annotated[str | None, typer.Argument(help="A file, note id or title.")] = None,
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    top: TopOption = 10,
    form: Annotated[
        Literal["auto", "wikilink", "relation", "field", "callout"],
        typer.Option(help="How to write the edges; auto is what fits each best."),
    ] = "auto",
    dismiss: Annotated[
        str | None, typer.Option("--dismiss", help="Never suggest this note for it again.")
    ] = None,
    restore: Annotated[
        str | None, typer.Option("--restore", help="Suggest a dismissed note again.")
    ] = None,
    dismissed: Annotated[
        bool, typer.Option("--dismissed", help="List what was dismissed.")
    ] = False,
) -> None:
    """Suggest edges that a note does not have yet, with reasons and the exact edit; nothing is
    written. Exit code 1 if there are none."""
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    if note is None and not dismissed:
        fail("no note is named", "Name a file, a note id or a title.")
    path = None if note is None else note_path(root, settings, note)
    with open_core(root, tree, settings) as core:
        if path is None or dismissed:
            _tell_dismissed(core.dismissed(path), as_json=as_json)
            return
        if dismiss is not None or restore is not None:
            name = dismiss if dismiss is not None else str(restore)
            index = read_vault(root, settings).index
            target = index.note_id(named_path(index, name))
            asked = DismissRequest(path=path, target_note_id=target)
            _tell_dismissed(core.dismiss(asked, restore=dismiss is None), as_json=as_json)
            return
        asked_for = AnalyzeRequest(
            path=path,
            top_k=top,
            form=None if form == "auto" else form,
            min_score=settings.suggestions.min_score,
            locale=user_locale(settings),
        )
        found = core.analyze(asked_for).suggestions
    if as_json:
        print_json({"suggestions": [one.model_dump() for one in found]})
    else:
        for number, one in enumerate(found, 1):
            _print(number, one)
    if not found:
        raise typer.Exit(FINDINGS)


@expected_failures
def related(
    note: NoteArgument,
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    top: TopOption = 10,
) -> None:
    """Show the notes nearest to one in meaning, words and links; exit code 1 if there are none."""
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    path = note_path(root, settings, note)
    with open_core(root, tree, settings) as core:
        answer = core.related(RelatedRequest(path=path, top_k=top, locale=user_locale(settings)))
    if as_json:
        print_json(answer)
    else:
        for number, hit in enumerate(answer.hits, 1):
            place = f"{hit.path}:{hit.start_line + 1}"
            typer.echo(f"{number:2}. {hit.score:.3f}  {hit.title}  [{hit.type}]  {place}")
            for reason in hit.reasons:
                typer.echo(f"    · {reason}")
    if not answer.hits:
        raise typer.Exit(FINDINGS)


def _print(number: int, one: Suggestion) -> None:
    typer.echo(f"{number:2}. {one.score:.2f}  {one.title}  [{one.kind}]  {one.path}")
    typer.echo(f"    {' '.join(one.new_text.split())[:_SNIPPET]}")
    for reason in one.reasons:
        typer.echo(f"    · {reason}")


def _tell_dismissed(answer: DismissedResponse, *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    for one in answer.dismissed:
        source = one.title or one.note_id
        typer.echo(f"{source} → {one.target_title or one.target_note_id}")
    if not answer.dismissed:
        typer.echo("nothing is dismissed")
