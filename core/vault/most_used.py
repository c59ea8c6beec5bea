"""The keys with the highest counts, kept while the counts change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from heapq import nsmallest

MOST = 300
"""How many are kept ready."""
_FEW = 64

_Ranked = tuple[int, str]


class MostUsed:
    """The `MOST` keys of a map of counts with the highest ones, highest first, then by key.

    Found by one look at the whole map when first asked for; after that a change costs what
    it changes. Up to twice as many are known, so that keys which fall behind seldom make it
    look again.
    """

    __slots__ = ("_best", "_counts")

    def __init__(self, counts: Mapping[str, int], best: list[_Ranked] | None = None) -> None:
        self._counts = counts
        self._best = best

    def updated(self, counts: Mapping[str, int], changed: Collection[str]) -> MostUsed:
        """The ranking of `counts`, which differ from those before at `changed` only."""
        if self._best is None or len(changed) > _FEW:
            return MostUsed(counts)
        if not changed:
            return self
        whole = len(self._best) == len(self._counts)
        again = frozenset(changed)
        best = [ranked for ranked in self._best if ranked[1] not in again]
        for key in changed:
            ranked = (-counts.get(key, 0), key)
            # what is worse than all that was known may have others before it
            if ranked[0] and (whole or ranked <= self._best[-1]):
                best.append(ranked)
        if len(best) < min(MOST, len(counts)):
            return MostUsed(counts)
        best.sort()
        return MostUsed(counts, best[: 2 * MOST])

    def first(self) -> tuple[str, ...]:
        """The keys, at most `MOST`."""
        if self._best is None:
            ranked = ((-count, key) for key, count in self._counts.items())
            self._best = nsmallest(2 * MOST, ranked)
        return tuple(key for _, key in self._best[:MOST])
