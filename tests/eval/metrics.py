"""Recall and mean reciprocal rank of rankings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

FIRST = 10
CUT = 200
"""What stands behind this place was not found."""


@dataclass
class Figures:
    """The places, from 1, at which what was wanted stood; None for what was not found."""

    places: list[int | None] = field(default_factory=list)

    def add(self, ranking: Sequence[str], wanted: Collection[str]) -> None:
        """Count each wanted one. The other wanted ones in front of it do not count against it
        (Bordes et al. 2013 call that filtered)."""
        ranking = ranking[:CUT]
        for one in sorted(wanted):
            if one not in ranking:
                self.places.append(None)
                continue
            before = ranking[: ranking.index(one)]
            self.places.append(1 + sum(other not in wanted for other in before))

    def add_any(self, ranking: Sequence[str], wanted: Collection[str]) -> None:
        """Count the first wanted one alone: each of them answers the question."""
        at = (at for at, one in enumerate(ranking[:CUT], start=1) if one in wanted)
        self.places.append(next(at, None))

    def recall(self, first: int = FIRST) -> float:
        """Share of what stands among the first."""
        return fmean([bool(place and place <= first) for place in self.places] or [0.0])

    def mrr(self, first: int = CUT) -> float:
        """Mean of 1 / place; 0 for what does not stand among the first."""
        return fmean(
            [1 / place if place and place <= first else 0.0 for place in self.places] or [0]
        )


def ranked(scores: Iterable[tuple[str, float]]) -> list[str]:
    """Names with a score above 0, best first, ties by name."""
    positive = [(name, score) for name, score in scores if score > 0]
    return [name for name, _ in sorted(positive, key=lambda pair: (-pair[1], pair[0]))]
