"""The example vault through importer, searcher and graph, in every store: the same payloads,
the same ids, the same hits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.api import QueryRequest
from core.config.load import load_config
from core.graph.service import GraphService
from core.graph.shapes import GraphRequest
from core.ids import point_id
from core.ingest.pipeline import Importer
from core.retrieval.search import Searcher
from core.settings import StoreSettings
from core.store.manifest import Expected
from core.store.ports import Point
from core.store.server_home import open_server_store
from core.store.store import Store, memory_store, open_store
from tests.core.retrieval.kit import EXAMPLES
from tests.support.fake_embedder import FakeEmbedder
from tests.support.qdrant import LocalQdrant
from tests.support.qdrant_server import QdrantServer

VAULT = EXAMPLES / "vault"
EMBEDDER = FakeEmbedder(dim=32)
EXPECTED = Expected(model=EMBEDDER.model, dim=EMBEDDER.dim)
QUERIES = ("project", "Wie plane ich eine Woche?", "decision about the store", "note", "keyword")


class Filled:
    """A store with the example vault in it, and what answers from it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        config = load_config(VAULT)
        importer = Importer(VAULT, store, EMBEDDER, config)
        assert importer.sync().failed == []
        store.mark_synced()
        self.index = importer.index
        self.searcher = Searcher(
            lambda: store.generation, lambda: importer.index, EMBEDDER, lambda: config
        )
        self.graph = GraphService(lambda: store.edges, lambda: importer.index, lambda: config)

    def points(self) -> dict[str, dict[str, Point]]:
        """All points by role and point id."""
        roles = ("notes", "chunks", "edges")
        scans = {role: getattr(self.store, role).scan(vectors=True) for role in roles}
        return {role: {point_id(p.id): p for p in scan} for role, scan in scans.items()}

    def answers(self) -> list[Any]:
        """What a client sees of a few questions."""
        found: list[Any] = []
        for query in QUERIES:
            for mode in ("semantic", "hybrid"):
                asked = QueryRequest(query=query, mode=mode, top_k=8)  # type: ignore[arg-type]
                hits = self.searcher.query(asked).hits
                assert hits
                found.append([(h.chunk_id, h.section, h.start_line) for h in hits])
                found.append(pytest.approx([h.score for h in hits], abs=1e-5))
        for path in self.index.paths:
            found.append(self.graph.expand(GraphRequest(path=path, hops=2)).model_dump())
        return found


Open = Callable[[Path], Store]


def _server(folder: Path, client: Any) -> Store:
    settings = StoreSettings()
    return open_server_store(settings, "m", EXPECTED, vault="v", folder=folder, client=client)


def _http(folder: Path) -> Store:
    server = QdrantServer().start()
    settings = StoreSettings(mode="server", url=server.url)
    store = open_server_store(settings, "m", EXPECTED, vault="v", folder=folder)
    stop = store.close
    store.close = lambda: (stop(), server.stop())[0]  # type: ignore[method-assign]
    return store


BACKENDS: dict[str, Open] = {
    "memory": lambda folder: memory_store("m", EXPECTED),
    "local": lambda folder: _server(folder, LocalQdrant()),
    "http": _http,
}


@pytest.fixture(scope="module")
def edge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    """What the embedded store holds and answers."""
    with open_store(tmp_path_factory.mktemp("edge"), "m", EXPECTED) as store:
        filled = Filled(store)
        yield filled.points(), filled.answers()


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_store_holds_and_answers_the_same(
    edge: tuple[Any, Any], backend: str, tmp_path: Path
) -> None:
    with BACKENDS[backend](tmp_path) as store:
        filled = Filled(store)
        points, answers = edge
        found = filled.points()
        for role, expected in points.items():
            assert expected
            assert {key: p.payload for key, p in found[role].items()} == {
                key: p.payload for key, p in expected.items()
            }
            for key, point in expected.items():
                same(found[role][key].vector, point.vector)
                same(values(found[role][key]), values(point))
        for mine, theirs in zip(filled.answers(), answers, strict=True):
            assert mine == theirs if not hasattr(mine, "expected") else mine.expected == theirs


def values(point: Point) -> Any:
    """Indices and values of its sparse vector."""
    return point.sparse and [point.sparse.indices, point.sparse.values]


def same(mine: Any, theirs: Any) -> None:
    assert (mine is None) == (theirs is None)
    if mine is not None:
        np.testing.assert_allclose(mine, theirs, atol=1e-6)
