"""`mindnet chat`: a message to the notes, answered as the model writes it."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from core.chat.shapes import ChatRequest, ChatResult
from core.cli.access import open_core
from core.cli.common import (
    FAILURE,
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
from core.errors import InvalidArguments
from core.locale import Locale, say


@expected_failures
def chat(
    text: Annotated[str, typer.Argument(help="What you want to know, or to have written down.")],
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    session: Annotated[
        str | None,
        typer.Option(
            help="Name of the conversation to begin or go on with, while a core runs for the vault."
        ),
    ] = None,
    top: Annotated[int, typer.Option("--top", "-n", min=1, max=50, help="Notes to read.")] = 8,
) -> None:
    """Ask the notes in your own words; the answer cites them.

    It is written by the language model of Ollama (llm.model); without one the notes are listed and
    the exit code is 2. A message that wants a note gets its draft; nothing is written into the
    vault.
    """
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    locale = user_locale(settings)
    try:
        request = ChatRequest(message=text, session_id=session, top_k=top, locale=locale)
    except ValueError as error:
        raise InvalidArguments(
            "the message is empty or too long, or the session has odd letters"
        ) from error
    shown = _Screen(quiet=as_json)
    with open_core(root, tree, settings) as core:
        result = core.chat(request, shown.tell)
    if as_json:
        print_json(result)
    else:
        shown.end(result, locale)
    if result.error is not None:
        raise typer.Exit(FAILURE)
    if not (result.sources or result.draft):
        raise typer.Exit(FINDINGS)


class _Screen:
    """Shows an answer: as it comes on a terminal, whole in a pipe."""

    def __init__(self, *, quiet: bool) -> None:
        self._live = not quiet and sys.stdout.isatty()

    def tell(self, line: dict[str, Any]) -> None:
        """A line of the stream."""
        if self._live and line["kind"] == "delta":
            typer.echo(line["text"], nl=False)
            sys.stdout.flush()

    def end(self, result: ChatResult, locale: Locale) -> None:
        """What follows the answer."""
        if self._live and result.answer:
            typer.echo()
        elif result.answer:
            typer.echo(result.answer)
        if result.draft is not None:
            typer.echo(f"\n{result.draft.markdown}", nl=False)
            typer.echo(say(locale, "would be ", "würde ") + result.draft.path, err=True)
        if result.sources:
            typer.echo()
        for one in result.sources:
            mark = "*" if one.cited else " "
            typer.echo(f"{mark}[{one.n}] {one.title}  {one.path}:{one.start_line + 1}")
        if result.notice:
            typer.echo(f"({result.notice})", err=True)
        if result.error is not None:
            hint = f". {result.error.hint}" if result.error.hint else ""
            typer.echo(f"mindnet: {result.error.message}{hint}", err=True)
