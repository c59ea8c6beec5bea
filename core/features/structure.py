"""The blocks of a note as their reader sees them: lists, quotes, tables, paragraphs, code.

What is code, a comment or a heading the parser has decided; this only looks at the lines
between. Blocks nest: an item may hold a list, a quote a table.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Generator
from typing import Literal, NamedTuple

from core.features.document import Document
from core.features.surroundings import DELIMITER_ROW
from core.model import Span
from core.parse import blocks
from core.parse.places import flatten
from core.parse.scan import Body

BlockKind = Literal[
    "code", "comment", "math", "quote", "list", "item", "table", "row", "paragraph"
]  # fmt: skip

DEEPEST = 24
"""Levels of nesting that are followed; what lies deeper is text."""

_ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){2,}|(?:_[ \t]*){3,}|=+[ \t]*)$")
_QUOTE = re.compile(r"[ \t]*>[ \t]?")
_BLANKS = re.compile(r"[ \t]*")
_MARKS = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*[ \t\n]*")
_TAB = 4


class Part(NamedTuple):
    """A block from `start` to `end`, without blanks and line ends around it; it stands on the
    lines `first` to `last`."""

    kind: BlockKind
    start: int
    end: int
    first: int
    last: int


class Structure(NamedTuple):
    """`parts` in the order of the text, an outer one before the inner ones. `regions` are the
    ranges of code, comments and math, also within lines, in order."""

    parts: tuple[Part, ...]
    regions: tuple[Span, ...]


class _Line(NamedTuple):
    """A line as the block around it sees it: its marks are left out."""

    number: int
    start: int


_Parts = Generator[Part, None, int]
"""Yields blocks; returns how many of the lines are read."""


def structure(document: Document) -> Structure:
    """The blocks of the body of a note; linear in its text."""
    note, lines = document.note, document.lines
    body = Body(flatten(document.text), note.body_start)
    reader = _Reader(document, body)
    first = lines.line_at(note.body_start) if note.body_start < len(body.flat) else len(lines)
    parts = [*reader.read([_Line(n, lines.start(n)) for n in range(first, len(lines))], 0)]
    parts.sort(key=lambda part: (part.start, -part.end))
    return Structure(tuple(parts), tuple(Span(*region) for region in body.regions.dead))


def region_kind(text: str, start: int) -> BlockKind:
    """What a region of the parser that begins at `start` is."""
    if text.startswith(("<!--", "%%"), start):
        return "comment"
    return "math" if text.startswith("$", start) else "code"


class _Reader:
    """Reads lines of one body into blocks."""

    def __init__(self, document: Document, body: Body) -> None:
        self.flat, self.lines = body.flat, document.lines
        self.headings = {heading.line for heading in document.note.headings}
        self.regions: dict[int, tuple[int, int]] = {}
        for start, end in body.regions.dead:
            if self.flat.find("\n", start, end) >= 0 or blocks.FENCE.match(self.flat, start):
                self.regions.setdefault(self.lines.line_at(start), (start, end))

    def read(self, rest: list[_Line], depth: int) -> _Parts:
        """The blocks of these lines, which are all that is in one container."""
        at = 0
        while at < len(rest):
            line = rest[at]
            text = self.text(line)
            if not text or line.number in self.headings:
                at += 1
            elif (region := self.region_at(line)) is not None:
                yield region
                at = self.behind(rest, at, region.last)
            elif _RULE.match(text):
                at += 1
            elif text[0] == ">" and depth < DEEPEST:
                at = yield from self.quote(rest, at, depth)
            elif depth < DEEPEST and self.item(line):
                at = yield from self.bullets(rest, at, depth)
            elif self.is_table(rest, at):
                at = yield from self.table(rest, at)
            else:
                at = yield from self.paragraph(rest, at, depth)
        return at

    def quote(self, rest: list[_Line], begin: int, depth: int) -> _Parts:
        at, inner = begin, []
        while at < len(rest):
            line = rest[at]
            mark = _QUOTE.match(self.flat, line.start, self.lines.end(line.number))
            if mark is None:
                break
            inner.append(_Line(line.number, mark.end()))
            at += 1
        yield self.over("quote", rest[begin:at])
        yield from self.read(inner, depth + 1)
        return at

    def bullets(self, rest: list[_Line], begin: int, depth: int) -> _Parts:
        """A list with its items. More deeply indented items belong to the one above them,
        however deep: people count blanks in many ways."""
        at, kind, left = begin, "", 0
        items: list[tuple[Part, list[_Line]]] = []
        while at < len(rest) and (mark := self.item(rest[at])):
            column = _columns(mark[1])
            if items and (column < left or mark[2][-1] != kind):
                break
            if not items:
                kind, left = mark[2][-1], column
            end, inner = self.item_lines(rest, at, mark)
            items.append((self.over("item", rest[at:end]), inner))
            at = end
            while at < len(rest) and not self.text(rest[at]):
                at += 1
        yield self.part("list", items[0][0].start, items[-1][0].end)
        for own, inner in items:
            yield own
            yield from self.read(inner, depth + 1)
        return at

    def item_lines(
        self, rest: list[_Line], begin: int, mark: re.Match[str]
    ) -> tuple[int, list[_Line]]:
        """Where the item that begins at `begin` ends, and its lines without the marks."""
        column, content = _columns(mark[1]), _columns(mark[0])
        at = end = self.behind(rest, begin, self.region_end(rest[begin]))
        inner = [_Line(rest[begin].number, mark.end())]
        inner += [self.inside(line, content) for line in rest[begin + 1 : at]]
        lazy = True
        while at < len(rest):
            line = rest[at]
            text = self.text(line)
            if text:
                item = self.item(line)
                blanks = _BLANKS.match(self.flat, line.start)
                indent = _columns(blanks[0]) if blanks else 0
                outside = line.number in self.headings or (
                    indent <= column if item else indent < content
                )
                ends = item or line.number in self.headings or _starts_block(text)
                if outside and (not lazy or ends):
                    break
                after = self.behind(rest, at, self.region_end(line))
                inner += [self.inside(other, content) for other in rest[at:after]]
                at = end = after
            else:
                inner.append(line)
                at += 1
            lazy = bool(text)
        return end, inner

    def inside(self, line: _Line, content: int) -> _Line:
        """The line without the blanks that put it into an item."""
        start, column = line.start, 0
        while column < content and self.flat[start : start + 1] in (" ", "\t"):
            column += _TAB - column % _TAB if self.flat[start] == "\t" else 1
            start += 1
        return _Line(line.number, start)

    def is_table(self, rest: list[_Line], at: int) -> bool:
        if at + 1 >= len(rest) or "|" not in self.text(rest[at]):
            return False
        below = self.text(rest[at + 1])
        return "-" in below and "|" in below and DELIMITER_ROW.match(below) is not None

    def table(self, rest: list[_Line], begin: int) -> _Parts:
        at = begin + 2
        while at < len(rest) and "|" in self.text(rest[at]):
            at += 1
        yield self.over("table", rest[begin:at])
        for row in (rest[begin], *rest[begin + 2 : at]):
            yield self.over("row", [row])
        return at

    def paragraph(self, rest: list[_Line], begin: int, depth: int) -> _Parts:
        at = begin
        while at < len(rest):
            line = rest[at]
            text = self.text(line)
            if not text or line.number in self.headings:
                break
            if at > begin and (
                _starts_block(text)
                or (depth < DEEPEST and self.item(line))
                or self.region_at(line)
                or self.is_table(rest, at)
            ):
                break
            at = self.behind(rest, at, self.region_end(line))
        yield self.over("paragraph", rest[begin:at])
        return at

    def text(self, line: _Line) -> str:
        """What stands in the line, without blanks around it."""
        return self.flat[line.start : self.lines.end(line.number)].strip(" \t")

    def item(self, line: _Line) -> re.Match[str] | None:
        mark = _ITEM.match(self.flat, line.start, self.lines.end(line.number))
        return None if mark is None or _RULE.match(self.text(line)) else mark

    def region_at(self, line: _Line) -> Part | None:
        """The code, comment or formula that fills this line and those up to its end."""
        found = self.regions.get(line.number)
        if found is None:
            return None
        marks = _MARKS.match(self.flat, found[0])
        first = max(marks.end() if marks else found[0], line.start)
        last = self.lines.line_at(max(found[1] - 1, first))
        if self.flat[line.start : first].strip(" \t\n"):
            return None
        if self.flat[found[1] : self.lines.end(last)].strip(" \t"):
            return None
        return self.part(region_kind(self.flat, first), first, found[1])

    def region_end(self, line: _Line) -> int:
        """The line with which ends what begins in this line and goes on."""
        found = self.regions.get(line.number)
        return line.number if found is None else self.lines.line_at(max(found[1] - 1, found[0]))

    def behind(self, rest: list[_Line], at: int, last: int) -> int:
        """The first of the lines from `at` on that is below line `last`, at least the next."""
        return min(len(rest), bisect_left(rest, (last + 1,), at + 1))

    def over(self, kind: BlockKind, some: list[_Line]) -> Part:
        return self.part(kind, some[0].start, self.lines.end(some[-1].number))

    def part(self, kind: BlockKind, start: int, end: int) -> Part:
        """A block without the blanks at its ends."""
        inner = self.flat[start:end]
        end = start + len(inner.rstrip())
        start = min(start + len(inner) - len(inner.lstrip()), end)
        return Part(kind, start, end, self.lines.line_at(start), self.lines.line_at(end))


def _starts_block(text: str) -> bool:
    """Whether a line cannot go on with the paragraph above it."""
    return text[0] == ">" or (text[0] in "-*_" and _RULE.match(text) is not None)


def _columns(blanks: str) -> int:
    return len(blanks.expandtabs(_TAB))
