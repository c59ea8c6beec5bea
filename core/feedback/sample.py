"""From remembered queries and their ratings to numbers that weights can be tried on.

A breakdown holds weighted terms. Divided by the weights that made them they give the
features of each hit, and with other weights another order of the same hits. What other
weights would have brought in besides is not known, nor that the graph's terms depend a
little on the text's: so this is a sieve for proposals, and not the last word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.api import ScoreBreakdown
from core.feedback.shapes import LOWEST, HistoryEntry, RememberedHit
from core.text import fold

Numbers = NDArray[np.float64]

SEMANTIC, LEXICAL, TITLE, EDGE, CENTRALITY = range(5)
TERMS = ("semantic_weight", "lexical_weight", "title_weight", "edge_weight", "centrality_weight")
"""The weight of each column of the features."""
STRENGTH = "type_strength"
BY_TYPE = (SEMANTIC, LEXICAL, TITLE)
"""Columns that the type's factor multiplies."""
UNRATED = 1.0
"""What a hit is worth that nobody rated: as much as one with a 2, so that a 1 counts against."""
HELD_OUT = 3
"""One query in so many is kept aside for measuring."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Sample:
    """Rated queries. Arrays are padded to the longest list of hits; `there` tells which are
    hits: `features` is queries × hits × 5, the others queries × hits.

    `rest` is the part of a score that no weight here explains. `gains` are the ratings from 0
    to 4. `keys` are the folded texts of the queries.
    """

    keys: tuple[str, ...]
    features: Numbers
    type_weights: Numbers
    rest: Numbers
    gains: Numbers
    there: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.keys)

    def ndcg(self, weights: Mapping[str, float]) -> Numbers:
        """Normalised discounted cumulative gain of each query's hits, 0 to 1, in the order
        that these weights give (Järvelin and Kekäläinen 2002, linear gains)."""
        order = np.argsort(-self._scores(weights), axis=1, kind="stable")
        discount = 1 / np.log2(np.arange(2, self.gains.shape[1] + 2))
        found = (np.take_along_axis(self.gains, order, axis=1) * discount).sum(axis=1)
        best = (-np.sort(-self.gains, axis=1) * discount).sum(axis=1)
        ratio: Numbers = found / best
        return ratio

    def part(self, *, held_out: bool) -> Sample:
        """The queries that weights are measured on, or those that they are fitted to.

        By a hash of the text: the same query is always on the same side.
        """
        chosen = [at for at, key in enumerate(self.keys) if is_held_out(key) == held_out]
        return Sample(
            tuple(self.keys[at] for at in chosen),
            self.features[chosen],
            self.type_weights[chosen],
            self.rest[chosen],
            self.gains[chosen],
            self.there[chosen],
        )

    def _scores(self, weights: Mapping[str, float]) -> Numbers:
        factor = np.maximum(0.0, 1 - weights[STRENGTH] * (1 - self.type_weights))
        scores: Numbers = self.rest.copy()
        for column, name in enumerate(TERMS):
            term = weights[name] * self.features[:, :, column]
            scores += term * factor if column in BY_TYPE else term
        scores[~self.there] = -np.inf
        return scores


def is_held_out(key: str) -> bool:
    """Whether a query is kept aside for measuring."""
    return hashlib.sha256(key.encode("utf-8", "backslashreplace")).digest()[0] % HELD_OUT == 0


def sample_of(entries: Sequence[HistoryEntry]) -> Sample:
    """What of a history can be learned from: hybrid queries with several hits of which some
    are rated otherwise than the others."""
    rows = [row for row in map(_row, entries) if row is not None]
    longest = max((len(row[1]) for row in rows), default=0)
    size = (len(rows), longest)
    sample = Sample(
        tuple(row[0] for row in rows),
        np.zeros((*size, len(TERMS))),
        np.ones(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size, dtype=bool),
    )
    for at, (_, hits, gains) in enumerate(rows):
        for place, (features, type_weight, rest) in enumerate(hits):
            sample.features[at, place] = features
            sample.type_weights[at, place] = type_weight
            sample.rest[at, place] = rest
        sample.gains[at, : len(gains)] = gains
        sample.there[at, : len(gains)] = True
    return sample


Hit = tuple[list[float], float, float]


def _row(entry: HistoryEntry) -> tuple[str, list[Hit], list[float]] | None:
    weights = entry.weights
    if entry.mode != "hybrid" or not {*TERMS, STRENGTH} <= weights.keys():
        return None
    ratings = {rating.node_id: rating.score for rating in entry.feedback}
    hits = [
        (_features(hit.score_breakdown, weights), ratings.get(hit.note_id))
        for hit in _of_one_search(entry.hits)
        if hit.score_breakdown is not None
    ]
    gains = [UNRATED if score is None else float(score - LOWEST) for _, score in hits]
    if len(set(gains)) < 2:
        return None
    return " ".join(fold(entry.query).split()), [features for features, _ in hits], gains


def _of_one_search(hits: Sequence[RememberedHit]) -> Sequence[RememberedHit]:
    """The hits as far as their scores fall: what a chat puts behind them comes from another
    search, whose scores are measured between other candidates."""
    for at in range(1, len(hits)):
        if hits[at].score > hits[at - 1].score + _SAME:
            return hits[:at]
    return hits


def _features(parts: ScoreBreakdown, weights: Mapping[str, float]) -> Hit:
    factor, strength = parts.type_weight, weights[STRENGTH]
    type_weight = 1 - (1 - factor) / strength if strength else 1.0
    terms = [
        parts.semantic,
        parts.lexical - parts.title - parts.literal,
        parts.title,
        parts.edge_bonus,
        parts.centrality,
    ]
    features = []
    for column, term in enumerate(terms):
        weight = weights[TERMS[column]] * (factor if column in BY_TYPE else 1.0)
        features.append(term / weight if weight > 0 else 0.0)
    return features, type_weight, parts.total - sum(terms)
