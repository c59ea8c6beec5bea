"""textDocument/prepareCallHierarchy, callHierarchy/incomingCalls and outgoingCalls."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.config.relations import RelationsConfig
from core.features.call_hierarchy import incoming_calls, note_at, outgoing_calls
from core.features.references import title_heading
from core.features.view_results import Call
from core.locale import Locale
from core.model import Note
from core.vault.index import VaultIndex
from mindnet_lsp.prepared import Json

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

_Find = Callable[[VaultIndex, str, RelationsConfig, Locale], tuple[Call, ...]]
_Form = types.CallHierarchyIncomingCall | types.CallHierarchyOutgoingCall


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)(prepare)
    ls.feature(types.CALL_HIERARCHY_INCOMING_CALLS)(incoming)
    ls.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)(outgoing)


async def prepare(
    ls: MindnetServer, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    path = note_at(view.index, view.document, view.offset(params.position))
    note = None if path is None else view.index.get(path)
    return [_item(ls, view.session, note, note.folder)] if note else None


async def incoming(ls: MindnetServer, params: types.CallHierarchyIncomingCallsParams) -> Any:
    return await _answer(ls, params.item, incoming_calls, types.CallHierarchyIncomingCall)


async def outgoing(ls: MindnetServer, params: types.CallHierarchyOutgoingCallsParams) -> Any:
    return await _answer(ls, params.item, outgoing_calls, types.CallHierarchyOutgoingCall)


async def _answer(
    ls: MindnetServer, item: types.CallHierarchyItem, find: _Find, form: Callable[..., _Form]
) -> Json:
    """The neighbours of the note of `item`; none for one that is gone."""
    known = _known(ls, item)
    if known is None:
        return Json("[]")
    return await ls.scheduler.in_thread(_calls, ls, *known, find, form)


def _calls(
    ls: MindnetServer, session: Session, index: VaultIndex, path: str, find: _Find,
    form: Callable[..., _Form],
) -> Json:  # fmt: skip
    """As JSON text, made in a worker thread: a hub has thousands."""
    found = []
    for call in find(index, path, session.config.relations, ls.locale(session)):
        note = index.get(call.path)
        if note is not None:
            other = _item(ls, session, note, ", ".join(call.labels))
            found.append(form(other, _ranges(ls, call)))
    return Json(json.dumps(ls.protocol._converter.unstructure(found)))


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
