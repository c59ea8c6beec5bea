"""A model that says the same line again and again, as small ones do until they are stopped."""

from __future__ import annotations

from collections import deque

LOOKED_BACK, REPEATED, SHORTEST = 12, 4, 12
"""Of so many lines so many are equal, of so many code points at least: the model is in a loop."""


class Loop:
    """Takes the pieces of a text."""

    def __init__(self) -> None:
        self._line = ""
        self._lines: deque[str] = deque(maxlen=LOOKED_BACK)

    def feed(self, piece: str) -> bool:
        """Whether the text runs in circles by now."""
        *lines, self._line = (self._line + piece).split("\n")
        return any(self._is_repeated(line.strip()) for line in lines)

    def _is_repeated(self, line: str) -> bool:
        self._lines.append(line)
        return len(line) >= SHORTEST and self._lines.count(line) >= REPEATED
