"""textDocument/documentHighlight and linkedEditingRange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.document_highlight import document_highlights
from core.features.linked_editing import linked_ranges

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

_KINDS = {
    "text": types.DocumentHighlightKind.Text,
    "read": types.DocumentHighlightKind.Read,
    "write": types.DocumentHighlightKind.Write,
}


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(document_highlight)
    ls.feature(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE)(linked_editing_range)


async def document_highlight(
    ls: MindnetServer, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    found = await ls.off_loop(
        view, document_highlights, view.index, view.document, view.offset(params.position)
    )
    # null leaves it to the editor to mark equal words
    return [types.DocumentHighlight(view.range(h.span), _KINDS[h.kind]) for h in found] or None


async def linked_editing_range(
    ls: MindnetServer, params: types.LinkedEditingRangeParams
) -> types.LinkedEditingRanges | None:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    found = await ls.off_loop(
        view, linked_ranges, view.index, view.document, view.offset(params.position)
    )
    if found is None:
        return None
    return types.LinkedEditingRanges([view.range(span) for span in found.spans], found.pattern)
