"""What only the text tells and the parsed note does not hold: footnotes, and labels of
reference links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.features.document import Document
from core.model import DEFINITION, REFERENCE, Link, Place, Span
from core.parse.links import label_key
from core.parse.places import Places, flatten
from core.parse.scan import Body

_FOOTNOTE = re.compile(r"\[\^([^\[\]\s^]+)\](:?)")
_FIRST_IN_LINE = re.compile(r"[ \t>]{0,8}")
_DEFINED = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\]:")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\](?:\[\])?$", re.DOTALL)


class Label(NamedTuple):
    """The label of a reference link, or of its definition; `key` is how labels compare."""

    span: Span
    key: str
    link: Link

    @property
    def is_definition(self) -> bool:
        return self.link.form == DEFINITION


class Footnote(NamedTuple):
    """`[^label]`; `span` is the label. `whole` is all of the mark."""

    span: Span
    label: str
    is_definition: bool
    whole: Span


def label_of(link: Link) -> Label | None:
    """The label of a reference link or definition, None for any other link."""
    if link.form == DEFINITION:
        found = _DEFINED.match(link.raw)
    elif link.form == REFERENCE:
        found = _LABEL.search(link.raw)
    else:
        return None
    if found is None:
        return None
    span = Span(link.start + found.start(1), link.start + found.end(1))
    return Label(span, label_key(found[1]), link)


def labels_like(document: Document, label: Label) -> Iterator[Label]:
    """All labels of the document that compare equal, in order."""
    for link in document.note.links:
        found = label_of(link)
        if found is not None and found.key == label.key:
            yield found


def footnote_at(document: Document, offset: int) -> Footnote | None:
    """The footnote mark that a cursor at `offset` touches; None in code and comments."""
    lines = document.lines
    number = lines.line_at(offset)
    for found in _FOOTNOTE.finditer(document.text, lines.start(number), lines.end(number)):
        if found.start() <= offset <= found.end():
            start = found.start()
            return next((note for note in footnotes(document) if note.whole.start == start), None)
    return None


def footnotes(document: Document) -> Iterator[Footnote]:
    """All footnote marks of the document in order, those in code and comments left out."""
    text, start = document.text, document.note.body_start
    if "[^" not in text:
        return
    regions = Body(flatten(text), start).regions
    for found in _FOOTNOTE.finditer(text, start):
        if regions.is_dead(found.start()):
            continue
        before = text[document.lines.start(document.lines.line_at(found.start())) : found.start()]
        defines = bool(found[2]) and _FIRST_IN_LINE.fullmatch(before) is not None
        yield Footnote(
            Span(*found.span(1)), found[1], defines, Span(found.start(), found.end(1) + 1)
        )


def place_at(document: Document, span: Span) -> Place:
    """A span of the document as a place."""
    return next(places_of(document, (span,)))


def places_of(document: Document, spans: Iterable[Span]) -> Iterator[Place]:
    """Spans of the document as places; cheap where they come in order."""
    text = document.text
    places = Places(flatten(text), ascii_only=text.isascii())
    for span in spans:
        line, col, wide8, wide16 = places.at(span.start)
        yield Place(span.start, line, col, text[span.start : span.end], wide8, wide16)
