"""`mindnet.newNote`: a note from the template of its type."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.errors import AlreadyExists, InvalidArguments, MindnetError, NotANote, OutsideVault
from core.features.action_context import ActionContext
from core.features.actions_create import new_text, type_by_path
from core.features.document import Document
from core.features.results import CreateFile
from core.filename import SUFFIX, is_file_name, note_stem
from core.ids import note_id_of
from core.locale import say
from core.parse import parse_note
from core.vault.ignore import is_hidden
from core.vault.targets import joined
from mindnet_lsp.action_context import context_of
from mindnet_lsp.handlers.arguments import Arguments
from mindnet_lsp.handlers.command_kit import guarded, session_of
from mindnet_lsp.new_files import create_files

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

SHOW_TIMEOUT = 10.0

_log = logging.getLogger(__name__)


def register(ls: MindnetServer) -> None:
    ls.command("mindnet.newNote")(guarded(ls, new_note))


async def new_note(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`{type?, title, folder?, open?: true}` → `{uri, note_id}`. Never overwrites; opens the
    note where the client can."""
    session = session_of(ls, arguments)
    title = " ".join(arguments.text("title").split())
    kind = arguments.text("type").strip() if arguments.has("type") else ""
    folder = arguments.optional_text("folder")
    shows = arguments.flag("open", default=True)
    if session.root is None:
        raise OutsideVault(
            say(ls.locale(session), "This note is in no vault", "Diese Notiz ist in keinem Vault")
        )
    new = await ls.scheduler.in_thread(_made, ls, session, title, kind, folder)
    try:
        await create_files(ls, session, [new])
    except OSError as error:
        raise unwritable(ls, session, new.path, error) from error
    uri = session.uri(new.path)
    if shows and ls.facts.show_document:
        ls.scheduler.spawn(show(ls, uri), "showing the new note")
    return {"uri": uri, "note_id": note_id_of(parse_note(new.path, new.text))}


def _made(
    ls: MindnetServer, session: Session, title: str, kind: str, folder: str | None
) -> CreateFile:
    """The new note: where it goes, and its text. Raises MindnetError."""
    blank = Document.of(parse_note("", ""), "")
    context = context_of(ls, session, session.index, blank)
    if folder is None:
        folder = context.drafts or _folder_of(context, kind)
    locale = ls.locale(session)
    base = joined("", folder.replace("\\", "/").strip("/"))
    if base is None:
        raise OutsideVault(
            say(locale, f"{folder} leaves the vault", f"{folder} liegt außerhalb des Vaults")
        )
    parts = base.split("/") if base else []
    if any(is_hidden(part) or not is_file_name(part) for part in parts):
        raise InvalidArguments(f"folder: {folder} is no name for a folder of notes")
    path = "/".join([*parts, note_stem(title) + SUFFIX])
    if context.is_taken(path):
        raise AlreadyExists(
            say(locale, f"{path} exists already", f"{path} gibt es schon"),
            say(locale, "Choose another title or folder", "Anderen Titel oder Ordner wählen"),
        )
    return CreateFile(path, new_text(context, path, title, kind or type_by_path(context, path)))


def unwritable(ls: MindnetServer, session: Session, path: str, error: OSError) -> MindnetError:
    """The error for a file that the system refuses to write."""
    locale, why = ls.locale(session), error.strerror or type(error).__name__
    return NotANote(
        say(locale, f"{path} cannot be written: {why}", f"{path}: Schreiben schlug fehl: {why}"),
        say(locale, "Choose another folder", "Anderen Ordner wählen"),
    )


def _folder_of(context: ActionContext, kind: str) -> str:
    """The folder whose notes have this type, where the vault has it; else the root."""
    return next(filter(context.exists, context.types.folders(kind)), "")


async def show(ls: MindnetServer, uri: str) -> None:
    """Open a note in the editor, as far as it does so."""
    params = types.ShowDocumentParams(uri, take_focus=True)
    asked = asyncio.ensure_future(ls.window_show_document_async(params))
    try:
        await asyncio.wait_for(asyncio.shield(asked), SHOW_TIMEOUT)
    except (TimeoutError, JsonRpcException) as error:
        _log.warning("the client did not show the new note: %s", type(error).__name__)
