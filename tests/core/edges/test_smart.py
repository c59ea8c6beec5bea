"""Which relations a passage may express, and the edges of those that were chosen."""

from __future__ import annotations

import msgspec

from core.config.load import load_config
from core.edges.edge import Edge
from core.edges.smart import MOST, candidates, with_smart

RELATIONS = load_config().relations
CHUNKS = ["n#c00", "n#c01", "n#c02"]


def edge(kind: str, target: str, chunk: int | None, provenance: str = "explicit") -> Edge:
    source = "n" if chunk is None else CHUNKS[chunk]
    return Edge(
        kind=kind,
        scope="note" if chunk is None else "chunk",
        source_id=source,
        target_id=target,
        target_note_id=target,
        note_id="n",
        chunk_id=None if chunk is None else source,
        rule_id="r",
        confidence=1.0,
        provenance=provenance,  # type: ignore[arg-type]
    )


def of_each(edges: list[Edge]) -> list[list[str]]:
    found = candidates(edges, CHUNKS)
    return [[f"{one.kind} {one.target_id}" for one in chunk] for chunk in found]


def test_each_chunk_may_express_what_the_note_says_elsewhere_nearest_first() -> None:
    edges = [
        edge("references", "a", 0),
        edge("inspired_by", "a", 0, "rule"),
        edge("references", "c", 2),
        edge("depends_on", "f", None),
    ]
    assert of_each(edges) == [
        ["inspired_by a", "depends_on f", "references c"],
        ["depends_on f", "references a", "inspired_by a", "references c"],
        ["depends_on f", "references a", "inspired_by a"],
    ]


def test_structure_mirrors_and_what_a_model_said_are_no_candidates() -> None:
    mirror = msgspec.structs.replace(edge("related_to", "a", 0), rule_id="r:mirror")
    edges = [edge("next", "b", 0, "structure"), edge("causes", "b", 0, "smart"), mirror]
    assert of_each(edges) == [[], [], []]


def test_a_note_of_many_links_asks_about_a_few() -> None:
    edges = [edge("references", f"t{number}", 1) for number in range(50)]
    assert [len(chunk) for chunk in candidates(edges, CHUNKS)] == [MOST, 0, MOST]


def test_an_edge_for_each_choice_and_one_mirror() -> None:
    plain = [edge("related_to", "a", 0)]
    chosen = [(CHUNKS[1], plain[0], "m:1b", 0.5), (CHUNKS[2], plain[0], "m:1b", 1.0)]
    smart = with_smart(plain, chosen, RELATIONS)[1:]
    assert [(one.source_id, one.confidence) for one in smart] == [
        ("n#c01", 0.5),
        ("n#c02", 0.85),
        ("a", 0.85),
    ]
    assert [one.rule_id for one in smart] == ["smart:m:1b", "smart:m:1b", "smart:m:1b:mirror"]
    assert {one.provenance for one in smart} == {"smart"}
    assert with_smart(plain, [], RELATIONS) == plain
