"""A graph as text for other programs: DOT, Mermaid, GraphML."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from core.graph.shapes import GraphResponse

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_GRAPHML = "http://graphml.graphdrawing.org/xmlns"


def as_dot(graph: GraphResponse) -> str:
    """Graphviz DOT. Node names are note ids."""
    lines = ["digraph mindnet {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    lines += [
        f"  {_dot(node.id)} [label={_dot(node.title)}, tooltip={_dot(node.path)}];"
        for node in graph.nodes
    ]
    for edge in graph.edges:
        style = "" if edge.provenance == "explicit" else ", style=dashed"
        lines.append(
            f"  {_dot(edge.source)} -> {_dot(edge.target)} [label={_dot(edge.kind)}{style}];"
        )
    return "\n".join([*lines, "}", ""])


def as_mermaid(graph: GraphResponse) -> str:
    """A Mermaid flowchart, as Obsidian and GitHub draw it. Nodes are numbered: note ids may
    hold words that Mermaid reserves."""
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines = ["flowchart LR"]
    lines += [f'  {names[node.id]}["{_mermaid(node.title)}"]' for node in graph.nodes]
    for edge in graph.edges:
        arrow = "-->" if edge.provenance == "explicit" else "-.->"
        kind = _mermaid(edge.kind)
        lines.append(f'  {names[edge.source]} {arrow}|"{kind}"| {names[edge.target]}')
    return "\n".join([*lines, ""])


def as_graphml(graph: GraphResponse) -> str:
    """GraphML, with title, type and path of nodes, and kind, rule, provenance and confidence
    of edges as attributes."""
    node_keys = {"title": "string", "type": "string", "path": "string", "degree": "int"}
    edge_keys = {
        "kind": "string",
        "rule_id": "string",
        "provenance": "string",
        "confidence": "double",
    }
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<graphml xmlns="{_GRAPHML}">']
    for scope, keys in (("node", node_keys), ("edge", edge_keys)):
        lines += [
            f'  <key id="{name}" for="{scope}" attr.name="{name}" attr.type="{kind}"/>'
            for name, kind in keys.items()
        ]
    lines.append('  <graph id="mindnet" edgedefault="directed">')
    for node in graph.nodes:
        lines.append(f"    <node id={_xml_attribute(node.id)}>")
        lines += [f"      {_data(name, getattr(node, name))}" for name in node_keys]
        lines.append("    </node>")
    for edge in graph.edges:
        source, target = _xml_attribute(edge.source), _xml_attribute(edge.target)
        lines.append(f"    <edge source={source} target={target}>")
        lines += [f"      {_data(name, getattr(edge, name))}" for name in edge_keys]
        lines.append("    </edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _dot(text: str) -> str:
    text = _CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _mermaid(text: str) -> str:
    """Quoted text in which Mermaid's own escapes stand for what would end or format it."""
    text = _CONTROL.sub(" ", text).replace("#", "#35;").replace("&", "#amp;")
    for char, name in (('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"), ("`", "#96;")):
        text = text.replace(char, name)
    return text


def _xml_attribute(text: str) -> str:
    return '"' + escape(_CONTROL.sub(" ", text), {'"': "&quot;"}) + '"'


def _data(name: str, value: object) -> str:
    return f'<data key="{name}">{escape(_CONTROL.sub(" ", str(value)))}</data>'
