"""textDocument/foldingRange and textDocument/selectionRange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.folding_range import folding_ranges, limited
from core.features.selection_range import selection_ranges
from core.features.view_results import Fold
from core.model import Span

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)(folding_range)
    ls.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)(selection_range)


async def folding_range(
    ls: MindnetServer, params: types.FoldingRangeParams
) -> list[types.FoldingRange] | None:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    found = await ls.off_loop(view, folding_ranges, view.document)
    return [_fold(ls, view, fold) for fold in limited(found, ls.facts.fold_limit)]


async def selection_range(
    ls: MindnetServer, params: types.SelectionRangeParams
) -> list[types.SelectionRange] | None:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    offsets = [view.offset(position) for position in params.positions]
    found = await ls.off_loop(view, selection_ranges, view.document, offsets)
    return [_nested(view, spans) for spans in found]


def _fold(ls: MindnetServer, view: View, fold: Fold) -> types.FoldingRange:
    facts, lines = ls.facts, view.document.lines
    kind = types.FoldingRangeKind(fold.kind) if fold.kind in facts.fold_kinds else None
    text = None
    if facts.fold_text:
        text = f"{lines.line(fold.first).rstrip()} … {fold.last - fold.first}"
    found = types.FoldingRange(fold.first, fold.last, kind=kind, collapsed_text=text)
    if not facts.folds_lines_only:
        found.start_character = view.convert.position(lines, lines.end(fold.first)).character
        found.end_character = view.convert.position(lines, lines.end(fold.last)).character
    return found


def _nested(view: View, spans: tuple[Span, ...]) -> types.SelectionRange:
    """The smallest range, with the larger ones as its parents."""
    found: types.SelectionRange | None = None
    for span in reversed(spans):
        shown = view.range(span)
        if found is None or shown != found.range:
            found = types.SelectionRange(shown, found)
    assert found is not None, "the whole note is always there"
    return found
