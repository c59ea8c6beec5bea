"""textDocument/documentHighlight: the same thing elsewhere in the note."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from core.features.context import LinkPart
from core.features.document import Document
from core.features.linkage import Linked, anchor_span, linked, target_span
from core.features.pointed import Value, pointed_at
from core.features.references import title_heading
from core.features.results_places import Highlight, HighlightKind
from core.features.written import Footnote, Label, footnotes, labels_like
from core.model import Block, Heading, KindMention, Link, Span, Tag
from core.text import fold
from core.vault.index import VaultIndex


def document_highlights(
    index: VaultIndex, document: Document, offset: int
) -> tuple[Highlight, ...]:
    """The places of the document that mean what is under the cursor, itself among them, in
    order; empty on plain text.

    On the heading or block of a link it is that, elsewhere on a link its note or file. What
    gives the thing its name (a heading, a block id, the line that defines a label) is
    `write`, links to it are `read`, what has no such place is `text`.
    """
    pointed, note = pointed_at(document, offset), document.note
    found: Iterator[Highlight]
    match pointed:
        case LinkPart():
            found = _like_link(index, document, pointed)
        case Heading() | Block() if pointed is not title_heading(note):
            found = _to_place(index, document, pointed)
        case Heading():
            found = _to_note(index, document, document.path)
        case Tag():
            wanted = fold(pointed.name)
            found = _texts(tag.span for tag in note.tags if fold(tag.name) == wanted)
        case KindMention():
            found = _texts(other.span for other in note.kinds if other.kind == pointed.kind)
        case Label():
            found = _labels(document, pointed)
        case Footnote():
            found = _footnotes(document, pointed)
        case Value() if pointed.key == "id":
            own_id = Highlight(pointed.scalar.span, "write")
            found = chain((own_id,), _to_note(index, document, document.path))
        case _:
            return ()
    shown = set(found)
    if isinstance(pointed, LinkPart) and not any(one.span.touches(offset) for one in shown):
        # on the text of a link, or its brackets: there all of it
        own = pointed.link.span
        shown = {one for one in shown if not own.start <= one.span.start < own.end}
        shown.add(Highlight(own, "read"))
    return tuple(sorted(shown, key=lambda one: (one.span.start, one.span.end)))


def _like_link(index: VaultIndex, document: Document, pointed: LinkPart) -> Iterator[Highlight]:
    link = pointed.link
    found = linked(index, link, document.note)
    if found.place is not None and (pointed.part in ("heading", "block") or not link.target):
        yield from _to_place(index, document, found.place, found.resolution.path)
    elif found.note is not None:
        yield from _to_note(index, document, found.note.path)
    else:
        # a missing note, or a file
        for other, meaning in _meanings(index, document):
            same = (
                meaning.attachment == found.attachment
                if found.attachment
                else meaning.note is None and fold(other.target) == fold(link.target)
            )
            if same:
                yield _target(other, meaning)


def _to_note(index: VaultIndex, document: Document, path: str) -> Iterator[Highlight]:
    if path == document.path and (title := title_heading(document.note)):
        yield Highlight(title.span, "write")
    for link, meaning in _meanings(index, document):
        if link.target and meaning.resolution.path == path:
            yield _target(link, meaning)


def _to_place(
    index: VaultIndex, document: Document, place: Heading | Block, path: str | None = None
) -> Iterator[Highlight]:
    path = path or document.path
    if path == document.path:
        yield Highlight(place.span, "write")
    for link, meaning in _meanings(index, document):
        if meaning.place == place and meaning.resolution.path == path:
            start, end = anchor_span(link, meaning.resolution)
            yield Highlight(Span(link.start + start, link.start + end), "read")


def _labels(document: Document, label: Label) -> Iterator[Highlight]:
    for other in labels_like(document, label):
        yield Highlight(other.span, "write" if other.is_definition else "read")


def _footnotes(document: Document, footnote: Footnote) -> Iterator[Highlight]:
    for other in footnotes(document):
        if other.label == footnote.label:
            yield Highlight(other.span, "write" if other.is_definition else "read")


def _meanings(index: VaultIndex, document: Document) -> Iterator[tuple[Link, Linked]]:
    for link in document.note.links:
        yield link, linked(index, link, document.note)


def _target(link: Link, meaning: Linked) -> Highlight:
    start, end = target_span(link, meaning.resolution)
    if start == end:
        # `[[label|#heading]]` names no note
        return Highlight(link.span, "read")
    return Highlight(Span(link.start + start, link.start + end), "read")


def _texts(spans: Iterator[Span]) -> Iterator[Highlight]:
    kind: HighlightKind = "text"
    return (Highlight(span, kind) for span in spans)
