"""textDocument/prepareRename and rename."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.errors import AlreadyExists, NotANote, NotIndexed, NotSupported
from core.features.rename import prepare_rename as find_renameable
from core.features.rename import rename as find_edits
from core.features.results import RenameFile, VaultEdit
from core.locale import Locale, say
from mindnet_lsp.errors import CONTENT_MODIFIED
from mindnet_lsp.freshness import look, paths_of
from mindnet_lsp.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View
    from mindnet_lsp.session import Session

ATTEMPTS = 3
"""A vault that changes while the edits are worked out makes them start anew, so often."""


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(prepare_rename)
    ls.feature(types.TEXT_DOCUMENT_RENAME)(rename)


async def prepare_rename(
    ls: MindnetServer, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    found = find_renameable(view.index, view.document, view.offset(params.position))
    if found is None:
        return None
    span, name = found
    return types.PrepareRenamePlaceholder(view.range(span), name)


async def rename(ls: MindnetServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits belong to one state of all documents, open ones as the client sent them last,
    closed ones as they are on disk. Raises MindnetError for what cannot be renamed so."""
    for _ in range(ATTEMPTS):
        view = await ls.view_of_large(params.text_document.uri)
        if view is None:
            raise NotANote(say(ls.facts.locale, "This is not a note", "Das ist keine Notiz"))
        _check_ready(view.session, ls.locale(view.session))
        session = view.session
        edit, change = await ls.scheduler.in_thread(_edit, ls, view, params)
        is_stale = await look(ls, session, paths_of(change))
        if not is_stale and session.snapshot() is view.index:
            session.promised.give(change)
            return edit
    raise JsonRpcException("the notes keep changing", CONTENT_MODIFIED)


def _check_ready(session: Session, locale: Locale) -> None:
    """Half an index would give half a rename."""
    if session.state == "error":
        raise NotIndexed(
            say(locale, "The vault could not be read", "Der Vault konnte nicht gelesen werden"),
            say(locale, "The log says why", "Das Log sagt, warum"),
        )
    if not session.is_ready:
        raise NotIndexed(
            say(locale, "The notes are still being read", "Die Notizen werden noch gelesen"),
            say(locale, "Try again in a moment", "Gleich noch einmal versuchen"),
        )


def _edit(
    ls: MindnetServer, view: View, params: types.RenameParams
) -> tuple[types.WorkspaceEdit | None, VaultEdit]:
    """The edit, in the client's form and in ours."""
    locale = ls.locale(view.session)
    offset = view.offset(params.position)
    change = find_edits(view.index, view.document, offset, params.new_name, locale)
    if change.renames and not ls.facts.rename_files:
        raise NotSupported(
            say(
                locale,
                "This editor cannot rename files together with their links",
                "Dieser Editor kann Dateien nicht zusammen mit ihren Links umbenennen",
            ),
            say(locale, "Nothing was changed", "Es wurde nichts geändert"),
        )
    for renamed in change.renames:
        _check_free(view.session, renamed, locale)
    return workspace_edit(ls, view.session, change), change


def _check_free(session: Session, renamed: RenameFile, locale: Locale) -> None:
    """The index does not know files that are left out of the vault. Raises AlreadyExists."""
    if not session.exists(renamed.new_path) or session.root is None:
        return
    with suppress(OSError):
        # another letter case of its own name, where the file system ignores that
        if os.path.samefile(session.root / renamed.path, session.root / renamed.new_path):
            return
    new = renamed.new_path
    raise AlreadyExists(say(locale, f"“{new}” exists already", f"„{new}“ gibt es schon"))
