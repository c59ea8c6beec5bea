"""What links around the hits are worth."""

from __future__ import annotations

import pytest

from core.config.load import load_config
from core.retrieval.graph import bonuses, links_from, links_to, neighbourhood
from core.store.ports import Point
from core.store.store import memory_store

CONFIG = load_config()
Edge = tuple[str, str, str] | tuple[str, str, str, str]


def around(seeds: list[str], hops: int, edges: list[Edge]):
    store = memory_store()
    store.edges.upsert(
        Point(
            f"e{number}",
            payload={
                "note_id": edge[0],
                "kind": edge[1],
                "target_note_id": edge[2],
                "provenance": edge[3] if len(edge) > 3 else "explicit",
                "confidence": 1.0,
            },
        )
        for number, edge in enumerate(edges)
    )
    return neighbourhood(store.edges, seeds, hops, CONFIG.retriever, CONFIG.relations)


CHAIN: list[Edge] = [
    ("a", "references", "b"),
    ("b", "references", "c"),
    ("d", "references", "c"),
]


@pytest.mark.parametrize(
    ("hops", "expected"),
    [
        (0, {"a": 0}),
        (1, {"a": 0, "b": 1}),
        (2, {"a": 0, "b": 1, "c": 2}),
        (3, {"a": 0, "b": 1, "c": 2, "d": 3}),
    ],
)
def test_hops_go_both_ways(hops: int, expected: dict[str, int]) -> None:
    assert around(["a"], hops, CHAIN).distance == expected


def test_only_what_points_to_a_note_is_its_bonus() -> None:
    near = around(["a", "b"], 1, [("a", "references", "b")])
    found = bonuses(near, {"a": 1.0, "b": 1.0})
    assert found["b"].edges > found["a"].edges == 0
    assert found["a"].centrality == found["b"].centrality > 0


@pytest.mark.parametrize("kind", ["related_to", "similar_to", "see also"])
def test_symmetric_kinds_count_both_ways_and_are_told_in_the_written_one(kind: str) -> None:
    near = around(["a", "b"], 1, [("a", kind, "b")])
    found = bonuses(near, {"a": 1.0, "b": 1.0})
    assert found["a"].edges == found["b"].edges > 0
    assert links_to(near, "b", ["a"]) == [("a", kind)]
    assert links_to(near, "a", ["b"]) == []
    assert links_from(near, "b", ["a"]) == []


def test_structure_and_loops_are_no_bonus() -> None:
    edges: list[Edge] = [("a", "next", "b", "structure"), ("a", "references", "a")]
    near = around(["a", "b"], 2, edges)
    assert near.graph.number_of_edges() == 0
    assert all(b.edges == b.centrality == 0 for b in bonuses(near, {"a": 1.0, "b": 1.0}).values())


def test_kind_and_provenance_weigh() -> None:
    def worth(kind: str, provenance: str = "explicit") -> float:
        near = around(["a", "b"], 1, [("a", kind, "b", provenance)])
        return bonuses(near, {"a": 0.5, "b": 1.0})["b"].edges

    assert worth("influenced_by") > worth("depends_on") > worth("references") > worth("related_to")
    assert worth("depends_on") > worth("depends_on", "smart") > worth("depends_on", "rule")


def test_the_strongest_kind_is_told() -> None:
    edges: list[Edge] = [("a", "references", "b"), ("a", "depends_on", "b")]
    assert links_to(around(["b"], 1, edges), "b", ["a"]) == [("a", "depends_on")]


def test_bonuses_are_shares_and_a_hub_is_no_better_than_its_text() -> None:
    fans = [f"n{i}" for i in range(200)]
    near = around(["hub", "text", *fans], 1, [(fan, "references", "hub") for fan in fans])
    relevance = {"hub": 0.2, "text": 1.0} | dict.fromkeys(fans, 0.3)
    found = bonuses(near, relevance)
    assert all(0 <= b.edges <= 1 and 0 <= b.centrality <= 1 for b in found.values())
    scoring = CONFIG.retriever.scoring

    def total(note: str) -> float:
        bonus = found[note]
        return (
            relevance[note]
            + scoring.edge_weight * bonus.edges
            + scoring.centrality_weight * bonus.centrality
        )

    assert total("hub") < total("text")


def test_the_order_of_the_edges_does_not_matter() -> None:
    edges: list[Edge] = [
        ("a", "references", "b"), ("c", "related_to", "b"), ("b", "supports", "a"),
        ("a", "related_to", "b"),
    ]  # fmt: skip
    relevance = {"a": 1.0, "b": 0.7, "c": 0.4}
    one = bonuses(around(["a"], 2, edges), relevance)
    other = bonuses(around(["a"], 2, edges[::-1]), relevance)
    assert one == other
