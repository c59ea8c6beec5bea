"""textDocument/linkedEditingRange: what changes together while somebody types."""

from __future__ import annotations

from collections.abc import Iterator

from core.features.context import LinkPart
from core.features.document import Document
from core.features.linkage import linked
from core.features.pointed import pointed_at
from core.features.results_places import LinkedRanges
from core.features.written import Footnote, Label, footnotes, labels_like
from core.model import WIKILINK, Block, Heading, Span
from core.vault.index import VaultIndex

HEADING = r"[^\[\]|#^\\\r\n]+"
BLOCK_ID = "[A-Za-z0-9-]+"
LABEL = r"[^\[\]\\\r\n]+"
FOOTNOTE = r"[^\[\]\s^]+"


def linked_ranges(index: VaultIndex, document: Document, offset: int) -> LinkedRanges | None:
    """The places that have to stay equal to the one at `offset`, itself among them.

    A heading and the wikilinks of the same note that name it, a block id and its links, the
    label of reference links and of their definition, a footnote's marks. Only where the
    texts are the same letter by letter; None where there is but one.
    """
    pointed = pointed_at(document, offset)
    place = pointed
    if isinstance(pointed, LinkPart) and pointed.part in ("heading", "block"):
        found = linked(index, pointed.link, document.note)
        place = found.place if found.note is document.note else None
    spans: Iterator[Span]
    match place:
        case Heading():
            spans, pattern = _heading(index, document, place), HEADING
        case Block():
            spans, pattern = _block(index, document, place), BLOCK_ID
        case Label():
            spans, pattern = (label.span for label in labels_like(document, place)), LABEL
        case Footnote():
            same = (mark for mark in footnotes(document) if mark.label == place.label)
            spans, pattern = (mark.span for mark in same), FOOTNOTE
        case _:
            return None
    return _equal(document, offset, sorted(spans, key=lambda span: span.start), pattern)


def _heading(index: VaultIndex, document: Document, heading: Heading) -> Iterator[Span]:
    yield heading.span
    for link in document.note.links:
        if link.form == WIKILINK and link.heading == heading.raw:
            found = linked(index, link, document.note)
            if found.place is heading:
                yield Span(link.start + link.anchor_at, link.start + link.anchor_end)


def _block(index: VaultIndex, document: Document, block: Block) -> Iterator[Span]:
    yield Span(block.start + 1, block.end)
    for link in document.note.links:
        if link.block == block.id and link.raw[link.anchor_at : link.anchor_end] == block.raw:
            found = linked(index, link, document.note)
            if found.place is block:
                yield Span(link.start + link.anchor_at + 1, link.start + link.anchor_end)


def _equal(document: Document, offset: int, spans: list[Span], pattern: str) -> LinkedRanges | None:
    """Those that read like the one at `offset`."""
    here = next((span for span in spans if span.touches(offset)), None)
    if here is None:
        return None
    text = document.text
    wanted = text[here.start : here.end]
    same = tuple(span for span in spans if text[span.start : span.end] == wanted)
    return LinkedRanges(same, pattern) if len(same) > 1 else None
