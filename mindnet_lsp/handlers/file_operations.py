"""workspace/willRenameFiles, didRenameFiles, didCreateFiles, didDeleteFiles: links follow files
and folders, and the index knows at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from threading import Event
from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.moving import files_in, move, moved_files, renamed
from core.features.results import VaultEdit
from core.locale import say
from core.model import Note
from core.vault.ignore import IgnoreRules, is_hidden
from core.vault.index import VaultIndex
from core.vault.scan import FileStamp, is_note_path
from mindnet_lsp import disk
from mindnet_lsp.freshness import look, paths_of
from mindnet_lsp.indexing import Indexing
from mindnet_lsp.session import Change, DiskChange, Session
from mindnet_lsp.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

ATTEMPTS = 4
"""How often edits are worked out anew when the notes change meanwhile."""
MANY = 40
"""From so many paths on the index follows in a thread."""
_UNREAD = FileStamp(-1, -1)
"""Of a file that has to be read when somebody looks at it."""
_Moves = dict[str, str]

_log = logging.getLogger(__name__)


def register(ls: MindnetServer) -> None:
    # attachments and folders count too
    everything = types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")
    options = types.FileOperationRegistrationOptions([everything])
    ls.feature(types.WORKSPACE_WILL_RENAME_FILES, options)(will_rename_files)
    ls.feature(types.WORKSPACE_DID_RENAME_FILES, options)(did_rename_files)
    ls.feature(types.WORKSPACE_DID_CREATE_FILES, options)(did_create_files)
    ls.feature(types.WORKSPACE_DID_DELETE_FILES, options)(did_delete_files)


async def will_rename_files(
    ls: MindnetServer, params: types.RenameFilesParams
) -> types.WorkspaceEdit | None:
    """The edits that keep links right, at the old URIs. A file that leaves its vault, or goes
    where no note is looked for, takes no link along."""
    edits = []
    for session, moves in _moves(ls, params.files).items():
        if session.is_ready:
            edits.append(await _edit(ls, session, moves))
        else:
            _tell_unready(ls, session)
    return _together(edit for edit in edits if edit is not None)


def did_rename_files(ls: MindnetServer, params: types.RenameFilesParams) -> None:
    """The index follows before the files are looked at."""
    within = _moves(ls, params.files)
    for file in params.files:
        old, new = ls.sessions.folder_of(file.old_uri), ls.sessions.folder_of(file.new_uri)
        if old is not None and old[1] not in within.get(old[0], {}):
            _drop(ls, *old)
            if new is not None:
                ls.indexing[new[0]].touch(new[1])
        elif old is None and new is not None:
            ls.indexing[new[0]].touch(new[1])
    for session, moves in within.items():
        _follow(ls, session, moves)


async def did_create_files(ls: MindnetServer, params: types.CreateFilesParams) -> None:
    """Look at them at once."""
    created: dict[Session, set[str]] = {}
    for file in params.files:
        found = ls.sessions.folder_of(file.uri)
        if found is not None and found[0].is_ready:
            created.setdefault(found[0], set()).add(found[1])
    for session, paths in created.items():
        await look(ls, session, paths)


def did_delete_files(ls: MindnetServer, params: types.DeleteFilesParams) -> None:
    """What is open stays until it is closed."""
    for file in params.files:
        found = ls.sessions.folder_of(file.uri)
        if found is not None:
            _drop(ls, *found)


def _moves(ls: MindnetServer, files: Iterable[types.FileRename]) -> dict[Session, _Moves]:
    """The moves that stay within a vault and in sight, as vault paths."""
    found: dict[Session, _Moves] = {}
    for file in files:
        old, new = ls.sessions.folder_of(file.old_uri), ls.sessions.folder_of(file.new_uri)
        if old is None or new is None or old[0] is not new[0]:
            continue
        if not any(is_hidden(part) for part in new[1].split("/")):
            found.setdefault(old[0], {})[old[1]] = new[1]
    return found


async def _edit(ls: MindnetServer, session: Session, moves: _Moves) -> types.WorkspaceEdit | None:
    """The edit for moves in one vault, of files as they are on disk and in the editor."""
    given_up = Event()
    for _ in range(ATTEMPTS):
        index = session.snapshot()
        try:
            files, change, edit = await ls.scheduler.in_thread(
                _work_out, ls, session, index, moves, given_up
            )
        except asyncio.CancelledError:
            given_up.set()
            raise
        await look(ls, session, paths_of(change).union(files))
        if session.snapshot() is index:
            return None if session.promised.is_made(moves, change) else edit
    _log.warning("the notes keep changing; no links were updated")
    return None


def _work_out(
    ls: MindnetServer, session: Session, index: VaultIndex, moves: _Moves, given_up: Event
) -> tuple[_Moves, VaultEdit, types.WorkspaceEdit | None]:
    """The files that move, and the edits, also in the client's form. Runs in a thread."""
    assert session.root is not None, "a single file is in no folder"
    rules, _ = IgnoreRules.read(session.root, session.settings.vault.ignore)
    files = {old: new for old, new in moved_files(index, moves).items() if disk.belongs(new, rules)}
    change = move(index, files, lambda: given_up.is_set() or ls.scheduler.stopping())
    return files, change, workspace_edit(ls, session, change)


def _follow(ls: MindnetServer, session: Session, moves: _Moves) -> None:
    """Files were moved within a vault: so are their notes in the index. Looking at the files
    comes later, and finds out whether they were edited as well."""
    indexing = ls.indexing[session]
    index = session.snapshot()
    files = moved_files(index, moves) if session.is_ready else {}
    notes: list[tuple[Note, FileStamp]] = []
    removed, added, gone = list[str](), list[str](), list[str]()
    for old, new in files.items():
        note = index.get(old)
        (gone if note is None else removed).append(old)
        if not is_note_path(new):
            added.append(new)
        elif note is not None:
            notes.append((renamed(note, new), session.stamps.get(old, _UNREAD)))
    still_open = tuple(path for path in removed if path in session.documents)
    if still_open:
        # the editor closes it in a moment, and opens the new one
        session.apply(Change(removed=still_open))
    found = DiskChange(tuple(notes), tuple(removed), tuple(added), tuple(gone))
    _take(ls, indexing, found, [*(files or moves), *(files or moves).values()])


def _drop(ls: MindnetServer, session: Session, path: str) -> None:
    """The file or folder at a vault path is gone."""
    indexing, index = ls.indexing[session], session.snapshot()
    gone = files_in(index, path)
    notes = tuple(one for one in gone if index.get(one) is not None)
    others = tuple(one for one in gone if index.get(one) is None)
    found = DiskChange(removed=notes, attachments_removed=others)
    _take(ls, indexing, found, gone or [path])


def _take(ls: MindnetServer, indexing: Indexing, found: DiskChange, paths: Sequence[str]) -> None:
    """Put a change into the index, at once where it is a small one, then look at the files."""
    if len(paths) < MANY:
        indexing.take(found)
        for path in paths:
            indexing.touch(path)
        return

    async def take() -> None:
        await indexing.take_many(found)
        for path in paths:
            indexing.touch(path)

    ls.scheduler.spawn(take(), "following moved files")


def _together(edits: Iterable[types.WorkspaceEdit]) -> types.WorkspaceEdit | None:
    """The edits of several vaults as one; all have the same form."""
    found: types.WorkspaceEdit | None = None
    for edit in edits:
        if found is None:
            found = edit
        elif found.document_changes is not None:
            found.document_changes = [*found.document_changes, *(edit.document_changes or ())]
        else:
            found.changes = {**(found.changes or {}), **(edit.changes or {})}
    return found


def _tell_unready(ls: MindnetServer, session: Session) -> None:
    text = say(
        ls.locale(session),
        "Links were not updated: the notes are still being read",
        "Links wurden nicht angepasst: Die Notizen werden noch gelesen",
    )
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))
