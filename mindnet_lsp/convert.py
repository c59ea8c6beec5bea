"""Code-point offsets to LSP positions and back: the only place that knows the units.

The core counts code points; a client counts UTF-8 bytes, UTF-16 units or code points, as
negotiated. A `Place` knows how much wider the text before it is, so positions in closed
notes need no file to be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lsprotocol import types

from core.model import Place, Span
from core.text import LineIndex

UTF8 = "utf-8"
UTF16 = "utf-16"
UTF32 = "utf-32"

Numbers = tuple[int, int, int, int]
"""Line and character of a start and of an end."""

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Converter:
    """Positions in one encoding. Positions outside the text are clamped to it, as the
    protocol says: behind the end of a line means its end."""

    __slots__ = ("encoding",)

    def __init__(self, encoding: str = UTF16) -> None:
        self.encoding = encoding

    def position(self, lines: LineIndex, offset: int) -> types.Position:
        """The position of an offset into the text of `lines`."""
        offset = min(max(offset, 0), len(lines.text))
        line = lines.line_at(offset)
        start = lines.start(line)
        # an offset between \r and \n is the end of the line
        offset = min(offset, lines.end(line))
        return types.Position(line, self._units(lines.text[start:offset]))

    def range(self, lines: LineIndex, span: Span) -> types.Range:
        """The range of a span of the text of `lines`."""
        return types.Range(self.position(lines, span.start), self.position(lines, span.end))

    def numbers(self, lines: LineIndex, span: Span) -> Numbers:
        """The range of a span as plain numbers, for answers with very many of them."""
        start, end = self.position(lines, span.start), self.position(lines, span.end)
        return start.line, start.character, end.line, end.character

    def offset(self, lines: LineIndex, position: types.Position) -> int:
        """The offset of a position; one inside a character is in front of it."""
        if position.line >= len(lines):
            return len(lines.text)
        start = lines.start(position.line)
        if position.line < 0 or position.character <= 0:
            return start
        return start + self._chars(lines.line(position.line), position.character)

    def span(self, lines: LineIndex, wanted: types.Range) -> Span:
        """The span of a range; empty at its start where the range is reversed."""
        start = self.offset(lines, wanted.start)
        return Span(start, max(start, self.offset(lines, wanted.end)))

    def place_position(self, place: Place, at: int = 0) -> types.Position:
        """The position of `place.raw[at]`, without the note's text."""
        before = place.raw[: max(at, 0)]
        if "\n" in before or "\r" in before:
            own = LineIndex(before)
            last = len(own) - 1
            return types.Position(place.line + last, self._units(own.line(last)))
        return types.Position(place.line, place.col + self._wider(place) + self._units(before))

    def place_range(self, place: Place, start: int = 0, end: int | None = None) -> types.Range:
        """The range of `place.raw[start:end]`, without the note's text."""
        line, column, end_line, end_column = self.place_numbers(place, start, end)
        return types.Range(types.Position(line, column), types.Position(end_line, end_column))

    def place_numbers(self, place: Place, start: int = 0, end: int | None = None) -> Numbers:
        """The same as plain numbers, for answers with very many places."""
        raw = place.raw
        end = len(raw) if end is None else end
        if 0 <= start <= end and "\n" not in raw and "\r" not in raw:
            line, column = place.line, place.col + self._wider(place)
            before = column + self._units(raw[:start])
            return line, before, line, before + self._units(raw[start:end])
        first, last = self.place_position(place, start), self.place_position(place, end)
        return first.line, first.character, last.line, last.character

    def token_data(
        self, lines: LineIndex, tokens: Iterable[tuple[int, int, int, int]]
    ) -> list[int]:
        """Semantic tokens as the protocol sends them: five numbers each, relative to the one
        before. `tokens` are `(start, end, type, modifiers)` in the order of the text, with
        offsets; one that goes over several lines becomes one in each of them."""
        data: list[int] = []
        line, at, column = 0, 0, 0
        last_line, last_column = 0, 0
        for start, end, kind, modifiers in tokens:
            while start < end:
                if start > lines.end(line) or start < at:
                    line = lines.line_at(start)
                    at, column = lines.start(line), 0
                stop = min(end, lines.end(line))
                if stop > start:
                    column += self._units(lines.text[at:start])
                    length = self._units(lines.text[start:stop])
                    if line != last_line:
                        last_column = 0
                    data += (line - last_line, column - last_column, length, kind, modifiers)
                    last_line, last_column, at = line, column, start
                start = lines.start(line + 1) if end > stop else end
        return data

    def line_range(self, line: int) -> types.Range:
        """The empty range at the start of a line."""
        return types.Range(types.Position(line, 0), types.Position(line, 0))

    def _wider(self, place: Place) -> int:
        if self.encoding == UTF8:
            return place.wide8
        return place.wide16 if self.encoding == UTF16 else 0

    def _units(self, text: str) -> int:
        """Length of `text` in the client's units."""
        if self.encoding == UTF32 or text.isascii():
            return len(text)
        if self.encoding == UTF8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def _chars(self, text: str, units: int) -> int:
        """How many characters of `text` fit into `units`, at most all."""
        if self.encoding == UTF32 or text.isascii():
            return min(units, len(text))
        if self.encoding == UTF8:
            data = text.encode("utf-8", "surrogatepass")
            end = min(units, len(data))
            while 0 < end < len(data) and data[end] & 0xC0 == 0x80:
                end -= 1
            return len(data[:end].decode("utf-8", "surrogatepass"))
        data = text.encode("utf-16-le", "surrogatepass")
        end = min(units * 2, len(data))
        if 0 < end < len(data) and data[end + 1] & 0xFC == 0xDC and data[end - 1] & 0xFC == 0xD8:
            end -= 2
        return len(data[:end].decode("utf-16-le", "surrogatepass"))


def apply_changes(
    text: str, changes: list[types.TextDocumentContentChangeEvent], convert: Converter
) -> str:
    """The text after the changes of one `didChange`, each on the result of the one before.

    Many changes at once come with the last place first (VS Code): what is in front of an earlier
    one has not moved, so its lines are not counted again. `rangeLength` is deprecated and ignored.
    """
    lines, before = None, (0, 0)
    for change in changes:
        if isinstance(change, types.TextDocumentContentChangePartial):
            start, end = change.range.start, change.range.end
            if lines is None or max(_key(start), _key(end)) >= before:
                lines = LineIndex(text)
            span = convert.span(lines, change.range)
            before = _key(convert.position(lines, span.start))
            text = text[: span.start] + change.text + text[span.end :]
            # halves of a surrogate pair that meet are one character, as they are for the client
            if _PAIR.search(text, max(span.start - 1, 0), span.start + len(change.text) + 1):
                text = text.encode("utf-16-le", "surrogatepass").decode(
                    "utf-16-le", "surrogatepass"
                )
        else:
            text, lines = change.text, None
    return text


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character
