"""An engine whose store is on a server: over HTTP, away, refused, shared with another."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import core.service.engine
import core.store.server_calls
from core.api import QueryRequest, SyncResult
from core.errors import MindnetError, StoreLocked, StoreUnavailable
from core.service.engine import Engine
from core.service.jobs import Job
from core.settings import read_settings
from core.store.lexicon import Lexicon
from tests.support.cores import write_vault
from tests.support.fake_embedder import FakeEmbedder
from tests.support.qdrant_server import QdrantServer
from tests.support.waiting import wait_for

PATIENCE = 20.0
KEY = "a-very-secret-key"


class Site:
    """A server, and engines of machines that use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = QdrantServer(api_key=KEY)
        self.engines: list[Engine] = []

    def start(self, machine: str = "a", key: str | None = KEY, **notes: str) -> Engine:
        root = write_vault(self.folder / machine / "garden", **notes)
        store = {"mode": "server", "url": self.server.url, "api_key": key}
        settings, warnings = read_settings({"store": store})
        assert warnings == []
        engine = Engine(root, self.folder / machine / "data", settings, FakeEmbedder())
        self.engines.append(engine)
        return engine

    def write(self, machine: str, **notes: str) -> None:
        write_vault(self.folder / machine / "garden", **notes)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(core.service.engine, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(core.service.engine, "IDLE_FLUSH_SECONDS", 0.05)
    monkeypatch.setattr(core.store.server_calls, "PAUSES", ())
    made = Site(tmp_path)
    made.server.start()
    yield made
    for engine in made.engines:
        engine.close()
    made.server.stop()


def done(job: Job) -> SyncResult:
    return job.result.result(PATIENCE)


def paths(engine: Engine, text: str) -> list[str]:
    return [hit.path for hit in engine.query(QueryRequest(query=text)).hits]


def settled(engine: Engine) -> bool:
    status = engine.status()
    return (status.index.state, status.store.state) == ("ready", "ready")


def test_import_search_and_restart_over_http(site: Site) -> None:
    engine = site.start(heron="A heron in the reeds.", otter="An otter. [[heron]]")
    result = done(engine.submit(Job(None)))
    assert (result.notes, result.failed) == (2, [])
    assert paths(engine, "heron")[0] == "heron.md"
    status = engine.status()
    assert (status.store.mode, status.store.state, status.notes) == ("server", "ready", 2)
    assert not list((site.folder / "a").rglob("edge_config.json"))
    engine.close()
    again = site.start()
    assert done(again.submit(Job(None))).changed == 0
    assert again.status().notes == 2


def test_a_server_that_is_away_at_the_start(site: Site) -> None:
    site.server.stop()
    engine = site.start(heron="A heron in the reeds.")
    status = engine.status()
    assert status.store.mode == "server"
    assert status.store.state == "unavailable: the Qdrant server does not answer"
    with pytest.raises(StoreUnavailable) as caught:
        engine.query(QueryRequest(query="heron"))
    assert "store.url" in caught.value.hint
    with pytest.raises(StoreUnavailable):
        done(engine.submit(Job(("heron.md",))))
    assert engine.status().index.last_error == "the Qdrant server does not answer"
    site.server.start()
    wait_for(lambda: settled(engine), PATIENCE)
    assert paths(engine, "heron") == ["heron.md"]


def test_a_server_that_goes_away_and_comes_back(site: Site) -> None:
    engine = site.start(heron="A heron in the reeds.")
    done(engine.submit(Job(None)))
    site.server.stop()
    with pytest.raises(StoreUnavailable):
        engine.query(QueryRequest(query="heron"))
    site.write("a", otter="An otter in the river.")
    with pytest.raises(StoreUnavailable):
        done(engine.submit(Job(("otter.md",))))
    assert engine.status().store.state.startswith("unavailable")
    site.server.start()
    wait_for(lambda: settled(engine) and engine.status().notes == 2, PATIENCE)
    assert paths(engine, "otter")[0] == "otter.md", "what was saved meanwhile is there"


def test_a_reader_that_meets_the_fault_alone_is_enough(site: Site) -> None:
    engine = site.start(heron="A heron in the reeds.")
    done(engine.submit(Job(None)))
    site.server.refuse = 500
    with pytest.raises(StoreUnavailable):
        engine.query(QueryRequest(query="heron"))
    assert engine.status().store.state == "unavailable: the Qdrant server failed (HTTP 500)"
    site.server.refuse = 0
    wait_for(lambda: settled(engine), PATIENCE)
    assert paths(engine, "heron") == ["heron.md"]


def test_lost_in_the_middle_of_an_import(site: Site) -> None:
    engine = site.start(**{f"n{i}": f"Note {i} about herons." for i in range(80)})

    def cut(step: Any) -> None:
        if step.phase == "write" and step.done:
            site.server.refuse = 503

    with pytest.raises(StoreUnavailable):
        done(engine.submit(Job(None, on_progress=cut)))
    site.server.refuse = 0
    wait_for(lambda: settled(engine) and engine.status().notes == 80, PATIENCE)
    store = engine.store
    assert store.chunks.count() == 80
    assert store.lexicon == Lexicon.count(store.chunks)


def test_a_wrong_key_is_said_and_never_logged(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        engine = site.start(key="wrong-secret", heron="A heron in the reeds.")
        wait_for(lambda: len(site.server.requests) > 2, PATIENCE)
        assert engine.status().store.state == "unavailable: the Qdrant server refuses the key"
        good = site.start("b", heron="A heron in the reeds.")
        done(good.submit(Job(None)))
    for secret in ("wrong-secret", KEY, "in the reeds"):
        assert secret not in caplog.text
    assert "secret" not in repr(engine.settings)


def test_a_foreign_vault_is_refused(site: Site) -> None:
    engine = site.start(heron="A heron in the reeds.")
    done(engine.submit(Job(None)))
    root = write_vault(site.folder / "c" / "kitchen", soup="Soup.")
    other = Engine(root, site.folder / "c" / "data", engine.settings, FakeEmbedder())
    site.engines.append(other)
    assert "'garden'" in other.status().store.state
    with pytest.raises(MindnetError, match="belong to the vault"):
        done(other.submit(Job(None)))
    assert engine.store.notes.count() == 1


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "nonsense"])
def test_a_bad_address_is_said(site: Site, url: str) -> None:
    root = write_vault(site.folder / "d", heron="A heron.")
    settings, _ = read_settings({"store": {"mode": "server", "url": url}})
    engine = Engine(root, site.folder / "data", settings, None)
    site.engines.append(engine)
    assert "store.url" in engine.status().store.state


def test_two_machines_share_one_index(site: Site) -> None:
    one = site.start("a", heron="A heron in the reeds.")
    written(one, Job(None))
    two = site.start("b", heron="A heron in the reeds.")
    result = written(two, Job(None))
    assert (result.changed, result.embedded) == (0, 0), "the other one wrote it already"
    site.write("b", otter="An otter.")
    written(two, Job(("otter.md",)))
    assert paths(one, "otter")[0] == "otter.md"
    site.write("a", otter="An otter.", newt="A newt.")
    assert written(one, Job(("newt.md",))).notes == 3
    assert two.store.notes.count() == 3


def written(engine: Engine, job: Job) -> SyncResult:
    """The result of a sync, tried again while the other machine still writes."""
    results: list[SyncResult] = []

    def tried() -> bool:
        again = Job(job.paths)
        error = engine.submit(again).result.exception(PATIENCE)
        assert error is None or isinstance(error, StoreLocked), error
        results.extend([] if error else [again.result.result()])
        return bool(results)

    wait_for(tried, PATIENCE)
    return results[0]
