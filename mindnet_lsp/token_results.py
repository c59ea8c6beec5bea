"""Semantic tokens as they were last sent, to answer with what changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

KEPT = 32
"""Documents whose last result is kept; a client asks for the visible ones."""
_SIZE = 5


class TokenResults:
    """The last result of each document."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, tuple[str, list[int]]] = OrderedDict()
        self._count = 0

    def keep(self, uri: str, data: list[int]) -> str:
        """Remember a result; its id."""
        self._count += 1
        self._last[uri] = str(self._count), data
        self._last.move_to_end(uri)
        while len(self._last) > KEPT:
            self._last.popitem(last=False)
        return str(self._count)

    def get(self, uri: str, result_id: str) -> list[int] | None:
        """The result with this id, None where it is not the last one."""
        last = self._last.get(uri)
        return last[1] if last is not None and last[0] == result_id else None


def edits(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int, list[int]]]:
    """What makes `new` of `old`: `(start, how many are removed, what is put there)`.

    One edit between what both begin and end with, in whole tokens; none where they are equal.
    """
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    head -= head % _SIZE
    tail, most = 0, shorter - head
    while tail < most and old[-tail - 1] == new[-tail - 1]:
        tail += 1
    tail -= tail % _SIZE
    removed, added = len(old) - head - tail, list(new[head : len(new) - tail])
    return [(head, removed, added)] if removed or added else []
