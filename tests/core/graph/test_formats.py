"""Titles of all kinds in DOT, Mermaid and GraphML."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from core.graph.formats import as_dot, as_graphml, as_mermaid
from core.graph.shapes import GraphEdge, GraphNode, GraphResponse

TITLES = ['say "hi"', "back\\slash", "<b>&amp;</b>", "end", "a\nb\x07", "港 🚢", "#1; `x`"]


def graph(title: str) -> GraphResponse:
    nodes = [
        GraphNode(id=f"{name}-{title}", title=title, type="concept", path=f"{name}.md", degree=1)
        for name in ("one", "two")
    ]
    edge = GraphEdge(
        source=nodes[0].id,
        target=nodes[1].id,
        kind="depends_on",
        rule_id="inline:rel",
        provenance="explicit",
        confidence=0.95,
    )
    return GraphResponse(nodes=nodes, edges=[edge])


@pytest.mark.parametrize("title", TITLES)
def test_graphml_keeps_every_title(title: str) -> None:
    found = ElementTree.fromstring(as_graphml(graph(title)))
    titles = [data.text for data in found.findall(".//{*}node/{*}data[@key='title']")]
    plain = title.replace("\n", " ").replace("\x07", " ")
    assert titles == [plain, plain]
    edge = found.find(".//{*}edge")
    assert edge is not None
    ids = [node.get("id") for node in found.findall(".//{*}node")]
    assert [edge.get("source"), edge.get("target")] == ids


@pytest.mark.parametrize("title", TITLES)
def test_dot_has_one_statement_a_line(title: str) -> None:
    lines = as_dot(graph(title)).splitlines()
    assert len(lines) == 7
    for line in lines[3:-1]:
        bare = line.replace("\\\\", "").replace('\\"', "")
        assert bare.count('"') % 2 == 0
        assert line.endswith("];")


@pytest.mark.parametrize("title", TITLES)
def test_mermaid_has_nothing_that_ends_a_label(title: str) -> None:
    lines = as_mermaid(graph(title)).splitlines()
    assert len(lines) == 4
    label = lines[1].removeprefix('  n0["').removesuffix('"]')
    assert not set(label) & set('"<>`\n')
