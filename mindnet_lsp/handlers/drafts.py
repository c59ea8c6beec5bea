"""`mindnet.saveDraft`: a draft becomes a note of the vault."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.errors import (
    AlreadyExists,
    NotANote,
    NotSupported,
    OutsideVault,
)
from core.features.action_context import ActionContext
from core.features.document import Document
from core.features.results import TextEdit, VaultEdit
from core.ids import note_id_of
from core.locale import say
from core.parse import parse_note
from core.vault.index import VaultIndex
from core.vault.new_file import replace_text
from mindnet_lsp.action_context import moment
from mindnet_lsp.handlers.arguments import Arguments
from mindnet_lsp.handlers.command_kit import guarded, note_of, session_of
from mindnet_lsp.handlers.new_note import show, unwritable
from mindnet_lsp.new_files import create_files, is_taken
from mindnet_lsp.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from core.chat.saving import Place
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

TRIES = 3
"""How often a note is tried that somebody else changes at the same moment."""
APPLY_TIMEOUT = 30.0


def register(ls: MindnetServer) -> None:
    ls.command("mindnet.saveDraft")(guarded(ls, save_draft))


async def save_draft(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`{markdown, file_name?, folder?, open?: true}` → `{uri, note_id, created: true}`, a new
    note under a free name, opened where the client can.

    With the `uri` of a note that was saved before, what the markdown has more goes to its end
    (`created: false`): into the editor's buffer where it is open, else into the file.
    """
    from core.chat.saving import Place

    markdown = arguments.text("markdown")
    async with ls.saved_drafts.lock:
        if arguments.has("uri"):
            session, path = note_of(ls, arguments)
            await _go_on(ls, vault_of(ls, session), path, markdown)
            text = session.text(path) or ""
            created = False
        else:
            session = vault_of(ls, session_of(ls, arguments))
            place = Place(arguments.optional_text("file_name"), arguments.optional_text("folder"))
            path, text = await _create(ls, session, markdown, place)
            created = True
    uri = session.uri(path)
    if arguments.flag("open", default=True) and created and ls.facts.show_document:
        ls.scheduler.spawn(show(ls, uri), "showing the draft")
    return {"uri": uri, "note_id": note_id_of(parse_note(path, text)), "created": created}


async def _create(
    ls: MindnetServer, session: Session, markdown: str, place: Place
) -> tuple[str, str]:
    """The vault path and text of the new note."""
    from core.chat.saving import new_file

    context = new_context(ls, session, session.snapshot())
    for attempt in range(TRIES):
        new = await ls.scheduler.in_thread(
            new_file, context, markdown, place, lambda id_: ls.saved_drafts.has_id(session, id_)
        )
        try:
            await create_files(ls, session, [new])
        except AlreadyExists:
            # another program took the name meanwhile
            if attempt + 1 == TRIES:
                raise
            continue
        except OSError as error:
            raise unwritable(ls, session, new.path, error) from error
        break
    note_id = note_id_of(parse_note(new.path, new.text))
    ls.saved_drafts.remember(session, new.path, markdown, note_id)
    return new.path, new.text


async def _go_on(ls: MindnetServer, session: Session, path: str, markdown: str) -> None:
    """Put what is new into a note that was saved before. Raises MindnetError, the note and the
    editor's buffer being as they were."""
    from core.chat.saving import grown

    before = ls.saved_drafts.text(session, path)
    for _ in range(TRIES):
        current = session.text(path)
        if current is None:
            raise NotANote(
                say(ls.locale(session), f"{path} cannot be read", f"{path} ist nicht lesbar"),
                say(ls.locale(session), "Save it as a new note", "Als neue Notiz speichern"),
            )
        try:
            edit = grown(path, current, before, markdown)
        except ValueError as error:
            raise AlreadyExists(
                say(
                    ls.locale(session),
                    f"{path} was changed since it was saved; it stays as it is",
                    f"{path} wurde seit dem Speichern geändert und bleibt, wie es ist",
                ),
                say(ls.locale(session), "Save it as a new note", "Als neue Notiz speichern"),
            ) from error
        opened = path in session.documents
        if edit is None or await (_in_editor if opened else _in_file)(ls, session, current, edit):
            ls.saved_drafts.remember(session, path, markdown)
            return
    raise NotSupported(
        say(
            ls.locale(session),
            f"The editor did not take the change of {path}; it is as it was",
            f"Der Editor hat die Änderung von {path} nicht übernommen; alles ist, wie es war",
        ),
        say(
            ls.locale(session),
            "Save again, or save it as a new note",
            "Noch einmal oder als neue Notiz speichern",
        ),
    )


async def _in_editor(ls: MindnetServer, session: Session, current: str, edit: TextEdit) -> bool:
    """Whether the editor took the change of its open buffer."""
    if not ls.facts.apply_edit:
        return False
    wanted = workspace_edit(ls, session, VaultEdit((edit,)))
    if wanted is None:
        return True
    label = say(ls.locale(session), "Add to the note", "Notiz ergänzen")
    params = types.ApplyWorkspaceEditParams(wanted, label)
    asked = asyncio.ensure_future(ls.workspace_apply_edit_async(params))
    try:
        answer = await asyncio.wait_for(asyncio.shield(asked), APPLY_TIMEOUT)
    except (TimeoutError, JsonRpcException):
        return False
    return bool(answer and answer.applied)


async def _in_file(ls: MindnetServer, session: Session, current: str, edit: TextEdit) -> bool:
    """Whether the file, as it was read, could be replaced."""
    from core.chat.saving import edited

    assert session.root is not None
    target = session.root / edit.path

    def write() -> bool:
        before = target.read_bytes()
        if before.decode("utf-8", "replace").lstrip("\ufeff") != current:
            return False  # not as it was read, or not UTF-8: it stays as it is
        mark = before[:3] if before.startswith(b"\xef\xbb\xbf") else b""
        after = mark + edited(current, edit).encode("utf-8", "surrogatepass")
        return replace_text(target, before, after)

    try:
        done = await ls.scheduler.in_thread(write)
    except OSError as error:
        raise unwritable(ls, session, edit.path, error) from error
    if done and session in ls.indexing:
        ls.indexing[session].touch(edit.path)
    return done


def vault_of(ls: MindnetServer, session: Session) -> Session:
    if session.root is None:
        raise OutsideVault(
            say(ls.locale(session), "This note is in no vault", "Diese Notiz ist in keinem Vault")
        )
    return session


def new_context(ls: MindnetServer, session: Session, index: VaultIndex) -> ActionContext:
    """What a new note needs to know; no names are looked for in its text."""
    config, settings = session.config, session.settings
    return ActionContext(
        index,
        Document.of(parse_note("", ""), ""),
        session.text,
        ls.locale(session),
        settings.drafts.folder,
        settings.templates.folder,
        config.relations,
        config.types,
        config.templates,
        moment(),
        exists=lambda path: is_taken(session, path),
    )
