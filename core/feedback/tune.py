"""New weights of the retriever from what people said of its hits: proposed, never applied.

Coordinate search on two thirds of the rated queries; what it finds is measured on the others.
It is proposed only where the gain there is too large for chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.feedback.sample import STRENGTH, TERMS, Numbers, Sample, sample_of
from core.feedback.shapes import HistoryEntry

MIN_QUERIES = 24
MIN_HELD_OUT = 8
"""Different rated queries, in all and for measuring; with fewer every gain may be chance."""
MIN_GAIN = 0.01
"""Least gain in nDCG on the held-out queries that is worth a change."""
MAX_CHANCE = 0.01
"""Most probable that chance alone may make such a gain."""
FLIPS = 20_000
ROUNDS = 6
ANCHOR = "semantic_weight"
"""Is never changed: only the proportions of the weights matter."""
_WEIGHTS = (0, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0)
_STRENGTHS = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Tuning:
    """What came of it. `weights` are the proposed values that differ from those in use, none
    where nothing is proposed. `before` and `after` are the mean nDCG on the held-out queries,
    `chance` the probability of such a gain without any reason (sign-flip test)."""

    rated: int
    queries: int
    held_out: int
    weights: Mapping[str, float]
    before: float = 0.0
    after: float = 0.0
    chance: float = 1.0
    better: int = 0
    worse: int = 0

    @property
    def enough(self) -> bool:
        """Whether there is enough feedback to learn from."""
        return self.queries >= MIN_QUERIES and self.held_out >= MIN_HELD_OUT

    @property
    def gain(self) -> float:
        """Gain in nDCG on the held-out queries."""
        return self.after - self.before


def tune(entries: Sequence[HistoryEntry], current: Mapping[str, float]) -> Tuning:
    """Propose weights for `current`, the scoring section of `retriever.yaml`.

    Deterministic. A weight of 0 left no trace in the history and stays 0.
    """
    sample = sample_of(entries)
    train, held_out = sample.part(held_out=False), sample.part(held_out=True)
    rated = sum(bool(entry.feedback) for entry in entries)
    found = Tuning(rated, len(set(sample.keys)), len(set(held_out.keys)), {})
    if not found.enough:
        return found
    start = {name: float(current[name]) for name in (*TERMS, STRENGTH)}
    fitted = _search(train, start)
    gains = _by_query(held_out, held_out.ndcg(fitted) - held_out.ndcg(start))
    before = float(_by_query(held_out, held_out.ndcg(start)).mean())
    chance = _chance(gains)
    gain = float(gains.mean())
    worth_it = gain >= MIN_GAIN and chance <= MAX_CHANCE
    changed = {name: value for name, value in fitted.items() if value != start[name]}
    return Tuning(
        found.rated,
        found.queries,
        found.held_out,
        changed if worth_it else {},
        before,
        before + gain,
        chance,
        int((gains > _SAME).sum()),
        int((gains < -_SAME).sum()),
    )


def _search(sample: Sample, start: Mapping[str, float]) -> dict[str, float]:
    """The best weights by changing one at a time, as long as that helps."""
    best = dict(start)
    score = _mean(sample, best)
    for _ in range(ROUNDS):
        before = score
        for name, values in _choices(start):
            tried = [(_mean(sample, {**best, name: value}), value) for value in values]
            top = max(found for found, _ in tried)
            if top > score + _SAME:
                level = [value for found, value in tried if found >= top - _SAME]
                best[name], score = level[len(level) // 2], top
        if score <= before + _SAME:
            break
    return best


def _choices(start: Mapping[str, float]) -> list[tuple[str, Sequence[float]]]:
    terms = [(name, _WEIGHTS) for name in TERMS if name != ANCHOR and start[name] > 0]
    return [*terms, *([(STRENGTH, _STRENGTHS)] if start[STRENGTH] > 0 else [])]


def _mean(sample: Sample, weights: Mapping[str, float]) -> float:
    return float(_by_query(sample, sample.ndcg(weights)).mean())


def _by_query(sample: Sample, values: Numbers) -> Numbers:
    """Mean of each different query: one that was asked often counts once."""
    numbers: dict[str, int] = {}
    which = [numbers.setdefault(key, len(numbers)) for key in sample.keys]
    sums = np.bincount(which, weights=values)
    means: Numbers = sums / np.bincount(which)
    return means


def _chance(gains: Numbers) -> float:
    """How often the mean gain would be as high if each query's gain were as likely a loss."""
    gains = gains[np.abs(gains) > _SAME]
    if not len(gains):
        return 1.0
    signs = np.random.default_rng(0).integers(0, 2, (FLIPS, len(gains))) * 2 - 1
    as_high = (signs @ gains >= gains.sum() - _SAME).sum()
    return float(as_high + 1) / (FLIPS + 1)
