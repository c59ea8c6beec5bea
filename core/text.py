"""Text of a note: reading it from bytes, and its lines.

Line ends are `\n`, `\r\n` and `\r` and nothing else, as the protocol and the editors
have it (`str.splitlines` also splits at form feeds, U+2028 and others).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, whether bytes had to be replaced because they are not UTF-8, and
    whether the text encoded again is the file (nothing replaced, no BOM, no NUL)."""

    text: str
    replaced: bool
    exact: bool = True


def decode(data: bytes) -> Decoded:
    """Read UTF-8 tolerantly: a BOM and NULs are dropped, invalid bytes become U+FFFD.

    Line ends are kept as they are. Never raises.
    """
    replaced = False
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", errors="replace")
        replaced = True
    exact = not replaced
    if text.startswith("\ufeff"):
        text, exact = text[1:], False
    if "\0" in text:
        text, exact = text.replace("\0", ""), False
    return Decoded(text, replaced, exact)


@lru_cache(maxsize=1 << 15)
def fold(name: str) -> str:
    """The form in which names are compared: NFC, case-folded, outer blanks removed.

    Kept for the names asked for last: a vault asks for the same ones again and again.
    """
    if name.isascii():
        return name.strip().lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).strip()


class LineIndex:
    """Where the lines of one text begin. Offsets and columns are code points."""

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        starts, ends = [0], []
        for match in _LINE_END.finditer(text):
            ends.append(match.start())
            starts.append(match.end())
        ends.append(len(text))
        self._starts, self._ends = starts, ends

    def __len__(self) -> int:
        """Number of lines; a text that ends with a line end has an empty last one."""
        return len(self._starts)

    def line_at(self, offset: int) -> int:
        """The line that holds `offset`; offsets outside are clamped."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def start(self, line: int) -> int:
        """Offset of the first character of `line`; clamped to the text."""
        if line >= len(self._starts):
            return len(self.text)
        return self._starts[max(line, 0)]

    def end(self, line: int) -> int:
        """Offset just before the line end of `line`; clamped to the text."""
        if line >= len(self._ends):
            return len(self.text)
        return self._ends[max(line, 0)]

    def line(self, line: int) -> str:
        """Text of `line` without its line end, "" outside the text."""
        return self.text[self.start(line) : self.end(line)]

    @property
    def eol(self) -> str:
        """The line end that this text uses (of its first line), `\n` if it has none."""
        if len(self._starts) < 2:
            return "\n"
        return self.text[self._ends[0] : self._starts[1]]
