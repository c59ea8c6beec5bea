"""The order of suggestions: how the notes compare that might be linked."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.api import AnalyzeRequest
from core.config.retriever import Linking
from core.parse import parse_note
from core.suggest.likely import likely, linked_by, neighbours, shared_company
from core.vault.index import VaultIndex
from tests.core.retrieval.kit import Space

VAULT = """
//- /new.md
# New

The mill wheel needs grease, and the bearings are worn; oak wears slowly in cold water.
//- /old.md
# Old

The mill wheel needs grease, and the bearings were worn out; oak in cold water. [[oil]]
//- /oil.md
# Oil

Lubricants.
//- /bread.md
# Bread

Flour, salt and time.
//- /tin.md
# Mill wheel grease

A tin.
"""


def index_of(**texts: str) -> VaultIndex:
    return VaultIndex.build(parse_note(f"{name}.md", text) for name, text in texts.items())


def scores(space: Space, **weights: float) -> dict[str, float]:
    """What one kind of evidence gives for new.md."""
    only = Linking(**{**dict.fromkeys(Linking.model_fields, 0.0), **weights})
    index, own = space.index, space.index.notes["new.md"]
    generation = space.store.generation
    [stored] = generation.notes.get([index.note_id("new.md")], vectors=True)
    return likely(generation, index, own, space.text("new.md"), stored.vector, [], only)


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    return Space.of(tmp_path_factory.mktemp("likely"), VAULT)


@pytest.mark.parametrize("kind", ["words", "meaning"])
def test_the_note_most_alike_is_first_and_all_are_between_0_and_1(space: Space, kind: str) -> None:
    found = scores(space, **{kind: 1.0})
    assert max(found, key=lambda path: found[path]) == "old.md"
    assert found["old.md"] == pytest.approx(1)
    assert min(found.values()) >= 0
    assert "new.md" not in {path for path, score in found.items() if score > 0}


def test_what_the_note_most_alike_links_to_is_likely_though_no_word_is_shared(space: Space) -> None:
    found = scores(space, alike=1.0)
    assert max(found, key=lambda path: found[path]) == "oil.md"


def test_words_of_a_name_count_less_than_the_name(space: Space) -> None:
    found = scores(space, title=1.0)
    assert found["tin.md"] == pytest.approx(1), "all its words are there"
    assert found["bread.md"] == 0
    assert scores(space, name=1.0)["tin.md"] == 0, "the three do not stand together"


def test_without_any_weight_nothing_is_likely(space: Space) -> None:
    assert set(scores(space).values()) <= {0.0}


def test_rare_company_tells_more() -> None:
    index = index_of(
        a="[[rare]] [[hub]]", b="[[rare]]", c="[[hub]]", d="[[hub]]", e="[[hub]]", rare="", hub=""
    )
    assert neighbours(index, "a.md") == {"rare.md", "hub.md"}
    found = shared_company(index, "a.md", sorted(neighbours(index, "a.md")))
    assert found["b.md"] > found["c.md"] == found["d.md"] > 0
    assert "a.md" not in found
    linked = linked_by(index, "a.md", {"b.md": 0.9, "c.md": 0.2, "gone.md": 1.0})
    assert linked == {"rare.md": 0.9, "hub.md": 0.2}


def test_only_evidence_is_shown_and_the_whole_order_can_be_had(tmp_path: Path) -> None:
    space = Space.of(tmp_path, VAULT, vectors=False)
    every = space.discoverer.ranked(AnalyzeRequest(path="new.md", min_score=0.0)).best
    assert {"old.md", "oil.md", "tin.md"} <= set(every)
    orders = [one.order for one in every.values()]
    assert orders == sorted(orders, reverse=True)
    assert space.suggest("new.md") == [], "no name, no meaning, no company: nothing to show"
