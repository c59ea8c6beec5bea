"""From cosine and word coverage to one text score.

Min-max of the cosines over the candidates plus the weighted coverage. Cosines of one
model lie in a narrow band, so their distance within the list says more than their
size; coverage is absolute, so that a query whose words nobody has adds nothing. Words in
the note's title count on their own: a section about another note names it too, but only
that note is called so. A quoted phrase, and a note whose name the query is, go before all.
Reciprocal rank fusion was tried and lost: it gives a list of chance word matches the
same say as a list of good ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.config.retriever import Scoring
from core.retrieval.candidates import Candidate


def fuse(candidates: Sequence[Candidate], scoring: Scoring, *, pure: bool = False) -> None:
    """Set `semantic` and `lexical` of each candidate: the weighted terms of its score.

    `pure` is the semantic mode: the cosine itself, no words and no type weight.
    """
    if pure:
        for one in candidates:
            one.semantic = scoring.semantic_weight * max(0.0, one.cosine or 0.0)
            one.lexical = 0.0
        return
    cosines = [one.cosine for one in candidates if one.cosine is not None]
    low, high = (min(cosines), max(cosines)) if cosines else (0.0, 0.0)
    for one in candidates:
        one.type_weight = factor(one.retriever_weight, scoring)
        near = 0.0 if one.cosine is None else _between(one.cosine, low, high)
        one.semantic = scoring.semantic_weight * near * one.type_weight
        one.by_title = scoring.title_weight * one.in_title * one.type_weight
        one.by_literal = scoring.literal_weight * one.literal * one.type_weight
        words = scoring.lexical_weight * one.coverage * one.type_weight
        one.lexical = words + one.by_title + one.by_literal


def factor(retriever_weight: float, scoring: Scoring) -> float:
    """What a type's weight does to a text score, never negative."""
    return max(0.0, 1 - scoring.type_strength * (1 - retriever_weight))


def best_of_each_note(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The best chunk of each note, best first; ties in the order of the chunk ids."""
    best: dict[str, Candidate] = {}
    for one in sorted(candidates, key=lambda c: (-(c.semantic + c.lexical), c.chunk_id)):
        best.setdefault(one.note_id, one)
    return list(best.values())


def _between(value: float, low: float, high: float) -> float:
    if high <= low:
        return 1.0
    return min(1.0, max(0.0, (value - low) / (high - low)))
