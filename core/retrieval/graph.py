"""The graph around the best text matches: who refers to whom, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from core.config.relations import RelationsConfig
from core.config.retriever import RetrieverConfig
from core.store.ports import Collection, In, Where

if TYPE_CHECKING:
    import networkx as nx

EDGE_FIELDS = ("note_id", "target_note_id", "kind", "provenance", "confidence")
MAX_EDGES = 400
"""Edges looked at for one hop; a hub must not make a query slow."""
MAX_FRESH = 40
"""Notes that the graph alone brings in."""
_STRUCTURAL = (In("provenance", ["structure"]),)


@dataclass(slots=True)
class Neighbourhood:
    """A NetworkX graph of notes. Each edge has a `weight` (sum over its relations of
    confidence × kind weight × provenance weight) and a `kind`: that of its strongest
    relation in this direction, "" where a symmetric kind counts here but was derived for
    the other direction; `smart` says that a language model found that one."""

    graph: nx.DiGraph[str]
    distance: dict[str, int] = field(default_factory=dict)
    """Hops from the nearest seed."""
    among: frozenset[str] = frozenset()
    """Notes of which every link to each other is known."""


def neighbourhood(
    edges: Collection,
    seeds: Sequence[str],
    hops: int,
    config: RetrieverConfig,
    relations: RelationsConfig,
    among: Sequence[str] = (),
) -> Neighbourhood:
    """The notes within `hops` links of `seeds` (note ids), in both directions, and all links
    among the notes of `among`, which a hub's many links cannot push out."""
    import networkx as nx

    found = Neighbourhood(nx.DiGraph(), dict.fromkeys(seeds, 0), frozenset(among))
    found.graph.add_nodes_from(seeds)
    seen: set[str] = set()

    def add(where: Where, most: int | None) -> set[str]:
        reached: set[str] = set()
        for point in islice(edges.scan(where, EDGE_FIELDS, page=MAX_EDGES), most):
            source, target = point.payload.get("note_id"), point.payload.get("target_note_id")
            if source and target and source != target and point.id not in seen:
                seen.add(point.id)
                reached.update((source, target))
                _add(found.graph, source, target, point.payload, config, relations)
        return reached

    if among and hops:
        inner = [In("note_id", among), In("target_note_id", among)]
        add(Where(all=inner, none=_STRUCTURAL), None)
    frontier = list(seeds)
    for depth in range(1, hops + 1):
        if not frontier:
            break
        ends = [In("note_id", frontier), In("target_note_id", frontier)]
        reached = add(Where(any=ends, none=_STRUCTURAL), MAX_EDGES)
        frontier = sorted(reached - found.distance.keys())
        found.distance.update(dict.fromkeys(frontier, depth))
    return found


def fresh(near: Neighbourhood, known: Mapping[str, float]) -> list[str]:
    """The notes that the graph alone brought in, the `MAX_FRESH` best linked ones, sorted.

    `known` are the relevances of the notes that the text brought in. Nearer notes go
    first, then those with more and stronger links to relevant ones.
    """
    ranked = []
    for note, distance in near.distance.items():
        if note in known:
            continue
        links = [
            *((other, data) for other, _, data in near.graph.in_edges(note, data=True)),
            *((other, data) for _, other, data in near.graph.out_edges(note, data=True)),
        ]
        worth = sum(sorted(data["weight"] * known.get(other, 0.0) for other, data in links))
        ranked.append((distance, -worth, note))
    return sorted(note for _, _, note in sorted(ranked)[:MAX_FRESH])


def _add(
    graph: nx.DiGraph[str],
    source: str,
    target: str,
    payload: Mapping[str, object],
    config: RetrieverConfig,
    relations: RelationsConfig,
) -> None:
    kind = str(payload.get("kind", ""))
    weight = (
        float(str(payload.get("confidence", 1.0)))
        * config.edge_weight(relations.canonical(kind))
        * config.provenance_weight(str(payload.get("provenance", "")))
    )
    _count(graph, source, target, weight, kind, smart=payload.get("provenance") == "smart")
    if relations.symmetric(kind):
        _count(graph, target, source, weight, "")


def _count(
    graph: nx.DiGraph[str],
    source: str,
    target: str,
    weight: float,
    kind: str,
    *,
    smart: bool = False,
) -> None:
    if not graph.has_edge(source, target):
        graph.add_edge(source, target, weight=0.0, kind="", strongest=-1.0, smart=False)
    data = graph.edges[source, target]
    data["weight"] += weight
    if kind and (weight, kind) > (data["strongest"], data["kind"]):
        data["kind"], data["strongest"], data["smart"] = kind, weight, smart


@dataclass(frozen=True, slots=True)
class Bonus:
    """What the graph adds to a note, both 0 to 1."""

    edges: float = 0.0
    centrality: float = 0.0


NO_BONUS = Bonus()


def bonuses(near: Neighbourhood, relevance: Mapping[str, float]) -> dict[str, Bonus]:
    """The bonus of each note of `relevance` (text score by note id, 0 to 1).

    An edge counts as much as the note at its other end is relevant, and a bonus as much
    as the note itself is, both squared: being linked among good matches helps, being
    linked from everywhere does not, and no hub gets in front of what the text says. Sums
    are divided by the highest of them, but by no less than 1: one weak link stays weak.
    """
    graph = near.graph
    relevance = {note: share * share for note, share in relevance.items()}
    incoming: dict[str, float] = {}
    central: dict[str, float] = {}
    for note in relevance:
        if note not in graph:
            continue
        incoming[note] = sum(
            data["weight"] * relevance.get(source, 0.0)
            for source, _, data in graph.in_edges(note, data=True)
        )
        around = set(graph.predecessors(note)) | set(graph.successors(note))
        central[note] = sum(sorted(relevance.get(other, 0.0) for other in around))
    most = max([1.0, *incoming.values()])
    widest = max([1.0, *central.values()])
    return {
        note: Bonus(
            relevance[note] * incoming[note] / most, relevance[note] * central[note] / widest
        )
        for note in incoming
    }


def links_from(near: Neighbourhood, note: str, among: Iterable[str]) -> list[tuple[str, str]]:
    """Notes of `among` that `note` links to, strongest first, with the kind."""
    return _linked(near.graph, note, among, outgoing=True)


def links_to(near: Neighbourhood, note: str, among: Iterable[str]) -> list[tuple[str, str]]:
    """Notes of `among` that link to `note`, strongest first, with the kind."""
    return _linked(near.graph, note, among, outgoing=False)


def is_smart(near: Neighbourhood, source: str, target: str) -> bool:
    """Whether the strongest relation from one note to another was found by a language model."""
    return near.graph.has_edge(source, target) and bool(near.graph.edges[source, target]["smart"])


def _linked(
    graph: nx.DiGraph[str], note: str, among: Iterable[str], *, outgoing: bool
) -> list[tuple[str, str]]:
    found = []
    for other in among:
        ends = (note, other) if outgoing else (other, note)
        if graph.has_edge(*ends) and (data := graph.edges[ends])["kind"]:
            found.append((-data["weight"], other, data["kind"]))
    return [(other, kind) for _, other, kind in sorted(found)]
