"""textDocument/prepareCallHierarchy, callHierarchy/incomingCalls and outgoingCalls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.call_hierarchy import incoming_calls, note_at, outgoing_calls
from core.features.references import title_heading
from core.features.view_results import Call
from core.model import Note
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)(prepare)
    ls.feature(types.CALL_HIERARCHY_INCOMING_CALLS)(incoming)
    ls.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)(outgoing)


def prepare(
    ls: MindnetServer, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    path = note_at(view.index, view.document, view.offset(params.position))
    note = None if path is None else view.index.get(path)
    return [_item(ls, view.session, note, note.folder)] if note else None


async def incoming(
    ls: MindnetServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    known = _known(ls, params.item)
    if known is None:
        return []
    session, index, path = known
    relations, locale = session.config.relations, ls.locale(session)
    found = await ls.scheduler.in_thread(incoming_calls, index, path, relations, locale)
    return [
        types.CallHierarchyIncomingCall(item, _ranges(ls, call))
        for call in found
        if (item := _called(ls, session, index, call)) is not None
    ]


async def outgoing(
    ls: MindnetServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    known = _known(ls, params.item)
    if known is None:
        return []
    session, index, path = known
    relations, locale = session.config.relations, ls.locale(session)
    found = await ls.scheduler.in_thread(outgoing_calls, index, path, relations, locale)
    return [
        types.CallHierarchyOutgoingCall(item, _ranges(ls, call))
        for call in found
        if (item := _called(ls, session, index, call)) is not None
    ]


def _known(
    ls: MindnetServer, item: types.CallHierarchyItem
) -> tuple[Session, VaultIndex, str] | None:
    """The note of an item as it is now: by its path, for a client that keeps data; else by its
    URI."""
    found = ls.sessions.find(item.uri)
    if found is None:
        return None
    session, path = found
    data = item.data if isinstance(item.data, dict) else {}
    return session, session.snapshot(), str(data.get("path") or path)


def _called(
    ls: MindnetServer, session: Session, index: VaultIndex, call: Call
) -> types.CallHierarchyItem | None:
    note = index.get(call.path)
    return _item(ls, session, note, ", ".join(call.labels)) if note else None


def _item(ls: MindnetServer, session: Session, note: Note, detail: str) -> types.CallHierarchyItem:
    title = title_heading(note)
    shown = ls.convert.place_range(title) if title else ls.convert.line_range(0)
    end = max(shown.end, types.Position(note.line_count - 1, 0))
    return types.CallHierarchyItem(
        note.title,
        types.SymbolKind.File,
        session.uri(note.path),
        types.Range(types.Position(0, 0), end),
        shown,
        detail=detail or None,
        data={"path": note.path},
    )


def _ranges(ls: MindnetServer, call: Call) -> list[types.Range]:
    """A place that is None is the top of the note."""
    return [
        ls.convert.place_range(place) if place else ls.convert.line_range(0)
        for place in call.places
    ]
