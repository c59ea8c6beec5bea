"""Where offsets are: line, column, and the extra units of UTF-8 and UTF-16."""

from __future__ import annotations


def flatten(text: str) -> str:
    """`text` with `\\n` as its only line end, every offset unchanged.

    `\\r\\n` becomes a blank and `\\n`, a lone `\\r` becomes `\\n`: so patterns need to
    know one line end, and a blank before it never belongs to anything.
    """
    if "\r" not in text:
        return text
    return text.replace("\r\n", " \n").replace("\r", "\n")


class Places:
    """Positions in a flattened text, cheap for offsets that come in rising order.

    Newlines are counted from one offset to the next; wide characters are counted only
    in lines that have any, and each stretch of a line once.
    """

    __slots__ = ("_ascii", "_at", "_line", "_next", "_start", "_text", "_wide8", "_wide16")

    def __init__(self, flat: str, *, ascii_only: bool, start: int = 0, line: int = 0) -> None:
        """`start` is where `line` begins."""
        self._text = flat
        self._ascii = ascii_only
        self._line = line
        self._at = self._wide8 = self._wide16 = 0
        self._enter(start)

    def at(self, offset: int) -> tuple[int, int, int, int]:
        """`(line, column, wide8, wide16)` of `offset`, as in `model.Place`."""
        if not self._start <= offset < self._next:
            self._move(offset)
        if self._ascii:
            return self._line, offset - self._start, 0, 0
        if offset < self._at:
            self._at, self._wide8, self._wide16 = self._start, 0, 0
        part = self._text[self._at : offset]
        self._at = offset
        if not part.isascii():
            size = len(part)
            self._wide8 += len(part.encode("utf-8", "surrogatepass")) - size
            self._wide16 += len(part.encode("utf-16-le", "surrogatepass")) // 2 - size
        return self._line, offset - self._start, self._wide8, self._wide16

    def _move(self, offset: int) -> None:
        text = self._text
        if offset >= self._next:
            self._line += 1 + text.count("\n", self._next, offset)
            self._enter(text.rfind("\n", self._next - 1, offset) + 1)
        else:
            self._line -= text.count("\n", offset, self._start)
            self._enter(text.rfind("\n", 0, offset) + 1)

    def _enter(self, start: int) -> None:
        end = self._text.find("\n", start)
        self._start = start
        self._next = len(self._text) + 1 if end < 0 else end + 1
        self._at, self._wide8, self._wide16 = start, 0, 0
