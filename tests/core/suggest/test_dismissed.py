"""Dismissed suggestions, and related notes, over an indexed vault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import StoreError
from core.ids import path_note_id
from core.suggest.dismissed import FILE, Dismissed
from core.suggest.shapes import RelatedRequest
from tests.core.retrieval.kit import Space
from tests.core.retrieval.test_discover import NEARLY, SLEEP

VAULT = f"""\
//- /debt.md
# Debt of sleep

{SLEEP}

Bread, then the Wasserrad.
//- /nights.md
# Short nights

{NEARLY}
//- /bread.md
# Bread

Flour and water and salt, see [[debt]] and [[wheel]].
//- /wheel.md
# Wasserrad

Ein Rad aus Eiche.
"""


@pytest.fixture
def space(tmp_path: Path) -> Space:
    return Space.of(tmp_path, VAULT)


def related(space: Space, path: str, **options: object) -> list[str]:
    request = RelatedRequest(path=path, **options)  # type: ignore[arg-type]
    return [hit.path for hit in space.discoverer.related(request).hits]


def test_what_is_dismissed_is_not_suggested_until_it_is_restored(space: Space) -> None:
    first = [one.path for one in space.suggest("debt.md")]
    assert {"bread.md", "wheel.md", "nights.md"} == set(first)
    discoverer = space.discoverer
    assert discoverer.dismiss("debt.md", space.index.note_id("bread.md"))
    assert not discoverer.dismiss("debt.md", space.index.note_id("bread.md"))
    assert [one.path for one in space.suggest("debt.md")] == [p for p in first if p != "bread.md"]
    assert "bread.md" in [one.path for one in space.suggest("new.md", text="Bread.")]
    (listed,) = discoverer.listed("debt.md")
    assert (listed.path, listed.target_path, listed.target_title) == (
        "debt.md",
        "bread.md",
        "Bread",
    )
    assert discoverer.listed("wheel.md") == []
    assert discoverer.restore("debt.md", listed.target_note_id) == 1
    assert [one.path for one in space.suggest("debt.md")] == first
    assert discoverer.listed() == []


def test_a_note_that_is_not_there_yet_may_dismiss(space: Space) -> None:
    assert space.discoverer.dismiss("new.md", space.index.note_id("bread.md"))
    assert space.suggest("new.md", text="Bread.") == []
    (listed,) = space.discoverer.listed()
    assert (listed.note_id, listed.path) == (path_note_id("new.md"), None)


def test_they_outlive_the_process_and_lie_beside_the_store(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = Dismissed(folder)
    assert first.dismiss("a", "ö")
    assert first.dismiss("a", "c")
    assert first.dismiss("b", "c")
    assert Dismissed(folder).all() == {"a": ("ö", "c"), "b": ("c",)}
    again = Dismissed(folder)
    assert again.restore("a", "nothing") == 0
    assert again.restore("a") == 2
    assert Dismissed(folder).all() == {"b": ("c",)}
    assert (folder / FILE).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "{", "[]", '{"dismissed": 3}', '{"dismissed": {"a": 1}}'])
def test_a_broken_file_costs_nothing_else(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    dismissed = Dismissed(tmp_path)
    assert dismissed.all() == {}
    assert dismissed.dismiss("a", "b")
    assert json.loads((tmp_path / FILE).read_text("utf-8"))["dismissed"] == {"a": ["b"]}


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    dismissed = Dismissed(tmp_path / "file")
    with pytest.raises(StoreError):
        dismissed.dismiss("a", "b")
    assert dismissed.all() == {}


def test_related_notes_linked_or_not(space: Space) -> None:
    found = related(space, "debt.md")
    assert found[0] == "nights.md"
    assert "bread.md" in found
    assert "debt.md" not in found
    assert related(space, "debt.md", top_k=1) == found[:1]
    hits = space.discoverer.related(RelatedRequest(path="debt.md")).hits
    for hit in hits:
        parts = hit.score_breakdown
        assert parts is not None
        total = parts.semantic + parts.lexical + parts.edge_bonus + parts.centrality
        assert abs(total - hit.score) < 1e-6
        assert hit.reasons
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    bread = next(hit for hit in hits if hit.path == "bread.md")
    assert "links here" in bread.reasons
    german = space.discoverer.related(RelatedRequest(path="debt.md", locale="de")).hits[0]
    assert german.reasons[0].startswith("ähnlicher Sinn wie Zeilen")


def test_related_to_a_selection(space: Space) -> None:
    text = space.text("debt.md")
    start = text.index("Bread")
    assert related(space, "debt.md", start=start, end=start + 5)[0] == "bread.md"
    assert related(space, "debt.md", start=text.index("Sleep debt"), end=start)[0] == "nights.md"
    assert related(space, "debt.md", start=9000, end=9010) == []
    assert related(space, "new.md", text="Flour and salt.")[0] == "bread.md"


def test_related_by_words_alone(tmp_path: Path) -> None:
    space = Space.of(tmp_path, VAULT, vectors=False)
    found = space.discoverer.related(RelatedRequest(path="debt.md")).hits
    assert found[0].path == "nights.md"
    assert all(hit.score_breakdown and hit.score_breakdown.semantic == 0 for hit in found)
    assert found[0].reasons[0].startswith("also contains “")


def test_what_is_near_each_passage(space: Space) -> None:
    from core.api import AnalyzeRequest

    answer = space.discoverer.suggest(AnalyzeRequest(path="debt.md", passages=True))
    (passage,) = answer.passages
    assert passage.paths[0] == "nights.md"
    assert "Sleep debt" in space.text("debt.md")[passage.start : passage.end]
    assert space.discoverer.suggest(AnalyzeRequest(path="debt.md")).passages == []
