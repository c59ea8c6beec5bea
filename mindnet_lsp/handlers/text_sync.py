"""textDocument/didOpen, didChange, didSave, didClose: small, synchronous and in order."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types

from mindnet_lsp.convert import apply_changes

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

_log = logging.getLogger(__name__)


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_open)
    ls.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    ls.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))(did_save)
    ls.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)


def did_open(ls: MindnetServer, params: types.DidOpenTextDocumentParams) -> None:
    """From now on the text is the editor's, whatever is on disk."""
    item = params.text_document
    session, path = ls.sessions.open(item.uri, item.version, item.text)
    ls.publisher.opened(session, path)
    ls.suggestions.opened(session, path)
    indexing = ls.indexing.get(session)
    if indexing is not None and session.is_ready and path not in session.stamps:
        # a note that no watcher told of: there may be others
        indexing.rescan()


def did_change(ls: MindnetServer, params: types.DidChangeTextDocumentParams) -> None:
    """Take the new text; it is parsed when somebody asks, or after a short quiet."""
    found = ls.sessions.find_open(params.text_document.uri)
    if found is None:
        _log.warning("a document that is not open was changed; the change is ignored")
        return
    session, path = found
    document = session.documents[path]
    text = apply_changes(document.raw, list(params.content_changes), ls.convert)
    session.edit(path, params.text_document.version, text)
    ls.publisher.edited(session, path)
    ls.suggestions.edited(session, path)


def did_save(ls: MindnetServer, params: types.DidSaveTextDocumentParams) -> None:
    """The links are up to date already; the store follows in the background."""
    found = ls.sessions.find(params.text_document.uri)
    if found is None:
        return
    session, path = found
    indexing = ls.indexing.get(session)
    if indexing is not None:
        indexing.saved(path)


def did_close(ls: MindnetServer, params: types.DidCloseTextDocumentParams) -> None:
    """From now on the file on disk counts."""
    found = ls.sessions.close(params.text_document.uri)
    if found is None:
        return
    session, path = found
    ls.suggestions.closed(session, path)
    indexing = ls.indexing.get(session)
    if indexing is not None:
        indexing.touch(path)
