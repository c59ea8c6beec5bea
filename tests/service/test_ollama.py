"""A core whose embedding model is Ollama's: chosen, kept, away, back, and another one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.api import QueryRequest, SyncResult
from core.embedding.bundled import MODEL as BUNDLED
from core.embedding.make import make_embedder
from core.errors import EmbeddingUnavailable
from core.service import comeback
from core.service import engine as engines
from core.service.engine import Engine
from core.service.jobs import Job
from core.settings import read_settings
from tests.support import fake_ollama
from tests.support.cores import write_vault
from tests.support.fake_ollama import FakeModel, FakeOllama
from tests.support.qdrant_server import QdrantServer
from tests.support.waiting import wait_for

PATIENCE = 30.0
NOMIC = "nomic-embed-text:latest"


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with FakeOllama(FakeModel(NOMIC, ("embedding",), 2048, dim=32)) as fake:
        yield fake


class Desk:
    """A vault, and engines over it, each with the embedder that its settings give."""

    def __init__(self, folder: Path, server: FakeOllama) -> None:
        self.root, self.folder, self.server = folder / "vault", folder / "data", server
        self.engine: Engine | None = None

    def start(self, store: dict[str, Any] | None = None, **embedding: Any) -> Engine:
        self.stop()
        llm = {"url": self.server.url, "timeout": 5}
        tree = {"embedding": embedding, "llm": llm, "store": store or {}}
        settings, warnings = read_settings(tree)
        assert warnings == []
        embedder = make_embedder(settings, self.root, self.folder)
        self.engine = Engine(self.root, self.folder, settings, embedder)
        return self.engine

    def stop(self) -> None:
        if self.engine is not None:
            engine, self.engine = self.engine, None
            engine.close()


@pytest.fixture
def desk(tmp_path: Path, server: FakeOllama, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(comeback, "SOONEST", 0.05)
    monkeypatch.setattr(engines, "IDLE_FLUSH_SECONDS", 0.05)
    made = Desk(tmp_path, server)
    write_vault(made.root, weir="# Weir\n\nWater over a weir.", mill="# Mill\n\nGrain and stone.")
    yield made
    made.stop()


def synced(engine: Engine, *paths: str) -> SyncResult:
    return engine.submit(Job(paths or None)).result.result(PATIENCE)


def built(engine: Engine) -> tuple[str, int | None]:
    return engine.store.manifest.model.partition("@")[0], engine.store.manifest.dim


def near(engine: Engine, text: str) -> list[str]:
    """Notes by meaning alone."""
    return [hit.path for hit in engine.query(QueryRequest(query=text, mode="semantic")).hits]


def test_ollama_is_chosen_at_the_first_index_and_kept(desk: Desk) -> None:
    engine = desk.start()
    synced(engine)
    assert built(engine) == ("ollama:nomic-embed-text", 32)
    told = engine.status().embedding
    assert (told.provider, told.model, told.dim, told.state) == (
        "ollama",
        "nomic-embed-text",
        32,
        "ready",
    )
    assert near(engine, "weir water")[0] == "weir.md"
    # away at the next start: it may come back, so the index stays as it is
    desk.server.stop()
    engine = desk.start()
    assert synced(engine).changed == 0
    assert built(engine) == ("ollama:nomic-embed-text", 32)
    answer = engine.query(QueryRequest(query="weir water"))
    assert answer.hits[0].path == "weir.md"
    assert "does not answer" in str(answer.notice)
    # and it recovers by itself
    desk.server.start()
    assert near(engine, "weir water")[0] == "weir.md"


def test_what_was_built_with_the_bundled_model_stays_so(desk: Desk) -> None:
    del desk.server.models[NOMIC]
    engine = desk.start()
    assert synced(engine).embedded
    assert built(engine) == (BUNDLED, 512)
    desk.server.models[NOMIC] = FakeModel(NOMIC, ("embedding",), dim=32)
    engine = desk.start()
    assert synced(engine).embedded == 0
    assert built(engine) == (BUNDLED, 512)
    # unless the user asks for another
    engine = desk.start(provider="ollama")
    synced(engine)
    assert built(engine) == ("ollama:nomic-embed-text", 32)
    assert near(engine, "weir water")[0] == "weir.md"


def test_a_model_that_was_removed_is_replaced(desk: Desk) -> None:
    synced(desk.start())
    del desk.server.models[NOMIC]
    engine = desk.start()
    synced(engine)
    assert built(engine) == (BUNDLED, 512)


def test_away_in_the_middle_of_an_import_and_back(desk: Desk) -> None:
    engine = desk.start()
    synced(engine)
    desk.server.stop()
    write_vault(desk.root, kingfisher="# Kingfisher\n\nA blue bird.", otter="# Otter\n\nA fur.")
    result = synced(engine)
    assert [(one.path, "does not answer" in one.reason) for one in result.failed] == [
        ("kingfisher.md", True),
        ("otter.md", True),
    ]
    assert engine.status().embedding.state == "unavailable"
    assert engine.query(QueryRequest(query="weir")).hits[0].path == "weir.md"
    desk.server.start()
    wait_for(lambda: engine.store.notes.count() == 4, PATIENCE, "the notes that were missed")
    assert near(engine, "blue bird")[0] == "kingfisher.md"
    assert engine.status().embedding.state == "ready"


def test_another_model_under_the_same_name_means_another_index(desk: Desk) -> None:
    engine = desk.start()
    synced(engine)
    first = engine.store.generation
    desk.server.models[NOMIC] = FakeModel(NOMIC, ("embedding",), dim=48, digest="e" * 64)
    with pytest.raises(EmbeddingUnavailable):
        near(engine, "weir water")  # never one model's vector among another's
    wait_for(lambda: engine.store.generation is not first, PATIENCE, "the new index")
    wait_for(lambda: not engine.busy, PATIENCE)
    assert engine.store.manifest.model == f"ollama:nomic-embed-text@{'e' * 12}"
    assert engine.store.manifest.dim == 48
    assert near(engine, "weir water")[0] == "weir.md"


def test_an_ollama_that_was_never_there_is_waited_for(desk: Desk) -> None:
    """By words at once, by meaning when it comes."""
    desk.server.stop()
    engine = desk.start(provider="ollama")
    result = synced(engine)
    assert (result.notes, result.failed) == (2, [])
    assert engine.query(QueryRequest(query="weir")).hits[0].path == "weir.md"
    desk.server.start()
    wait_for(lambda: engine.store.manifest.dim == 32, PATIENCE, "an index with vectors")
    wait_for(lambda: not engine.busy, PATIENCE)
    assert near(engine, "weir water")[0] == "weir.md"


def test_a_zero_vector_stops_that_note_and_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = desk.start()
    write_vault(desk.root, heron="# Heron\n\nIt stands.")
    real = fake_ollama.vector_of

    def silent(text: str, dim: int) -> list[float]:
        return [0.0] * dim if "Heron" in text else real(text, dim)

    monkeypatch.setattr(fake_ollama, "vector_of", silent)
    result = synced(engine)
    assert [one.path for one in result.failed] == ["heron.md"]
    assert near(engine, "weir water")[0] == "weir.md"


def test_lc_02_one_long_text_does_not_take_the_others_with_it(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    desk.server.models[NOMIC].limit = 8000
    row = "| " + " | ".join(f"secret{number}" for number in range(3000)) + " |"
    table = f"| a |\n|---|\n{row}\n"
    assert len(row) > 30_000
    write_vault(desk.root, table=f"# Table\n\nBefore.\n\n{table}")
    with caplog.at_level(logging.WARNING):
        engine = desk.start()
        result = synced(engine)
    assert (result.notes, result.failed) == (3, [])
    assert near(engine, "weir water")[0] == "weir.md"
    assert near(engine, "Table Before")[0] == "table.md"
    told = [record.getMessage() for record in caplog.records]
    assert [line.partition(":")[0] for line in told if "beginning" in line] == ["table.md"]
    assert any(line.startswith("table.md:7:") for line in told), told
    assert not any("secret" in line for line in told)
    sent = [text for one in desk.server.asked("/api/embed") for text in one.body["input"]]
    assert all(len(text) <= 2048 * 12 for text in sent)


def test_a_store_server_that_is_away_is_no_first_index(desk: Desk) -> None:
    """What it was built with is known on this machine, so nothing is built anew for nothing."""
    del desk.server.models[NOMIC]
    qdrant = QdrantServer().start()
    store = {"mode": "server", "url": qdrant.url}
    try:
        synced(desk.start(store))
        desk.stop()
        qdrant.stop()
        desk.server.models[NOMIC] = FakeModel(NOMIC, ("embedding",), dim=32)
        assert desk.start(store).status().embedding.provider == "bundled"
    finally:
        desk.stop()
        qdrant.stop()
