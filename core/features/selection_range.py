"""textDocument/selectionRange: from the word under the cursor to the whole note, step by step.

Word, part of a link, link, sentence, paragraph (or item, cell, row, ...), section, note; in
frontmatter value, property, frontmatter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from core.features.context import part_at
from core.features.document import Document
from core.features.structure import Part, Structure, structure
from core.model import Heading, Link, Property, Span
from core.text import LineIndex

_WORD = re.compile(r"[\w\u0300-\u036f'’-]*\w")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s+[^\sa-zäöüß])|[。！？]+[」』”’）]*")
_SHORT = re.compile(r"(?:^|[\s(])(?:\w|\d+)\.$")
"""The full stop of `z. B.`, of a day or of a numbered thing."""
_PIPE = re.compile(r"(?<!\\)\|")


def selection_ranges(document: Document, offsets: Iterable[int]) -> tuple[tuple[Span, ...], ...]:
    """For each offset the ranges around it, from the smallest to the whole note.

    Each lies within the next one and is smaller. All hold the offset, at their edges too.
    """
    found = structure(document)
    sections = _Sections(document)
    return tuple(_nested(document, found, sections, offset) for offset in offsets)


def _nested(
    document: Document, found: Structure, sections: _Sections, offset: int
) -> tuple[Span, ...]:
    whole = Span(0, len(document.text))
    around = [
        span
        for span in _around(document, found, sections, offset)
        if span.start <= offset <= span.end and span.start < span.end
    ]
    # of two with one length, the one that the cursor is in front of
    around.sort(key=lambda span: (span.end - span.start, -span.start))
    chain: list[Span] = []
    for span in (*around, whole):
        if not chain or _within(chain[-1], span):
            chain.append(span)
    return tuple(chain)


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end and inner != outer


def _around(
    document: Document, found: Structure, sections: _Sections, offset: int
) -> Iterator[Span]:
    text, lines, note = document.text, document.lines, document.note
    yield from _word(text, lines, offset)
    for place in (*note.links, *note.tags, *note.kinds, *note.blocks, *note.callouts):
        if place.touches(offset):
            yield place.span
            if isinstance(place, Link):
                yield part_at(place, offset).span
    if document.in_frontmatter(offset) and note.frontmatter:
        yield Span(note.frontmatter.start, note.frontmatter.end)
        yield from _property(note.frontmatter.properties, lines, offset)
        return
    for region in found.regions:
        if region.touches(offset):
            yield region
    for part in found.parts:
        if part.start <= offset <= part.end:
            yield Span(part.start, part.end)
            if part.kind == "paragraph":
                yield from _sentence(document, part, offset)
            elif part.kind == "row":
                yield from _cell(text, part, offset)
    yield from sections.at(offset)


def _word(text: str, lines: LineIndex, offset: int) -> Iterator[Span]:
    line = lines.line_at(offset)
    for match in _WORD.finditer(text, lines.start(line), lines.end(line)):
        if match.start() <= offset <= match.end():
            yield Span(*match.span())
        elif match.start() > offset:
            return


def _property(properties: Sequence[Property], lines: LineIndex, offset: int) -> Iterator[Span]:
    for prop in properties:
        last = lines.end(prop.last_line)
        end = max([prop.end, *(value.end for value in prop.values)])
        if prop.nested:
            end = last
        if prop.start <= offset <= max(end, last):
            yield prop.span
            yield Span(prop.start, max(end, offset))
            for value in prop.values:
                if value.touches(offset):
                    yield value.span
                    if value.raw[:1] in ("'", '"') and len(value.raw) > 1:
                        yield Span(value.start + 1, value.end - 1)


def _sentence(document: Document, part: Part, offset: int) -> Iterator[Span]:
    """The sentence of a paragraph; a full stop within a link ends none."""
    text = document.text
    links = [link for link in document.note.links if part.start <= link.start < part.end]
    cuts = [part.start]
    for match in _SENTENCE_END.finditer(text, part.start, part.end):
        if _SHORT.search(text[max(part.start, match.end() - 8) : match.end()]):
            continue
        if not any(link.start < match.end() < link.end for link in links):
            cuts.append(match.end())
    cuts.append(part.end)
    for start, end in pairwise(cuts):
        start += len(text[start:end]) - len(text[start:end].lstrip())
        if start <= offset <= end:
            yield Span(start, end)


def _cell(text: str, row: Part, offset: int) -> Iterator[Span]:
    cuts = [match.start() for match in _PIPE.finditer(text, row.start, row.end)]
    for start, end in pairwise([row.start - 1, *cuts, row.end]):
        cell = text[start + 1 : end]
        begin = start + 1 + len(cell) - len(cell.lstrip())
        yield Span(begin, max(begin, start + 1 + len(cell.rstrip())))


class _Sections:
    """The sections of a note: headings alone, and with all that is below them."""

    def __init__(self, document: Document) -> None:
        self._spans: list[tuple[Heading, Span]] = []
        text, lines = document.text, document.lines
        open_: list[tuple[Heading, int]] = []
        for heading in document.note.headings:
            start = lines.start(heading.line)
            while open_ and open_[-1][0].level >= heading.level:
                self._close(text, *open_.pop(), start)
            open_.append((heading, start))
        while open_:
            self._close(text, *open_.pop(), len(text))

    def at(self, offset: int) -> Iterator[Span]:
        """The sections that hold `offset`, and the heading that it is on."""
        for heading, span in self._spans:
            if span.touches(offset):
                yield span
                if heading.touches(offset):
                    yield heading.span
                if offset <= heading.end:
                    yield Span(span.start, heading.end)

    def _close(self, text: str, heading: Heading, start: int, end: int) -> None:
        """Blank lines before the next heading belong to the section, so that they are in one."""
        self._spans.append((heading, Span(start, max(heading.end, end))))
