"""The labelled set is as it should be, and the figures are right."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from core.settings import LlmSettings
from tests.smart.__main__ import ask, table
from tests.smart.labelled import FILE, Score, every, labelled, named, score
from tests.support.fake_ollama import FakeModel, FakeOllama

PASSAGES = labelled()


def test_the_set_is_sixty_passages_in_both_languages() -> None:
    assert Counter(one.language for one in PASSAGES) == {"en": 30, "de": 30}
    assert len({one.passage.text for one in PASSAGES}) == 60, FILE
    assert sum(not one.expressed for one in PASSAGES) >= 6, "passages that express nothing"
    wrong = sum(len(every(one) - one.expressed) for one in PASSAGES)
    assert wrong > sum(len(one.expressed) for one in PASSAGES) > 55


def test_the_order_of_the_relations_does_not_tell_what_is_right() -> None:
    places = Counter(number for one in PASSAGES for number in one.expressed)
    assert max(places.values()) < 0.6 * sum(places.values())


@pytest.mark.parametrize(
    ("found", "precision", "recall", "f1"),
    [
        (Score(3, 1, 0), 0.75, 1.0, 6 / 7),
        (Score(0, 0, 4), 0.0, 0.0, 0.0),
        (Score(1, 1, 1), 0.5, 0.5, 0.5),
    ],
)
def test_figures(found: Score, precision: float, recall: float, f1: float) -> None:
    assert (found.precision, found.recall, found.f1) == pytest.approx((precision, recall, f1))


def test_baselines_and_a_perfect_answer() -> None:
    perfect = score((one, one.expressed) for one in PASSAGES)
    assert (perfect.precision, perfect.recall) == (1.0, 1.0)
    assert score((one, every(one)) for one in PASSAGES).recall == 1.0
    assert score((one, frozenset()) for one in PASSAGES).recall == 0.0
    assert 0 < score((one, named(one)) for one in PASSAGES).recall <= 1.0


async def test_a_model_is_asked_as_the_product_asks() -> None:
    with FakeOllama(FakeModel("m")) as server:
        server.answer = lambda _: json.dumps({"r1": 100, "r2": 0, "r3": 25})
        said = await ask(LlmSettings(url=server.url, model="m"), PASSAGES[:1])
    assert said == [frozenset({1})]
    assert "m" in table("m", PASSAGES[:1], said)
