"""Why a note is not among the hits: each cause, in both languages, with true numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import NotANote
from core.explanation import WhyNot
from tests.core.retrieval.kit import Space

VAULT = """\
//- /Sluice.md
---
type: concept
updated: 2026-05-01
tags: [water]
---
# Sluice

The sluice gate holds the water of the mill pond back.
//- /Pond.md
# Pond

The pond stores water overnight for the mill. See [[Sluice]].
//- /Wheel.md
# Wheel

The mill wheel turns when water falls on it.
//- /Secret.md
---
embedding_exclude: true
id: secret
---
# Secret

A private gate.
//- /Baking.md
# Baking

Flour, salt and yeast make bread.
//- /a/Twin.md
# Twin one

Something.
//- /b/Twin.md
# Twin two

Something.
//- /Empty.md
"""


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Space:
    return Space.of(tmp_path_factory.mktemp("mill"), VAULT)


@pytest.fixture(scope="module")
def words_only(tmp_path_factory: pytest.TempPathFactory) -> Space:
    return Space.of(tmp_path_factory.mktemp("words"), VAULT, vectors=False)


def why(space: Space, note: str, query: str = "sluice gate water", **options: Any) -> WhyNot:
    answer = space.ask(query, why_not=note, **options)
    assert answer.why_not is not None
    found = answer.why_not
    is_hit = any(hit.note_id == found.note_id for hit in answer.hits)
    assert is_hit == (found.cause == "hit")
    assert found.sentences
    if found.score_breakdown is not None:
        parts = found.score_breakdown
        total = parts.semantic + parts.lexical + parts.edge_bonus + parts.centrality
        assert total == pytest.approx(found.score, abs=1e-6)
    if found.last_score is not None:
        assert found.last_score == answer.hits[-1].score
        assert found.last_breakdown == answer.hits[-1].score_breakdown
        assert found.score is not None
        assert found.score <= found.last_score
    return found


def test_nobody_asked(mill: Space) -> None:
    assert mill.ask("sluice").why_not is None


@pytest.mark.parametrize("name", ["Sluice", "Sluice.md", "sluice"])
def test_it_is_a_hit(mill: Space, name: str) -> None:
    found = why(mill, name)
    assert (found.cause, found.rank, found.path) == ("hit", 1, "Sluice.md")
    assert found.sentences == ["it is hit number 1"]


def test_others_are_better(words_only: Space) -> None:
    """The rank is the one that it has when more hits are asked for."""
    found = why(words_only, "Wheel", top_k=1)
    all_hits = words_only.found("sluice gate water", top_k=20)
    assert found.cause == "outranked"
    assert found.rank == all_hits.index("Wheel.md") + 1
    assert not found.at_least
    assert found.sentences[0].startswith(f"it is number {found.rank} with a score of 0.")
    assert "lacks “sluice”, “gate”" in found.sentences
    deutsch = why(words_only, "Wheel", top_k=1, locale="de")
    assert deutsch.sentences[0].startswith(f"sie ist Nummer {found.rank} mit 0.")
    assert "ohne „sluice“, „gate“" in deutsch.sentences


def test_less_close(mill: Space) -> None:
    found = why(mill, "Pond", top_k=1)
    assert (found.cause, found.rank) == ("outranked", 3)
    assert found.sentences[1:] == [
        "less close in meaning (cosine 0.16 < 0.55)",
        "lacks “gate”",
        "fewer links with other hits",
    ]
    assert found.cosine == pytest.approx(0.16, abs=0.005)
    far = why(mill, "Baking", top_k=1, locale="de")
    assert far.cause == "nothing_in_common"
    assert far.sentences[1] == "kein ähnlicher Sinn (Kosinus 0.00)"


def test_no_words_in_common(words_only: Space) -> None:
    found = why(words_only, "Baking", hops=0)
    assert (found.cause, found.rank, found.score) == ("nothing_in_common", None, None)
    assert found.sentences == ["none of the words is in it"]
    assert why(words_only, "Baking", locale="de").sentences == ["keines der Wörter kommt darin vor"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"types": ["task"]}, ["types"]),
        ({"tags": ["fire"], "types": ["concept"]}, ["tags"]),
        ({"paths": ["a"], "note_ids": ["secret"]}, ["paths", "note_ids"]),
        ({"updated_since": "2026-06-01"}, ["updated_since"]),
    ],
)
def test_a_filter_leaves_it_out(mill: Space, filters: dict[str, Any], expected: list[str]) -> None:
    found = why(mill, "Sluice", filters=filters)
    assert (found.cause, found.filters) == ("filtered", expected)
    assert found.sentences == [f"the filter {name} leaves it out" for name in expected]
    assert why(mill, "Sluice", filters={"tags": ["water"]}).cause == "hit"


def test_a_note_without_vectors(mill: Space) -> None:
    """In semantic mode it cannot be found; else its words are searched, and it is said so."""
    found = why(mill, "secret", mode="semantic")
    assert (found.cause, found.excluded) == ("no_vectors", True)
    assert found.sentences[0].startswith("embedding_exclude: ")
    by_words = why(mill, "Secret", top_k=1)
    assert (by_words.cause, by_words.excluded) == ("outranked", True)
    assert by_words.sentences[-1] == "embedding_exclude: only its words are searched"
    nothing = why(mill, "Secret", "flour", top_k=1, hops=0)
    assert nothing.cause == "nothing_in_common"
    assert nothing.sentences == [
        "none of the words is in it",
        "embedding_exclude: only its words are searched",
    ]


def test_semantic_mode(mill: Space) -> None:
    """Words play no part."""
    assert why(mill, "Pond", mode="semantic", top_k=1, locale="de").sentences == [
        "sie ist Nummer 3 mit 0.160 Punkten; der letzte Treffer hat 0.546",
        "weniger ähnlicher Sinn (Kosinus 0.16 < 0.55)",
    ]
    assert why(mill, "Baking", mode="semantic").sentences == [
        "not close enough in meaning (cosine 0.00)"
    ]


def test_a_note_without_text(mill: Space) -> None:
    assert why(mill, "Empty").cause == "not_indexed"


def test_a_note_that_was_not_looked_at(words_only: Space, tmp_path: Path) -> None:
    """Behind the candidates its place is a lower bound."""
    many = "".join(
        f"//- /n{number}.md\n# Note {number}\n\ngate gate gate {number}\n" for number in range(140)
    )
    space = Space.of(tmp_path, many + "//- /last.md\n" + "filler " * 400 + "gate\n", vectors=False)
    found = why(space, "last", "gate", top_k=5, hops=0)
    assert (found.cause, found.at_least) == ("outranked", True)
    assert found.rank is not None
    assert found.rank > 5
    assert "or later" in found.sentences[0]


@pytest.mark.parametrize("locale", ["de", "en"])
@pytest.mark.parametrize(("name", "hint"), [("Twin", "a/Twin.md, b/Twin.md"), ("Slice", "Sluice")])
def test_which_note(mill: Space, name: str, hint: str, locale: str) -> None:
    with pytest.raises(NotANote) as failed:
        why(mill, name, locale=locale)
    assert repr(name) in failed.value.message
    assert hint in failed.value.hint


def test_every_note_of_a_vault(example: Space) -> None:
    """Asked of each note, the answer agrees with the hits of a longer list."""
    query = "Wie altert Kalkmörtel im Wasser?"
    everybody = example.hits(query, top_k=200)
    places = {hit.path: place for place, hit in enumerate(everybody, 1)}
    for path in example.index.paths:
        found = why(example, path, query, top_k=5)
        if path in places:
            assert found.rank == places[path]
            assert found.cause == ("hit" if places[path] <= 5 else "outranked")
        else:
            assert found.cause in ("outranked", "nothing_in_common", "not_indexed")
            assert found.rank is None or found.at_least
