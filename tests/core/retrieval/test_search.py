"""Whole queries on small vaults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from core.api import QueryRequest
from core.errors import EmbeddingUnavailable, InvalidArguments
from tests.core.retrieval.kit import Space
from tests.support.fake_embedder import FakeEmbedder

MILL = """\
//- /wheel.md
---
id: wheel
---
# Wheel

The wooden wheel turns slowly.

## Paddles

The paddles of the wheel are oak. See [[gate]].

## Bearings

Grease the bearings of the wheel.
//- /gate.md
The sluice gate is stuck. rel: caused_by [[storm]]
//- /storm.md
A storm at night brought branches.
//- /bread.md
Bread needs flour and time.
"""


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Space:
    return Space.of(tmp_path_factory.mktemp("mill"), MILL)


def test_a_note_is_one_hit_with_its_best_chunk(mill: Space) -> None:
    hits = mill.hits("grease bearings wheel")
    assert [hit.path for hit in hits].count("wheel.md") == 1
    best = hits[0]
    assert best.path == "wheel.md"
    assert "Grease the bearings" in best.text
    lines = mill.text("wheel.md").splitlines()[best.start_line : best.end_line + 1]
    assert "Grease the bearings of the wheel." in lines


def test_ids_sections_and_breakdown(mill: Space) -> None:
    hit = mill.hits("sluice gate")[0]
    assert (hit.path, hit.title) == ("gate.md", "gate")
    assert hit.score_breakdown is not None
    assert hit.score == hit.score_breakdown.total
    assert mill.hits("sluice gate", explain=False)[0].reasons == []


def test_semantic_is_the_cosine_and_nothing_else(mill: Space) -> None:
    assert mill.embedder is not None
    hits = mill.hits("grease bearings wheel", mode="semantic", top_k=50)
    assert hits
    for hit in hits:
        point = mill.store.chunks.get([hit.chunk_id], vectors=True)[0]
        vector = mill.embedder.embed_documents([point.payload["window"]])[0]
        cosine = float(np.dot(vector, mill.embedder.embed_query("grease bearings wheel")))
        assert hit.score == pytest.approx(cosine, abs=1e-5)
        assert hit.score_breakdown is not None
        assert hit.score_breakdown.semantic == hit.score
        rest = hit.score_breakdown
        assert (rest.lexical, rest.edge_bonus, rest.centrality, rest.type_weight) == (0, 0, 0, 1)
        assert not any("contains" in why or "point" in why for why in hit.reasons)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize(
    ("locale", "start"),
    [("en", "searched by words alone"), ("de", "nur nach Wörtern gesucht")],
)
def test_without_a_model_words_are_searched_and_it_is_said(
    tmp_path: Path, locale: str, start: str
) -> None:
    space = Space.of(tmp_path, MILL, vectors=False)
    answer = space.ask("sluice gate", locale=locale)
    assert answer.hits[0].path == "gate.md"
    assert answer.notice is not None
    assert answer.notice.startswith(start)
    assert all(hit.score_breakdown and hit.score_breakdown.semantic == 0 for hit in answer.hits)
    with pytest.raises(EmbeddingUnavailable, match=start):
        space.ask("sluice gate", mode="semantic", locale=locale)


def test_a_model_that_goes_away_leaves_the_words(tmp_path: Path) -> None:
    space = Space.of(tmp_path, MILL)
    assert isinstance(space.embedder, FakeEmbedder)
    assert space.ask("sluice gate").notice is None
    space.embedder.away = True
    answer = space.ask("sluice gate")
    assert answer.hits[0].path == "gate.md"
    assert "the model is away" in (answer.notice or "")
    with pytest.raises(EmbeddingUnavailable):
        space.ask("sluice gate", mode="semantic")


def test_vectors_of_another_model_are_not_asked(mill: Space) -> None:
    answer = mill.searcher.query(QueryRequest(query="sluice gate"), vectors=False)
    assert answer.notice is not None
    assert answer.hits[0].path == "gate.md"


def test_hops_bring_in_notes_that_only_links_reach(tmp_path: Path) -> None:
    chain = """\
//- /a.md
The zeppelin. [[b]]
//- /b.md
Nothing here. [[c]]
//- /c.md
Nothing either. Zeppelins perhaps.
//- /d.md
Nothing at all.
"""
    space = Space.of(tmp_path, chain, vectors=False)
    bonus = {
        hops: {h.path: h.score_breakdown for h in space.hits("zeppelin", hops=hops)}
        for hops in (0, 1, 2)
    }
    assert set(bonus[0]) == {"a.md", "c.md"}
    assert all(b and b.edge_bonus == b.centrality == 0 for b in bonus[0].values())
    assert set(bonus[1]) == set(bonus[2]) == {"a.md", "c.md"}, "a link alone is no hit"


def test_a_linked_note_gains_on_an_equal_one(tmp_path: Path) -> None:
    twins = """\
//- /a.md
Lighthouse keepers polish lenses. [[z]]
//- /m.md
Lighthouse lamp oil.
//- /z.md
Lighthouse lamp oil.
"""
    space = Space.of(tmp_path, twins, vectors=False)
    assert space.found("lighthouse lamp oil", hops=0)[:2] == ["m.md", "z.md"]
    assert space.found("lighthouse lamp oil", hops=1)[:2] == ["z.md", "m.md"]


def test_ties_are_in_the_order_of_ids_whatever_the_order_of_files(tmp_path: Path) -> None:
    names = ["q", "b", "x", "a"]
    source = "".join(f"//- /{name}.md\nThe very same words.\n" for name in names)
    space = Space.of(tmp_path, source, vectors=False)
    first = space.hits("same words", top_k=3)
    assert [hit.chunk_id for hit in first] == sorted(hit.chunk_id for hit in first)
    assert [hit.path for hit in first] == ["a.md", "b.md", "q.md"]


@pytest.mark.parametrize(
    "options", [{"query": ""}, {"query": " \n"}, {"top_k": 0}, {"top_k": 201}, {"hops": 4}]
)
def test_bad_requests(mill: Space, options: dict[str, object]) -> None:
    with pytest.raises((InvalidArguments, ValidationError)):
        mill.ask(**{"query": "wheel", **options})  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["?!…", "🌊", "xyzzyqux", "[[", "wheel " * 400])
def test_odd_queries_are_answered(mill: Space, query: str) -> None:
    mill.ask(query)
    mill.ask(query, mode="semantic")


def test_an_empty_vault_has_no_hits(tmp_path: Path) -> None:
    space = Space.of(tmp_path, "//- /.keep\n")
    assert space.hits("anything") == []


def test_words_in_a_title_go_before_the_same_words_in_a_section(tmp_path: Path) -> None:
    space = Space.of(
        tmp_path,
        """\
//- /a.md
# Letters

## About the lighthouse keeper

The lighthouse keeper wrote letters.
//- /z.md
# The lighthouse keeper

Letters of the lighthouse keeper.
""",
        vectors=False,
    )
    assert space.found("lighthouse keeper")[0] == "z.md"
