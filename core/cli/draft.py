"""`mindnet draft`: a note from what is told, shown or saved."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from core.api import SyncRequest
from core.chat.interview import Draft, Wish
from core.chat.interview import draft as drafted
from core.chat.saving import Place, checked_folder, new_file
from core.cli.access import running_core
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
from core.cli.notes import read_vault
from core.config.load import ChatConfig, load_chat, load_config
from core.features.action_context import ActionContext
from core.locale import Locale, say
from core.settings import Settings
from core.talk.drafting import draft_context
from core.vault.index import VaultIndex
from core.vault.new_file import create_new


@expected_failures
def draft(
    text: Annotated[str, typer.Argument(help="What the note is about, in your own words.")],
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    kind: Annotated[
        str | None,
        typer.Option("--type", help="Type of the note; default: the one that the text names."),
    ] = None,
    answers: Annotated[
        list[str] | None, typer.Option("--answer", help="FIELD=TEXT, as asked for before.")
    ] = None,
    folder: Annotated[
        str | None, typer.Option(help="Folder of the vault; default: that of the type.")
    ] = None,
    model: Annotated[
        bool, typer.Option(help="Have the language model write it, where there is one.")
    ] = True,
    save: Annotated[bool, typer.Option("--save", help="Write it into the vault.")] = False,
) -> None:
    """Draft a note of the right type from a sentence; without --save nothing is written.

    The language model of Ollama writes it; without one it is the template of the type with what you
    told in it. Questions for what is missing are on standard error. An existing file is never
    overwritten. Exit code 1 if fields are missing.
    """
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    locale = user_locale(settings)
    context = draft_context(root, VaultIndex(), load_config(root), settings, locale)
    home = None if folder is None else checked_folder(context, folder)
    wish = Wish(text, kind or "", _answers(answers or []), home)
    found = asyncio.run(_drafted(context, load_chat(root), wish, settings if model else None))
    path = found.path
    if save:
        path = _saved(root, settings, context, found)
        if (core := running_core(root, tree, any_settings=True)) is not None:
            core.sync(SyncRequest(paths=[path]), lambda _: None)
    if as_json:
        print_json(_shape(found, path, saved=save))
    else:
        _show(found, path, context.locale, saved=save)
    if found.missing_fields:
        raise typer.Exit(FINDINGS)


async def _drafted(
    context: ActionContext, chat: ChatConfig, wish: Wish, settings: Settings | None
) -> Draft:
    """The draft, with the model of the settings; without them, the template."""
    if settings is None or not settings.llm.enabled:
        return await drafted(context, chat, wish)
    from core.llm.local import LocalModel
    from core.talk.asking import Asker

    llm = LocalModel(settings.llm)
    try:
        return await drafted(context, chat, wish, Asker(llm, context.locale).whole)
    finally:
        await llm.ollama.aclose()


def _answers(given: list[str]) -> dict[str, str]:
    found = {}
    for one in given:
        field, equals, value = one.partition("=")
        if not equals or not field.strip():
            fail(f"--answer {one!r} is no FIELD=TEXT", "Write --answer due=2031-11-01.")
        found[field.strip()] = value
    return found


def _saved(root: Path, settings: Settings, context: ActionContext, found: Draft) -> str:
    """Write the draft; its vault path."""
    index = read_vault(root, settings).index
    folder, _, name = found.path.rpartition("/")
    place = Place(name, folder)
    new = new_file(context, found.markdown, place, lambda id_: index.path_of(id_) is not None)
    create_new(root, new.path, new.text, context.locale)
    return new.path


def _show(found: Draft, path: str, locale: Locale, *, saved: bool) -> None:
    if saved:
        typer.echo(path)
    else:
        typer.echo(found.markdown, nl=False)
        typer.echo(say(locale, f"would be {path}", f"würde {path}"), err=True)
        if found.notice:
            typer.echo(f"({found.notice})", err=True)
    for one in found.missing_fields:
        typer.echo(f"{one.field}: {one.hint}", err=True)


def _shape(found: Draft, path: str, *, saved: bool) -> dict[str, object]:
    return {
        "type": found.type,
        "title": found.title,
        "file_name": path.rpartition("/")[2],
        "path": path,
        "saved": saved,
        "markdown": found.markdown,
        "missing_fields": [one._asdict() for one in found.missing_fields],
        "healed": list(found.healed),
        "moved_to_body": list(found.moved_to_body),
        "notice": found.notice,
    }
