"""What is asked for word by word comes first: quoted phrases, and a note by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.retrieval.literal import literal
from tests.core.retrieval.kit import Space

VAULT = """
//- /wheel.md
---
aliases: [Wasserrad]
---
# Mill Wheel

The wheel turns slowly when the water is low.
//- /low.md
# Low water

When low the water is, slow turns the wheel; water, water, wheel, wheel, turns, low, mill wheel.
//- /phrase.md
# A diary

Some words about the day. We saw that the wheel turns
slowly. Then we went home, had bread and talked of other things for a long time.
//- /noise.md
# Noise about the wheel of the mill

Mill wheel, mill wheel, the mill wheel, a Wasserrad, one more Wasserrad and Wasserrad.
"""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    return Space.of(tmp_path_factory.mktemp("literal"), VAULT)


def check(space: Space, query: str, *first: str, **options: object) -> None:
    """These notes are the first hits, in any order, and their terms add up."""
    hits = space.hits(query, **options)
    assert {hit.path for hit in hits[: len(first)]} == set(first), [hit.path for hit in hits]
    for hit in hits:
        terms = hit.score_breakdown
        assert terms is not None
        parts = terms.semantic + terms.lexical + terms.edge_bonus + terms.centrality
        assert parts == pytest.approx(hit.score, abs=1e-9)


@pytest.mark.parametrize(
    "query",
    [
        '"the wheel turns slowly"',
        "water low „wheel turns slowly“ mill",
        "“The Wheel turns SLOWLY”",
        "«wheel turns slowly» water",
    ],
)
def test_a_quoted_phrase_is_found_first_over_line_ends_and_letter_case(
    space: Space, query: str
) -> None:
    check(space, query, "wheel.md", "phrase.md")


def test_the_words_of_a_phrase_in_another_order_are_no_phrase(space: Space) -> None:
    check(space, '"slow turns the wheel"', "low.md")
    check(space, '"turns slow"')


def test_two_phrases_count_more_than_one(space: Space) -> None:
    check(space, '"wheel turns" "water is low"', "wheel.md")


@pytest.mark.parametrize(
    "query", ["Mill Wheel", "mill wheel?", "wheel", "Wasserrad", '"Wasserrad"']
)
def test_a_note_is_found_first_by_its_names(space: Space, query: str) -> None:
    check(space, query, "wheel.md")


def test_also_by_words_alone_and_within_the_filters(tmp_path: Path) -> None:
    space = Space.of(tmp_path, VAULT, vectors=False)
    check(space, "Wasserrad", "wheel.md")
    check(space, '"wheel turns slowly"', "wheel.md", "phrase.md")
    assert space.filtered("Wasserrad", paths=["noise.md", "low.md"]) == {"noise.md"}


def test_the_semantic_mode_stays_pure(space: Space) -> None:
    for hit in space.hits('"wheel turns slowly"', mode="semantic"):
        assert hit.score == hit.cosine


@pytest.mark.parametrize(
    ("query", "phrases", "named"),
    [
        ('say "one two" and „drei“', ("one two", "drei"), False),
        ('an "unclosed quote', (), False),
        ("it's the mill's", (), False),
        ('"" «»', (), False),
        ("low water", (), True),
        ("[[low]]", (), False),
        ("low#Low water", (), False),
        ("", (), False),
    ],
)
def test_what_is_asked_for(space: Space, query: str, phrases: tuple, named: bool) -> None:
    found = literal(query, space.index)
    assert (found.phrases, bool(found.named)) == (phrases, named)
