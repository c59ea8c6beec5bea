"""The graph service over an imported vault."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import NotANote
from core.graph.service import GraphService
from core.graph.shapes import GraphRequest, GraphResponse, PathRequest
from tests.core.retrieval.kit import EXAMPLES, Space

VAULT = """\
//- /a.md
---
type: task
---
See [[b]], depends on [[rel:depends_on c]] and again [[rel:depends_on c|so]].
//- /b.md
[[c]] 🚢
//- /c.md
---
id: see
title: Über die See
---
rel: similar_to [[d]]
//- /d.md
end [[nowhere]]
//- /ordner/allein.md
nobody
"""


def service(tmp_path: Path, source: str = VAULT) -> GraphService:
    space = Space.of(tmp_path, source, vectors=False)
    return GraphService(lambda: space.store.edges, lambda: space.index, lambda: space.config)


def nodes(found: GraphResponse) -> list[tuple[str, int, int]]:
    return [(node.path, node.hops, node.degree) for node in found.nodes]


def edges(found: GraphResponse) -> list[str]:
    names = {node.id: node.path for node in found.nodes}
    return [f"{names[e.source]} {e.kind} {names[e.target]} {e.rule_id}" for e in found.edges]


@pytest.mark.parametrize(
    ("hops", "expected"),
    [
        (0, [("d.md", 0, 1)]),
        (1, [("d.md", 0, 1), ("c.md", 1, 3)]),
        (2, [("d.md", 0, 1), ("c.md", 1, 3), ("a.md", 2, 2), ("b.md", 2, 2)]),
        (6, [("d.md", 0, 1), ("c.md", 1, 3), ("a.md", 2, 2), ("b.md", 2, 2)]),
    ],
)
def test_hops(tmp_path: Path, hops: int, expected: list[tuple[str, int, int]]) -> None:
    found = service(tmp_path).expand(GraphRequest(path="d.md", hops=hops))
    assert nodes(found) == expected
    assert not found.truncated


def test_edges_are_of_the_shown_notes_each_once(tmp_path: Path) -> None:
    found = service(tmp_path).expand(GraphRequest(path="a.md", hops=1))
    assert nodes(found) == [("a.md", 0, 2), ("c.md", 1, 3), ("b.md", 1, 2)]
    explicit = sorted(edge for edge in edges(found) if "edge_defaults" not in edge)
    assert explicit == [
        "a.md depends_on c.md inline:rel",
        "a.md references b.md explicit:wikilink",
        "b.md references c.md explicit:wikilink",
    ]
    rules = [edge for edge in edges(found) if "edge_defaults:task" in edge]
    assert "a.md belongs_to b.md edge_defaults:task:belongs_to" in rules
    assert {edge.provenance for edge in found.edges} == {"explicit", "rule"}


def test_kinds_restrict_the_walk_and_what_is_shown(tmp_path: Path) -> None:
    graph = service(tmp_path)
    found = graph.expand(GraphRequest(path="a.md", hops=3, kinds=["similar-to", "depends_on"]))
    assert [path for path, _, _ in nodes(found)] == ["a.md", "c.md", "b.md", "d.md"]
    assert {edge.kind for edge in found.edges} == {"similar_to", "depends_on"}
    found = graph.expand(GraphRequest(note_id="see", hops=3, kinds=["similar_to"]))
    assert [path for path, _, _ in nodes(found)] == ["c.md", "d.md"]
    assert edges(found) == ["c.md similar_to d.md inline:rel"]


def test_limit_takes_the_nearest_and_best_linked(tmp_path: Path) -> None:
    graph = service(tmp_path)
    found = graph.expand(GraphRequest(path="a.md", hops=2, limit=2))
    assert [path for path, _, _ in nodes(found)] == ["a.md", "c.md"]
    assert found.truncated
    whole = graph.expand(GraphRequest(limit=3))
    assert [path for path, _, _ in nodes(whole)] == ["c.md", "a.md", "b.md"]
    assert whole.truncated
    assert not graph.expand(GraphRequest(limit=5)).truncated


def test_path(tmp_path: Path) -> None:
    graph = service(tmp_path)

    def way(start: str, end: str) -> list[list[tuple[str, str, bool]]]:
        found = graph.path(PathRequest(from_path=start, to_path=end)).paths
        return [[(step.path, step.kind, step.forward) for step in steps] for steps in found]

    assert way("a.md", "d.md") == [
        [("a.md", "", True), ("c.md", "depends_on", True), ("d.md", "similar_to", True)]
    ]
    assert way("d.md", "b.md") == [
        [("d.md", "", True), ("c.md", "similar_to", False), ("b.md", "references", False)]
    ]
    assert way("a.md", "a.md") == [[("a.md", "", True)]]
    assert way("a.md", "ordner/allein.md") == []


def test_all_shortest_paths_up_to_the_limit(tmp_path: Path) -> None:
    middles = "".join(f"//- /m{at}.md\n[[end]]\n" for at in range(4))
    links = " ".join(f"[[m{at}]]" for at in range(4))
    graph = service(tmp_path, f"//- /start.md\n{links}\n{middles}//- /end.md\nx\n")
    found = graph.path(PathRequest(from_path="start.md", to_path="end.md", limit=3)).paths
    assert [steps[1].path for steps in found] == ["m0.md", "m1.md", "m2.md"]


def test_long_ways_meet_in_the_middle(tmp_path: Path) -> None:
    chain = "".join(f"//- /n{at}.md\n[[n{at + 1}]] [[hub]]\n" for at in range(9))
    graph = service(tmp_path, f"{chain}//- /n9.md\n[[goal]]\n//- /goal.md\nx\n//- /hub.md\nx\n")
    found = graph.path(PathRequest(from_path="n0.md", to_path="goal.md")).paths
    assert [step.path for step in found[0]] == ["n0.md", "hub.md", "n8.md", "n9.md", "goal.md"]


@pytest.mark.parametrize(("locale", "text"), [("en", "no note"), ("de", "keine Notiz")])
def test_a_note_that_is_none(tmp_path: Path, locale: str, text: str) -> None:
    graph = service(tmp_path)
    with pytest.raises(NotANote, match=text):
        graph.expand(GraphRequest(path="gone.md", locale=locale))  # type: ignore[arg-type]
    request = PathRequest(from_path="a.md", to_path="gone.md", locale=locale)  # type: ignore[arg-type]
    with pytest.raises(NotANote, match=text):
        graph.path(request)


def test_overview(tmp_path: Path) -> None:
    found = service(tmp_path).overview(limit=2)
    assert [node.path for node in found.orphans] == ["ordner/allein.md"]
    assert [node.path for node in found.hubs] == ["c.md", "a.md"]
    assert (found.notes, found.unresolved) == (5, 1)


def test_every_shortest_way_of_the_example_vault_is_one(tmp_path: Path) -> None:
    """Against NetworkX on the whole vault."""
    import networkx as nx

    space = Space(EXAMPLES / "vault", None)
    graph = GraphService(lambda: space.store.edges, lambda: space.index, lambda: space.config)
    whole: nx.Graph[str] = nx.Graph()
    whole.add_nodes_from(space.index.paths)
    for path in space.index.paths:
        whole.add_edges_from((path, end) for end in space.index.targets(path) if end)
    paths = list(space.index.paths)
    for start, end in zip(paths, reversed(paths), strict=True):
        found = graph.path(PathRequest(from_path=start, to_path=end, limit=50)).paths
        ways = (
            sorted(nx.all_shortest_paths(whole, start, end))
            if nx.has_path(whole, start, end)
            else []
        )
        assert [[step.path for step in steps] for steps in found] == ways[:50]
