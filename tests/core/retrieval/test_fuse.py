"""One text score from cosine and coverage."""

from __future__ import annotations

import pytest

from core.config.retriever import Scoring
from core.retrieval.candidates import Candidate
from core.retrieval.fuse import best_of_each_note, fuse

SCORING = Scoring(semantic_weight=1.0, lexical_weight=0.5, type_strength=0.5)


def candidate(chunk: str, cosine: float | None, coverage: float = 0.0, weight: float = 1.0):
    note = chunk.partition("#")[0]
    payload = {"note_id": note, "retriever_weight": weight, "title": note}
    return Candidate(chunk, payload, cosine=cosine, coverage=coverage)


def test_cosines_are_spread_over_the_candidates_and_coverage_is_not() -> None:
    one, two, three = candidate("a#0", 0.6, 0.4), candidate("b#0", 0.4), candidate("c#0", 0.5, 1.0)
    fuse([one, two, three], SCORING)
    assert [c.semantic for c in (one, two, three)] == pytest.approx([1.0, 0.0, 0.5])
    assert [c.lexical for c in (one, two, three)] == pytest.approx([0.2, 0.0, 0.5])


def test_a_chunk_without_a_vector_has_its_words_alone() -> None:
    one, two = candidate("a#0", None, 1.0), candidate("b#0", 0.3)
    fuse([one, two], SCORING)
    assert (one.semantic, one.lexical) == (0.0, 0.5)
    assert two.semantic == 1.0, "the only cosine is the highest"


@pytest.mark.parametrize(("weight", "factor"), [(1.0, 1.0), (0.6, 0.8), (0.0, 0.5), (-3.0, 0.5)])
def test_the_type_weight_is_a_factor_and_never_negative(weight: float, factor: float) -> None:
    one, low = candidate("a#0", 0.9, 1.0, weight), candidate("b#0", 0.1)
    fuse([one, low], SCORING)
    assert one.type_weight == pytest.approx(factor)
    assert one.semantic == pytest.approx(factor)
    assert one.lexical == pytest.approx(0.5 * factor)


def test_pure_is_the_cosine_itself() -> None:
    one, two = candidate("a#0", 0.62, 1.0, 0.5), candidate("b#0", -0.1)
    fuse([one, two], SCORING, pure=True)
    assert (one.semantic, one.lexical, two.semantic) == (0.62, 0.0, 0.0)


def test_each_note_once_with_its_best_chunk_and_ties_by_id() -> None:
    pool = [
        candidate("b#1", 0.5), candidate("b#0", 0.5), candidate("a#2", 0.5), candidate("a#1", 0.9)
    ]  # fmt: skip
    fuse(pool, SCORING)
    assert [c.chunk_id for c in best_of_each_note(pool)] == ["a#1", "b#0"]
    assert [c.chunk_id for c in best_of_each_note(reversed(pool))] == ["a#1", "b#0"]


def test_nothing_to_fuse() -> None:
    fuse([], SCORING)
    assert best_of_each_note([]) == []
