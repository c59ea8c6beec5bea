"""Weights from feedback: found where there is something to find, and nothing made of noise."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from core.api import ScoreBreakdown
from core.config.retriever import Scoring
from core.feedback.sample import is_held_out, sample_of
from core.feedback.shapes import HistoryEntry, Rating, RememberedHit
from core.feedback.tune import MIN_QUERIES, tune
from tests.core.feedback.kit import Memory, hit

IN_USE = Scoring().model_dump()
NAMES = ("semantic_weight", "lexical_weight", "title_weight", "edge_weight", "centrality_weight")
TYPES = (0.4, 0.6, 0.8, 1.0)
Rate = Callable[[random.Random, list[float]], list[int]]


def breakdown(
    features: Mapping[str, float], type_weight: float, weights: Mapping[str, float]
) -> ScoreBreakdown:
    factor = 1 - weights["type_strength"] * (1 - type_weight)
    terms = {name: weights[name] * features[name] for name in NAMES}
    semantic, words, title = (terms[name] * factor for name in NAMES[:3])
    parts = {
        "semantic": semantic,
        "lexical": words + title,
        "edge_bonus": terms["edge_weight"],
        "centrality": terms["centrality_weight"],
    }
    return ScoreBreakdown(**parts, title=title, type_weight=factor, total=sum(parts.values()))


def by_truth(rng: random.Random, truth: list[float]) -> list[int]:
    """1 to 5 by the place in the true order, with a slip now and then."""
    places = sorted(range(len(truth)), key=lambda at: -truth[at])
    ratings = [0] * len(truth)
    for place, at in enumerate(places):
        ratings[at] = max(1, 5 - place + rng.choice((-1, 0, 0, 0, 1)))
    return [min(5, rating) for rating in ratings]


def by_chance(rng: random.Random, truth: list[float]) -> list[int]:
    return [rng.randint(1, 5) for _ in truth]


def history(
    seed: int,
    count: int,
    rate: Rate,
    true: Mapping[str, float],
    used: Mapping[str, float] = IN_USE,
) -> list[HistoryEntry]:
    """Queries with ten hits each, ranked by the weights in use, of which half are rated."""
    rng = random.Random(seed)
    entries = []
    for number in range(count):
        made = []
        for at in range(10):
            features = {name: rng.random() for name in NAMES}
            kind = rng.choice(TYPES)
            made.append((breakdown(features, kind, used), breakdown(features, kind, true), at))
        made.sort(key=lambda one: -one[0].total)
        ratings = rate(rng, [truth.total for _, truth, _ in made])
        query_id = str(UUID(int=number, version=4))
        stamp = "2026-05-17T00:00:00.000+00:00"
        entries.append(
            HistoryEntry(
                query_id=query_id,
                query=f"query {seed} {number}",
                mode="hybrid",
                timestamp=stamp,
                weights=dict(used),
                hits=[
                    RememberedHit(
                        note_id=f"n{at}",
                        chunk_id=f"n{at}#c00",
                        title="",
                        score=parts.total,
                        score_breakdown=parts,
                    )
                    for parts, _, at in made
                ],
                feedback=[
                    Rating(query_id=query_id, node_id=f"n{at}", score=score, timestamp=stamp)
                    for (_, _, at), score in zip(made, ratings, strict=True)
                    if rng.random() < 0.5
                ],
            )
        )
    return entries


@pytest.mark.parametrize(
    ("changed", "moved"),
    [
        ({"lexical_weight": 2.0}, {"lexical_weight": 1}),
        ({"title_weight": 1.4, "lexical_weight": 0.05}, {"title_weight": 1, "lexical_weight": -1}),
        ({"edge_weight": 1.0, "centrality_weight": 0.7}, {"edge_weight": 1}),
        ({"type_strength": 1.0}, {"type_strength": 1}),
    ],
)
def test_the_true_weights_are_found(changed: dict[str, float], moved: dict[str, int]) -> None:
    """Each that matters goes into the right direction, and the gain holds for new queries."""
    true = {**IN_USE, **changed}
    found = tune(history(1, 150, by_truth, true), IN_USE)
    assert found.gain > 0.01
    assert found.better > found.worse
    for name, sign in moved.items():
        assert (found.weights[name] - IN_USE[name]) * sign > 0
    others = sample_of(history(2, 150, by_truth, true))
    gain = others.ndcg({**IN_USE, **found.weights}).mean() - others.ndcg(IN_USE).mean()
    assert gain > 0.005
    assert gain == pytest.approx(found.gain, abs=0.05)


@pytest.mark.parametrize("seed", range(30))
def test_nothing_is_made_of_noise(seed: int) -> None:
    found = tune(history(seed, 60, by_chance, IN_USE), IN_USE)
    assert found.enough
    assert found.weights == {}


@pytest.mark.parametrize("seed", range(5))
def test_nothing_better_than_the_best(seed: int) -> None:
    found = tune(history(seed, 90, by_truth, IN_USE), IN_USE)
    assert found.before > 0.9
    assert found.weights == {}


def test_too_little_feedback() -> None:
    true = {**IN_USE, "lexical_weight": 3.0}
    few = history(1, MIN_QUERIES - 1, by_truth, true)
    found = tune(few, IN_USE)
    assert (found.enough, found.weights) == (False, {})
    assert (found.rated, found.queries) == (MIN_QUERIES - 1, MIN_QUERIES - 1)
    # the same queries again are no more of them
    assert not tune(few * 3, IN_USE).enough
    assert not tune([], IN_USE).enough


def test_the_same_history_gives_the_same_proposal() -> None:
    entries = history(1, 90, by_truth, {**IN_USE, "lexical_weight": 2.0})
    assert tune(entries, IN_USE) == tune(entries, IN_USE)


def test_features_are_what_made_the_score() -> None:
    """Whatever weights were in use, the scores come out again, and other weights give those
    that they would have given."""
    used = {**IN_USE, "lexical_weight": 1.4, "type_strength": 0.5, "edge_weight": 0.7}
    entries = history(3, 20, by_truth, IN_USE, used)
    sample = sample_of(entries)
    scores = sample._scores(used)
    recorded = [[h.score for h in entry.hits] for entry in entries if entry.feedback]
    assert np.allclose(scores, np.array(recorded)[: len(scores)])
    again = history(3, 20, by_truth, IN_USE, IN_USE)
    for row, entry in enumerate(again):
        by_note = {h.note_id: h.score for h in entry.hits}
        there = sample._scores(IN_USE)[row]
        for at, remembered in enumerate(entries[row].hits):
            assert there[at] == pytest.approx(by_note[remembered.note_id])


def test_what_teaches_nothing_is_left_out() -> None:
    (entry,) = history(1, 1, by_truth, IN_USE)
    teaches = entry.model_copy(update={"feedback": [rating(entry, 5)]})
    assert len(sample_of([teaches])) == 1
    changes: tuple[dict[str, object], ...] = (
        {"feedback": []},
        {"feedback": [rating(entry, 2)]},  # as good as nothing said
        {"mode": "semantic"},
        {"weights": {}},
        {"hits": entry.hits[:1]},
        {"hits": [h.model_copy(update={"score_breakdown": None}) for h in entry.hits]},
    )
    for change in changes:
        assert len(sample_of([teaches.model_copy(update=change)])) == 0


def test_hits_of_a_second_search_are_left_out() -> None:
    """A chat puts them behind the others; their scores are of another scale."""
    (entry,) = history(1, 1, by_truth, IN_USE)
    both = entry.model_copy(update={"hits": [*entry.hits[:6], *entry.hits[:4]], "source": "chat"})
    sample = sample_of([both.model_copy(update={"feedback": [rating(entry, 5)]})])
    assert sample.there.sum() == 6


def test_a_weight_that_was_off_stays_off() -> None:
    used = {**IN_USE, "edge_weight": 0.0, "type_strength": 0.0}
    entries = history(1, 180, by_truth, {**IN_USE, "lexical_weight": 2.0}, used)
    found = tune(entries, used)
    assert found.weights.keys() & {"edge_weight", "type_strength"} == set()
    assert "lexical_weight" in found.weights


def test_a_query_is_on_one_side() -> None:
    """Also written in another way, and about a third is held out."""
    entries = history(1, 300, by_truth, IN_USE)
    twice = [*entries, *(e.model_copy(update={"query": f"  {e.query.upper()}"}) for e in entries)]
    sample = sample_of(twice)
    sides = [set(sample.part(held_out=side).keys) for side in (False, True)]
    assert sides[0].isdisjoint(sides[1])
    assert 70 < len(sides[1]) < 130
    assert all(map(is_held_out, sides[1]))


def test_real_files(tmp_path: Path) -> None:
    """What the history wrote is what is learned from."""
    memory = Memory(tmp_path)
    hits = [hit("otter", semantic=0.5, lexical=0.5, title=0.1), hit("heron", semantic=0.9)]
    query = memory.ask(1, hits=hits, weights=IN_USE)
    memory.rate(query, "otter", 5)
    sample = sample_of(memory.entries())
    assert sample.ndcg(IN_USE).tolist() == [1.0]
    assert sample.ndcg({**IN_USE, "lexical_weight": 0.0, "title_weight": 0.0})[0] < 1


def rating(entry: HistoryEntry, score: int) -> Rating:
    node_id = entry.hits[0].note_id
    return Rating(query_id=entry.query_id, node_id=node_id, score=score, timestamp="")
