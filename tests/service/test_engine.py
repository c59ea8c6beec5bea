"""The engine in this process: which job is next, what stops what, what is said of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import core.service.keeper
from core.api import QueryRequest, SyncProgress, SyncResult
from core.errors import Cancelled, NotIndexed, StoreCorrupt
from core.service.engine import Engine
from core.service.jobs import Job, Jobs, sync_paths
from core.service.keeper import Keeper
from core.settings import Settings, read_settings
from tests.support.cores import write_vault
from tests.support.fake_embedder import FakeEmbedder
from tests.support.waiting import wait_for

PATIENCE = 20.0
MANY = 70
"""Notes for two batches and a bit."""


class Desk:
    """A vault, and engines over it one after the other."""

    def __init__(self, folder: Path) -> None:
        self.root, self.folder = folder / "vault", folder / "data"
        self.embedder: FakeEmbedder | None = None
        self.engine: Engine | None = None

    def start(self, embedder: FakeEmbedder | None = None) -> Engine:
        self.stop()
        self.embedder = embedder
        self.engine = Engine(self.root, self.folder, Settings(), embedder)
        return self.engine

    def stop(self) -> None:
        if self.engine is not None:
            engine, self.engine = self.engine, None
            engine.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    made.root.mkdir()
    yield made
    made.stop()


def done(job: Job) -> SyncResult:
    return job.result.result(PATIENCE)


def found(engine: Engine, text: str, **more: Any) -> list[str]:
    return [hit.path for hit in engine.query(QueryRequest(query=text, **more)).hits]


class Gate:
    """Holds a job at its first progress in a phase until `open`."""

    def __init__(self, phase: str) -> None:
        self._phase = phase
        self.reached, self._passed = threading.Event(), threading.Event()

    def __call__(self, step: SyncProgress) -> None:
        if step.phase == self._phase and not self.reached.is_set():
            self.reached.set()
            assert self._passed.wait(PATIENCE)

    def open(self) -> None:
        self._passed.set()


@pytest.mark.parametrize("full", [False, True])
def test_a_saved_note_goes_before_a_whole_import(desk: Desk, full: bool) -> None:
    """What was done before the stop counts, and is not done again."""
    write_vault(desk.root, MANY)
    embedder = FakeEmbedder()
    engine = desk.start(embedder)
    if full:
        done(engine.submit(Job(None)))
    before, gate, order = len(embedder.inputs), Gate("write"), list[str]()

    def noted(name: str) -> Callable[[Future[SyncResult]], None]:
        return lambda _: order.append(name)

    whole = engine.submit(Job(None, full, on_progress=gate))
    assert gate.reached.wait(PATIENCE)
    write_vault(desk.root, new="# New\n\nA kingfisher.")
    later = engine.submit(Job(None))
    saved = engine.submit(Job(("new.md",)))
    for name, job in (("whole", whole), ("later", later), ("saved", saved)):
        job.result.add_done_callback(noted(name))
    gate.open()
    assert done(saved).changed == 1
    result, last = done(whole), done(later)
    assert order == ["saved", "whole", "later"]
    assert (result.notes, result.deleted, result.failed) == (MANY + 1, 0, [])
    assert result.changed == MANY + full, "a full import takes the new note as well"
    assert last.changed == last.embedded == 0
    fresh = embedder.inputs[before:]
    again = [text for text in set(fresh) if fresh.count(text) > 1]
    assert [text for text in again if "kingfisher" not in text] == []
    assert found(engine, "New A kingfisher.")[0] == "new.md"
    status = engine.status()
    assert (status.index.state, status.index.pending, status.notes) == ("ready", 0, MANY + 1)


def test_the_status_says_what_is_left(desk: Desk) -> None:
    write_vault(desk.root, MANY)
    engine = desk.start()
    gate = Gate("write")
    job = engine.submit(Job(None, on_progress=gate))
    assert gate.reached.wait(PATIENCE)
    index = engine.status().index
    assert index.state == "indexing"
    assert 0 < index.pending < MANY
    gate.open()
    done(job)
    assert engine.status().index.state == "ready"


def test_a_dry_run_only_counts(desk: Desk) -> None:
    write_vault(desk.root, 2)
    engine = desk.start()
    result = done(engine.submit(Job(None, dry_run=True)))
    assert (result.changed, result.deleted, result.notes) == (2, 0, 0)
    engine._state = engine.status().index.model_copy(update={"state": "starting"})
    with pytest.raises(NotIndexed) as caught:
        engine.query(QueryRequest(query="mill", locale="de"))
    assert caught.value.message == "der Vault ist nicht indiziert"
    assert done(engine.submit(Job(None))).changed == 2
    assert done(engine.submit(Job(None, dry_run=True))).changed == 0
    (desk.root / "n0000.md").unlink()
    result = done(engine.submit(Job(None, dry_run=True)))
    assert (result.deleted, result.notes) == (1, 2)


def test_a_note_that_fails_leaves_the_others(desk: Desk) -> None:
    write_vault(desk.root, good="An otter.", bad="A poison.")
    embedder = FakeEmbedder()
    embedder.refuses = {"poison"}
    engine = desk.start(embedder)
    result = done(engine.submit(Job(None)))
    assert [one.path for one in result.failed] == ["bad.md"]
    assert (result.changed, engine.status().index.state) == (1, "ready")
    assert found(engine, "otter") == ["good.md"]
    embedder.refuses = set()
    assert done(engine.submit(Job(None))).changed == 1


def test_a_stopped_import_is_taken_up_by_the_next(desk: Desk) -> None:
    write_vault(desk.root, MANY)
    engine = desk.start()
    gate = Gate("write")
    job = engine.submit(Job(None, on_progress=gate))
    assert gate.reached.wait(PATIENCE)
    job.cancelled.set()
    gate.open()
    with pytest.raises(Cancelled):
        done(job)
    written = engine.status().notes
    assert 0 < written < MANY
    assert engine.status().index.state == "ready"
    result = done(engine.submit(Job(None)))
    assert (result.changed, result.notes) == (MANY - written, MANY)
    waiting = Job(None)
    waiting.cancelled.set()
    with pytest.raises(Cancelled):
        done(engine.submit(waiting))


async def test_who_stops_waiting_stops_nothing(desk: Desk) -> None:
    write_vault(desk.root, 3)
    engine = desk.start()
    gate = Gate("read")
    job = engine.submit(Job(None, on_progress=gate))
    waiting = asyncio.ensure_future(asyncio.wrap_future(job.result))
    await asyncio.to_thread(gate.reached.wait, PATIENCE)
    waiting.cancel()
    gate.open()
    assert (await asyncio.to_thread(done, job)).notes == 3
    assert (await asyncio.to_thread(done, engine.submit(Job(None)))).changed == 0


def test_closing_fails_what_waits(desk: Desk) -> None:
    write_vault(desk.root, MANY)
    engine = desk.start()
    gate = Gate("write")
    running = engine.submit(Job(None, on_progress=gate))
    assert gate.reached.wait(PATIENCE)
    waiting = engine.submit(Job(None))
    closing = threading.Thread(target=desk.stop)
    closing.start()
    with pytest.raises(Cancelled):
        done(waiting)
    gate.open()
    with pytest.raises(Cancelled):
        done(running)
    closing.join(PATIENCE)
    with pytest.raises(Cancelled):
        done(engine.submit(Job(None)))


def test_another_model_means_a_rebuild_beside_the_old_index(desk: Desk) -> None:
    write_vault(desk.root, heron="A heron in the reeds.", otter="An otter in the river.")
    done(desk.start().submit(Job(None)))
    engine = desk.start(FakeEmbedder())
    assert engine.status().store.state == "rebuild"
    gate = Gate("write")
    job = engine.submit(Job(None, on_progress=gate))
    assert gate.reached.wait(PATIENCE)
    answer = engine.query(QueryRequest(query="heron"))
    assert answer.hits[0].path == "heron.md"
    assert answer.notice == (
        "searched by words alone: the index was built with no embedding model"
        " and is being built anew"
    )
    gate.open()
    assert done(job).embedded == 2
    assert engine.status().store.state == "ready"
    answer = engine.query(QueryRequest(query="heron", mode="semantic"))
    assert answer.hits[0].path == "heron.md"
    engine = desk.start(FakeEmbedder())
    assert engine.status().store.state == "ready"
    assert done(engine.submit(Job(None))).changed == 0


def test_a_cancelled_rebuild_goes_on(desk: Desk) -> None:
    write_vault(desk.root, MANY)
    done(desk.start().submit(Job(None)))
    engine = desk.start(FakeEmbedder())
    gate = Gate("write")
    job = engine.submit(Job(None, on_progress=gate))
    assert gate.reached.wait(PATIENCE)
    job.cancelled.set()
    gate.open()
    with pytest.raises(Cancelled):
        done(job)
    wait_for(lambda: engine.status().index.state == "ready", PATIENCE)
    assert (engine.status().store.state, engine.status().notes) == ("ready", MANY)


@pytest.mark.parametrize("name", ["manifest.json", "*.dat", "current", "lexicon"])
def test_damaged_files_are_built_anew(desk: Desk, name: str) -> None:
    write_vault(desk.root, heron="A heron.", otter="An otter.")
    done(desk.start().submit(Job(None)))
    desk.stop()
    store = desk.folder / "store" / "mindnet"
    damaged = list(store.rglob(name))
    assert damaged
    for path in damaged:
        path.write_bytes(b"\x00not what it was\xff")
    engine = desk.start()
    done(engine.submit(Job(None)))
    assert found(engine, "heron")[0] == "heron.md"
    assert (engine.status().notes, engine.status().index.state) == (2, "ready")


def test_damage_that_a_reader_meets_is_mended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    write_vault(desk.root, heron="A heron.")
    engine = desk.start()
    done(engine.submit(Job(None)))

    def broken(*_: Any, **__: Any) -> Any:
        raise StoreCorrupt("a segment cannot be read")

    monkeypatch.setattr(engine.store.generation.chunks, "search_sparse", broken)
    for _ in range(2):
        try:
            engine.query(QueryRequest(query="heron"))
        except StoreCorrupt:
            continue
    wait_for(lambda: engine._rebuilds == 1 and engine.status().index.state == "ready", PATIENCE)
    assert found(engine, "heron") == ["heron.md"]


def test_damage_that_the_writer_meets_is_mended(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job that met it has its result; damage without end is an error."""
    write_vault(desk.root, heron="A heron.")
    engine = desk.start()
    done(engine.submit(Job(None)))

    def broken(*_: Any, **__: Any) -> Any:
        raise StoreCorrupt("a segment cannot be written")

    write_vault(desk.root, otter="An otter.")
    monkeypatch.setattr(engine.store.generation.notes, "upsert", broken)
    assert done(engine.submit(Job(("otter.md",)))).changed == 1
    wait_for(lambda: engine.status().index.state == "ready", PATIENCE)
    assert engine.status().notes == 2
    monkeypatch.setattr("core.ingest.write.NoteWriter.write", broken)
    with pytest.raises(StoreCorrupt):
        done(engine.submit(Job(None, full=True)))
    assert engine.status().index.last_error == "a segment cannot be written"
    assert found(engine, "otter")[0] == "otter.md"


def test_a_fault_of_ours_does_not_end_the_writer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_vault(desk.root, heron="A heron.")
    engine = desk.start()
    with monkeypatch.context() as patch:

        def broken(*_: Any, **__: Any) -> Any:
            raise ValueError("secret text")

        patch.setattr("core.ingest.pipeline.plan", broken)
        with pytest.raises(ValueError, match="secret"):
            done(engine.submit(Job(None)))
        assert engine.status().index.last_error == "ValueError"
    assert done(engine.submit(Job(None))).notes == 1


def test_the_vaults_own_types_are_read_again(desk: Desk) -> None:
    write_vault(desk.root, heron="---\ntype: bird\n---\nA heron.", otter="An otter.")
    engine = desk.start()
    done(engine.submit(Job(None)))
    own = desk.root / ".mindnet"
    own.mkdir()
    (own / "types.yaml").write_text("types:\n  bird:\n    retriever_weight: 1.3\n")
    result = done(engine.reload_config())
    assert (result.changed, result.failed) == (1, [])


def test_a_whole_sync_sees_that_the_types_changed(desk: Desk) -> None:
    """Nobody has to say so: the command line's import and the next start are enough."""
    write_vault(desk.root, heron="---\ntype: bird\n---\nA heron.", otter="An otter.")
    embedder = FakeEmbedder()
    engine = desk.start(embedder)
    done(engine.submit(Job(None)))
    inputs = len(embedder.inputs)
    own = desk.root / ".mindnet"
    own.mkdir()
    (own / "types.yaml").write_text("types:\n  bird:\n    retriever_weight: 1.3\n")
    assert done(engine.submit(Job(None))).changed == 1
    assert done(engine.submit(Job(None))).changed == 0
    (own / "types.yaml").unlink()
    assert done(engine.submit(Job(None))).changed == 1
    # the same text in the same window: the vectors serve again
    assert len(embedder.inputs) == inputs


def test_the_queue_says_once_that_it_is_quiet() -> None:
    jobs, quiet = Jobs(), list[int]()
    first = Job(("a.md",))

    def on_quiet() -> None:
        quiet.append(1)
        jobs.put(first)

    assert jobs.take(0.0, on_quiet) is first
    assert quiet == [1]
    jobs.close()
    assert jobs.take(0.0, on_quiet) is None


def test_paths_of_a_request() -> None:
    assert sync_paths(["b.md", "a\\c.md", "/b.md", "b.md"]) == ("b.md", "a/c.md")


def test_the_store_lies_where_the_settings_say(desk: Desk, tmp_path: Path) -> None:
    """Below it each vault has a folder of its own, so that two may share the setting."""
    write_vault(desk.root, a="# A\n\nA heron.")
    settings = read_settings({"store.path": str(tmp_path / "elsewhere")})[0]
    desk.engine = engine = Engine(desk.root, desk.folder, settings, None)
    assert done(engine.submit(Job(None))).notes == 1
    assert (tmp_path / "elsewhere" / desk.folder.name / "mindnet" / "current").is_file()
    assert not (desk.folder / "store").exists()


def test_the_status_counts_while_an_import_runs(desk: Desk) -> None:
    write_vault(desk.root, MANY)
    engine, gate = desk.start(), Gate("write")
    whole = engine.submit(Job(None, on_progress=gate))
    assert gate.reached.wait(PATIENCE)
    found = engine.status()
    gate.open()
    result = done(whole)
    assert found.index.state == "indexing"
    assert 0 < found.notes < result.notes
    assert 0 < found.chunks < result.chunks


@pytest.mark.parametrize(("pause", "often"), [(1e9, False), (0.0, True)])
def test_points_are_counted_now_and_then(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, pause: float, often: bool
) -> None:
    """A count looks at every point of the store, so there is not one a batch."""
    monkeypatch.setattr(core.service.keeper, "COUNT_PAUSE", pause)
    counted: list[int] = []
    count = Keeper.count

    def counts(keeper: Keeper) -> None:
        count(keeper)
        counted.append(keeper.counts[0])

    monkeypatch.setattr(Keeper, "count", counts)
    write_vault(desk.root, MANY)
    engine = desk.start()
    opened = len(counted)
    assert done(engine.submit(Job(None))).notes == MANY
    wait_for(lambda: counted[-1] == MANY, what="the last count")
    assert any(0 < notes < MANY for notes in counted[opened:]) is often
    assert engine.status().notes == MANY
