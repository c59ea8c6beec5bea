"""Questions about the graph of a vault's notes.

Which notes are linked is known from the link index, so that walking costs no look into the
store; what the edges say (kind, rule, confidence, also what a model found) stands in the
store and is read once for the notes of an answer. Blocks; call it from a worker thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from core.config.load import Config
from core.errors import NotANote
from core.graph.shapes import (
    GraphEdge,
    GraphNode,
    GraphRequest,
    GraphResponse,
    Overview,
    PathRequest,
    PathResponse,
    PathStep,
)
from core.graph.walk import distances, shortest
from core.locale import Locale, say
from core.store.ports import Collection, In, Where
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    import networkx as nx

_FIELDS = ("note_id", "target_note_id", "kind", "rule_id", "provenance", "confidence")
_STRUCTURAL = (In("provenance", ["structure"]),)
_PAGE = 1_000


class GraphService:
    """Answers from one state of index, store and configuration per call."""

    def __init__(
        self,
        edges: Callable[[], Collection],
        index: Callable[[], VaultIndex],
        config: Callable[[], Config],
    ) -> None:
        self._edges, self._index, self._config = edges, index, config

    def expand(self, request: GraphRequest) -> GraphResponse:
        """The neighbourhood of a note, or the most linked part of the vault. Raises NotANote
        and StoreError."""
        index = self._index()
        kinds = self._spellings(request.kinds)
        if request.path is None and request.note_id is None:
            ranked = nsmallest(
                request.limit, index.paths, lambda path: (-_degree(index, path), path)
            )
            hops = dict.fromkeys(ranked, 0)
            truncated = len(index.paths) > len(hops)
        else:
            seed = self._seed(index, request)
            follow = self._by_kind(index, kinds) if kinds else None
            hops, truncated = distances(
                seed,
                request.hops,
                request.limit,
                follow or (lambda paths: {near for path in paths for near in _near(index, path)}),
                lambda path: (-_degree(index, path), path),
            )
        graph = self.subgraph(hops, kinds)
        nodes = [self._node(index, path, far) for path, far in hops.items()]
        edges = [GraphEdge(**data) for _, _, data in graph.edges(data=True)]
        edges.sort(key=lambda edge: (edge.source, edge.target, edge.kind, edge.rule_id))
        return GraphResponse(nodes=nodes, edges=edges, truncated=truncated)

    def subgraph(self, paths: Iterable[str], kinds: Sequence[str] = ()) -> nx.MultiDiGraph[str]:
        """The notes at `paths` and all edges among them, as a NetworkX graph of note ids.

        The data of an edge are the fields of `GraphEdge`.
        """
        import networkx as nx

        index = self._index()
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        ids = sorted({index.note_id(path) for path in paths})
        graph.add_nodes_from(ids)
        required = [In("note_id", ids), In("target_note_id", ids)]
        if kinds:
            required.append(In("kind", kinds))
        for edge in self._scan(Where(all=required, none=_STRUCTURAL)):
            key = (edge.kind, edge.rule_id)
            known = graph.get_edge_data(edge.source, edge.target, key)
            if known is None or known["confidence"] < edge.confidence:
                graph.add_edge(edge.source, edge.target, key, **edge.model_dump())
        return graph

    def path(self, request: PathRequest) -> PathResponse:
        """The shortest ways between two notes, at most `limit`. Raises NotANote, StoreError."""
        index = self._index()
        start, end = request.from_path, request.to_path
        for path in (start, end):
            _check(index, path, request.locale)
        import networkx as nx

        between = shortest(start, end, lambda path: _near(index, path))
        if not between:
            return PathResponse(paths=[])
        graph = self.subgraph(between)
        plain: nx.Graph[str] = nx.Graph()
        for path in between:
            plain.add_node(path)
            plain.add_edges_from((path, near) for near in _near(index, path) if near in between)
        ways = islice(nx.all_shortest_paths(plain, start, end), _PAGE)
        chosen = nsmallest(request.limit, ways)
        return PathResponse(paths=[self._steps(index, graph, way) for way in chosen])

    def overview(self, limit: int = 50) -> Overview:
        """Orphans by path and hubs by degree, at most `limit` of each."""
        index = self._index()
        alone = (path for path in index.paths if not _degree(index, path))
        linked = (path for path in index.paths if _degree(index, path))
        hubs = nsmallest(limit, linked, lambda path: (-_degree(index, path), path))
        counts = index.counts
        return Overview(
            notes=counts.notes,
            links=counts.links,
            unresolved=counts.unresolved,
            orphans=[self._node(index, path) for path in islice(alone, limit)],
            hubs=[self._node(index, path) for path in hubs],
        )

    def _steps(
        self, index: VaultIndex, graph: nx.MultiDiGraph[str], way: Sequence[str]
    ) -> list[PathStep]:
        steps = [self._step(index, way[0])]
        for before, path in pairwise(way):
            ends = index.note_id(before), index.note_id(path)
            forward = _strongest(graph, *ends)
            backward = _strongest(graph, *reversed(ends))
            kind = forward or backward or ""
            steps.append(self._step(index, path, kind, bool(forward) or not backward))
        return steps

    @staticmethod
    def _step(index: VaultIndex, path: str, kind: str = "", forward: bool = True) -> PathStep:
        title = index.notes[path].title
        return PathStep(
            note=index.note_id(path), title=title, path=path, kind=kind, forward=forward
        )

    def _node(self, index: VaultIndex, path: str, hops: int = 0) -> GraphNode:
        note = index.notes[path]
        return GraphNode(
            id=index.note_id(path),
            title=note.title,
            type=self._config().types.effective(note).name,
            path=path,
            degree=_degree(index, path),
            hops=hops,
        )

    def _scan(self, where: Where) -> Iterator[GraphEdge]:
        for point in self._edges().scan(where, _FIELDS, page=_PAGE):
            found = point.payload
            source, target = found.get("note_id"), found.get("target_note_id")
            if source and target and source != target:
                yield GraphEdge(
                    source=source,
                    target=target,
                    kind=found["kind"],
                    rule_id=found["rule_id"],
                    provenance=found["provenance"],
                    confidence=found["confidence"],
                )

    def _by_kind(self, index: VaultIndex, kinds: Sequence[str]) -> Callable[[list[str]], set[str]]:
        """The notes at the other ends of edges of these kinds."""

        def follow(paths: list[str]) -> set[str]:
            ids = [index.note_id(path) for path in paths]
            ends = [In("note_id", ids), In("target_note_id", ids)]
            found = self._scan(Where(all=[In("kind", kinds)], any=ends, none=_STRUCTURAL))
            reached = {end for edge in found for end in (edge.source, edge.target)}
            return {path for end in reached if (path := index.path_of(end))}

        return follow

    def _spellings(self, kinds: Sequence[str]) -> list[str]:
        """Kinds as the store has them."""
        relations = self._config().relations
        return sorted({relations.canonical(kind) for kind in kinds})

    def _seed(self, index: VaultIndex, request: GraphRequest) -> str:
        path = request.path
        if path is None:
            path = index.path_of(request.note_id or "") or request.note_id or ""
        _check(index, path, request.locale)
        return path


def _near(index: VaultIndex, path: str) -> set[str]:
    """The notes that the note at `path` links to, and those that link to it."""
    found = {target for target in index.targets(path) if target}
    found.update(index.sources(path))
    found.discard(path)
    return found


def _degree(index: VaultIndex, path: str) -> int:
    return len(_near(index, path))


def _strongest(graph: nx.MultiDiGraph[str], source: str, target: str) -> str:
    """The kind of the surest edge, "" where there is none."""
    edges = (graph.get_edge_data(source, target) or {}).values()
    ranked = sorted((-data["confidence"], data["kind"]) for data in edges)
    return ranked[0][1] if ranked else ""


def _check(index: VaultIndex, path: str, locale: Locale) -> None:
    if index.get(path) is None:
        missing = say(locale, "is no note of this vault", "ist keine Notiz dieses Vaults")
        raise NotANote(f"{path or '(empty)'} {missing}")
