"""Times and what they come to: median, 95th percentile, smallest."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured line. `values` are in `unit` (s, ms, MB or a rate); a row without values
    says in `note` why. `budgets` are for the median and the 95th percentile, None for none.
    `faults` counts answers that were wrong or missing: such a row proves nothing."""

    key: str
    label: str
    unit: str
    values: tuple[float, ...] = ()
    budgets: tuple[float | None, float | None] = (None, None)
    note: str = ""
    more_is_better: bool = False
    faults: int = 0

    @property
    def sound(self) -> bool:
        """Whether it was measured, on right answers."""
        return bool(self.values) and not self.faults

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        return percentile(self.values, 0.95)

    @property
    def best(self) -> float:
        return max(self.values) if self.more_is_better else min(self.values)

    def ratios(self) -> tuple[float | None, float | None]:
        """How much of each budget is used: 1.0 is all of it. For a rate, how much is missing."""
        if not self.values:
            return None, None
        found = (self.median, self.p95)
        return tuple(  # type: ignore[return-value]
            None if budget is None else budget / value if self.more_is_better else value / budget
            for value, budget in zip(found, self.budgets, strict=True)
        )


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of all values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def calibrate(rounds: int = 5) -> float:
    """Milliseconds for a fixed piece of work: compares machines and their load, nothing else."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        words: dict[str, int] = {}
        for i in range(60_000):
            word = f"w{i * 7919 % 5003}"
            words[word] = words.get(word, 0) + len(word)
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)
