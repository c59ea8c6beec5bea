"""Opening, checking, killing and rebuilding a vault's store on disk."""

from __future__ import annotations

import dataclasses
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

from core.embedding.sparse import document_vector
from core.errors import (
    InvalidArguments,
    InvalidPoint,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreLocked,
    UnsafeDelete,
)
from core.store.edge import EdgeCollection
from core.store.lexicon import Lexicon
from core.store.manifest import Expected, read_manifest, write_manifest
from core.store.ports import Eq, Point, Where
from core.store.store import Store, memory_store, open_store
from tests.core.store.conftest import SCHEMA

ROOT = Path(__file__).parents[3]
EXPECTED = Expected(model="m4", dim=4, chunking_version=1)


def reopen(path: Path, expected: Expected = EXPECTED) -> Store:
    return open_store(path, "demo", expected)


def chunk(note: str, index: int, text: str = "Die Schleuse am oberen Tor") -> Point:
    vector = np.array([1, index + 1, 0, 0], dtype=np.float32)
    payload = {"note_id": note, "index": index, "text": text}
    return Point(f"{note}#c{index:02d}", vector, document_vector(text), payload)


def fill(store: Store, notes: int = 3) -> None:
    for number in range(notes):
        name = f"n{number}"
        store.chunks.upsert(chunk(name, index) for index in range(2))
        store.edges.upsert([Point(f"e{number}", payload={"note_id": name, "kind": "references"})])
        store.notes.upsert([Point(name, payload={"title": name})])


def generations(path: Path) -> list[str]:
    return sorted(p.name for p in (path / "demo").iterdir() if p.name.startswith("g"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A data folder with a filled and closed store."""
    with reopen(tmp_path) as store:
        fill(store)
    return tmp_path


def test_new_then_ready(tmp_path: Path) -> None:
    with reopen(tmp_path) as store:
        assert store.report.state == "new"
        fill(store)
    with reopen(tmp_path) as store:
        assert store.report.state == "ready"
        assert store.counts() == {"notes": 3, "chunks": 6, "edges": 3}
        assert store.manifest.clean
        assert store.manifest.counts == store.counts()
        assert store.lexicon == Lexicon.count(store.chunks)
        assert not store.generation.lexicon_stale


def test_opened_and_closed_without_a_write(tmp_path: Path) -> None:
    reopen(tmp_path).close()
    with reopen(tmp_path) as store:
        assert store.report.state == "ready"


def test_the_folder_is_private(path: Path) -> None:
    assert (path / "demo").stat().st_mode & 0o077 == 0


def test_prefixes_are_apart_and_plain(path: Path) -> None:
    with open_store(path, "other", EXPECTED) as store:
        assert store.report.state == "new"
        assert store.chunks.schema.name == "other_chunks"
    for bad in ("", "../up", "a/b", ".hidden", "-"):
        with pytest.raises(InvalidArguments):
            open_store(path, bad, EXPECTED)


def test_the_first_write_after_a_flush_makes_it_unclean(path: Path) -> None:
    with reopen(path) as store:
        folder = store.generation.folder
        assert folder is not None
        store.notes.set_payload(Eq("note_id", "n0"), {"title": "new"})
        found = read_manifest(folder)
        assert found is not None
        assert not found.clean
        store.flush()
        found = read_manifest(folder)
        assert found is not None
        assert found.clean


def test_a_folder_that_cannot_be_made_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError) as caught:
        reopen(tmp_path / "file")
    assert caught.value.hint


def test_second_opener_in_this_process(path: Path) -> None:
    with reopen(path) as store:
        with pytest.raises(StoreLocked) as caught:
            reopen(path)
        assert caught.value.code == "store_locked"
        assert store.chunks.count() == 6
    reopen(path).close()


def test_the_engine_has_its_own_lock(tmp_path: Path) -> None:
    first = EdgeCollection(tmp_path / "c", SCHEMA, min_free=0)
    first.ensure()
    with pytest.raises(StoreLocked):
        EdgeCollection(tmp_path / "c", SCHEMA, min_free=0).ensure()
    first.close()
    second = EdgeCollection(tmp_path / "c", SCHEMA, min_free=0)
    second.ensure()
    second.close()


WRITER = """
import sys
from pathlib import Path
from tests.core.store.test_store import EXPECTED, chunk, open_store
from core.store.ports import Eq

store = open_store(Path(sys.argv[1]), "demo", EXPECTED)
print("open", flush=True)
for number in range(10_000):
    note = f"w{number % 40}"
    store.chunks.delete(Eq("note_id", note))
    store.chunks.upsert(chunk(note, index, f"Wort{number} am Ufer") for index in range(8))
    if number % int(sys.argv[2]) == int(sys.argv[2]) - 1:
        store.flush()
    print(number, flush=True)
"""


@contextmanager
def writer(path: Path, flush_every: int = 100_000) -> Iterator[subprocess.Popen[str]]:
    """A process that has the store open and writes notes of eight chunks, one a line."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WRITER, str(path), str(flush_every)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
            yield process
        finally:
            process.kill()


def test_second_process_gets_a_typed_error_and_the_kernel_frees_the_lock(path: Path) -> None:
    with writer(path) as process:
        with pytest.raises(StoreLocked) as caught:
            reopen(path)
        assert "another process" in caught.value.message
        process.send_signal(signal.SIGKILL)
        process.wait()
        with reopen(path) as store:
            assert store.chunks.count(Eq("note_id", "n0")) == 2


@pytest.mark.parametrize(("after", "flush_every"), [(1, 9), (14, 13), (27, 3), (61, 1000)])
def test_killed_in_the_middle_of_writing(path: Path, after: int, flush_every: int) -> None:
    with writer(path, flush_every) as process:
        assert process.stdout is not None
        for _ in range(after):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        acknowledged = after + len(process.stdout.read().split())
        process.wait()
    (folder,) = (path / "demo").glob("g*")
    manifest = read_manifest(folder)
    assert manifest is not None
    with reopen(path) as store:
        # clean only where the kill came just after a flush
        assert store.report.state == ("ready" if manifest.clean else "resync")
        assert bool(store.report.reasons) is not manifest.clean
        assert store.chunks.count(Eq("note_id", "n0")) == 2
        whole = 0
        for number in range(min(acknowledged, 40)):
            found = sorted(p.id for p in store.chunks.scan(Eq("note_id", f"w{number}"), []))
            assert len(found) == len(set(found)) <= 8
            whole += len(found) == 8
        # at most the note that was being written when it was killed is not whole
        assert whole >= min(acknowledged, 40) - 1
        store.chunks.upsert([chunk("after", 0)])
        store.mark_synced()
        assert store.lexicon == Lexicon.count(store.chunks)
    with reopen(path) as store:
        assert store.report.state == "ready"
        assert store.chunks.count(Eq("note_id", "after")) == 1


def test_a_resync_is_asked_for_until_it_was_done(path: Path) -> None:
    with writer(path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        process.wait()
    for _ in range(2):
        with reopen(path) as store:
            assert store.report.state == "resync"
            assert store.generation.lexicon_stale
            store.notes.upsert([Point("n9")])
            store.flush()
    with reopen(path) as store:
        store.mark_synced()
    with reopen(path) as store:
        assert store.report.state == "ready"
        assert not store.generation.lexicon_stale


def test_a_lost_segment_is_noticed(path: Path) -> None:
    for segment in (path / "demo").glob("g*/demo_chunks/segments/*"):
        shutil.rmtree(segment)
    for log in (path / "demo").glob("g*/demo_chunks/wal/*"):
        log.unlink()
    with reopen(path) as store:
        assert store.report.state in {"resync", "rebuild"}
        assert store.report.reasons
        fill(store)
        assert store.chunks.count() == 6


def test_a_lost_collection_is_noticed(path: Path) -> None:
    (lost,) = (path / "demo").glob("g*/demo_edges")
    shutil.rmtree(lost)
    with reopen(path) as store:
        assert store.report.state == "resync"
        assert store.report.reasons == ("0 edges instead of 3",)


@pytest.mark.parametrize("name", ["edge_config.json", "segment.json"])
def test_a_damaged_shard_starts_afresh(path: Path, name: str) -> None:
    for file in (path / "demo").glob(f"g*/demo_chunks/**/{name}"):
        file.write_bytes(b"\x00broken")
    with reopen(path) as store:
        assert store.report.state == "rebuild"
        assert "demo_chunks" in store.report.reasons[0]
        assert store.counts() == {"notes": 0, "chunks": 0, "edges": 0}
        fill(store)
    assert len(generations(path)) == 1
    with reopen(path) as store:
        assert store.report.state == "ready"


def test_a_damaged_shard_is_a_typed_error(tmp_path: Path) -> None:
    one = EdgeCollection(tmp_path / "c", SCHEMA, min_free=0)
    one.ensure()
    one.close()
    (tmp_path / "c" / "edge_config.json").write_text("[")
    with pytest.raises(StoreCorrupt):
        EdgeCollection(tmp_path / "c", SCHEMA, min_free=0).ensure()


def test_damage_that_shows_only_in_use_can_be_rebuilt(path: Path) -> None:
    for page in (path / "demo").glob("g*/demo_chunks/segments/*/payload_storage/page_0.dat"):
        with page.open("r+b") as file:
            file.write(b"\xff" * 64)
    with reopen(path) as store:
        with pytest.raises(StoreCorrupt):
            list(store.chunks.scan())
        store.finish_rebuild(store.begin_rebuild(EXPECTED))
        fill(store)
        assert store.counts() == {"notes": 3, "chunks": 6, "edges": 3}
    with reopen(path) as store:
        assert store.report.state == "ready"


@pytest.mark.parametrize("data", [b"", b"{", b'{"counts": 3}', b"\xff\xfe"])
def test_a_damaged_manifest_starts_afresh(path: Path, data: bytes) -> None:
    (manifest,) = (path / "demo").glob("g*/manifest.json")
    manifest.write_bytes(data)
    with reopen(path) as store:
        assert store.report.state == "rebuild"
        assert store.chunks.count() == 0


@pytest.mark.parametrize("data", [b"", b"g000009", b"../..", b"\xff"])
def test_a_damaged_pointer_starts_afresh(path: Path, data: bytes) -> None:
    (path / "demo" / "current").write_bytes(data)
    with reopen(path) as store:
        assert store.report.state == "new"
        assert store.chunks.count() == 0
    assert len(generations(path)) == 1


@pytest.mark.parametrize("data", [b"", b"mindnet-lexicon-1\n\1\0\0\0\xff\0\0\0", b"other"])
def test_a_damaged_lexicon_is_counted_anew(path: Path, data: bytes) -> None:
    (file,) = (path / "demo").glob("g*/lexicon")
    file.write_bytes(data)
    with reopen(path) as store:
        assert store.generation.lexicon_stale
        store.mark_synced()
        assert store.lexicon.documents == 6
    with reopen(path) as store:
        assert not store.generation.lexicon_stale


@pytest.mark.parametrize(
    ("expected", "reason", "vectors"),
    [
        (Expected(model="m8", dim=8), "built with m4 (4), now m8 (8)", False),
        (Expected(model="other", dim=4), "built with m4 (4), now other (4)", False),
        (Expected(), "built with m4 (4), now no embedding model", False),
        (
            Expected(model="m4", dim=4, chunking_version=2),
            "chunking version 1, now 2",
            True,
        ),
    ],
)
def test_a_mismatch_asks_for_a_rebuild_and_never_mixes(
    path: Path, expected: Expected, reason: str, vectors: bool
) -> None:
    with reopen(path, expected) as store:
        assert store.report.state == "rebuild"
        assert store.report.reasons == (reason,)
        assert store.report.vectors is vectors
        # the old points can still be found by words meanwhile
        assert store.chunks.search_sparse(document_vector("Schleuse"))
        fresh = store.begin_rebuild(expected)
        assert store.chunks.count() == 6
        dim = expected.dim or 0
        vector = np.ones(dim, dtype=np.float32) if dim else None
        fresh.chunks.upsert([Point("new#c00", vector, document_vector("Neue Schleuse"))])
        store.finish_rebuild(fresh)
        assert store.report.state == "ready"
        assert [p.id for p in store.chunks.scan()] == ["new#c00"]
        assert store.lexicon.documents == 1
    assert len(generations(path)) == 1
    with reopen(path, expected) as store:
        assert store.report.state == "ready"
        assert (store.manifest.model, store.manifest.dim) == (expected.model, expected.dim)
        with pytest.raises(InvalidPoint):
            store.chunks.upsert([Point("x", np.ones(5, dtype=np.float32))])


def test_an_old_schema_starts_afresh(path: Path) -> None:
    (file,) = (path / "demo").glob("g*/manifest.json")
    manifest = read_manifest(file.parent)
    assert manifest is not None
    write_manifest(file.parent, msgspec.structs.replace(manifest, schema_version=0))
    with reopen(path) as store:
        assert store.report.state == "rebuild"
        assert store.report.reasons == ("schema version 0, now 1",)
        assert store.chunks.count() == 0


def test_an_unfinished_rebuild_leaves_the_old_generation_in_use(path: Path) -> None:
    store = reopen(path)
    fresh = store.begin_rebuild(EXPECTED)
    fresh.chunks.upsert([chunk("half", 0)])
    fresh.close()
    store.close()
    assert len(generations(path)) == 2
    with reopen(path) as store:
        assert store.report.state == "ready"
        assert store.chunks.count() == 6
    assert len(generations(path)) == 1


def test_an_abandoned_rebuild_leaves_nothing(path: Path) -> None:
    with reopen(path) as store:
        store.abandon_rebuild(store.begin_rebuild(EXPECTED))
        assert len(generations(path)) == 1
        assert store.chunks.count() == 6


def test_no_room_on_the_disk(tmp_path: Path) -> None:
    one = EdgeCollection(tmp_path / "c", SCHEMA, min_free=0)
    one.ensure()
    one.close()
    full = EdgeCollection(tmp_path / "c", SCHEMA, min_free=1 << 62)
    full.ensure()
    with pytest.raises(StoreFull) as caught:
        full.upsert([Point("p")])
    assert caught.value.hint
    assert full.count() == 0
    full.close()
    with pytest.raises(StoreFull):
        EdgeCollection(tmp_path / "d", SCHEMA, min_free=1 << 62).ensure()


def check_lexicon(store: Store) -> None:
    assert store.lexicon == Lexicon.count(store.chunks)


def test_the_lexicon_follows_every_write() -> None:
    store = memory_store(expected=EXPECTED)
    store.chunks.upsert([chunk("a", 0, "Fluss und Brücke"), chunk("a", 1, "Brücke am Fluss")])
    check_lexicon(store)
    store.chunks.upsert([chunk("a", 0, "Nur noch die Burg")])
    check_lexicon(store)
    store.chunks.upsert([chunk("b", 0, "eins"), chunk("b", 0, "zwei"), Point("b#c01")])
    check_lexicon(store)
    assert store.lexicon.documents == 3
    store.chunks.delete(Eq("note_id", "a"))
    check_lexicon(store)
    store.chunks.delete_ids(["b#c00", "b#c00", "b#c77"])
    check_lexicon(store)
    assert store.lexicon.documents == 0
    with pytest.raises(UnsafeDelete):
        store.chunks.delete(Where())
    with pytest.raises(InvalidPoint):
        store.chunks.upsert([chunk("c", 0), Point("c#c01", np.zeros(4, dtype=np.float32))])
    check_lexicon(store)


def test_memory_store_can_be_rebuilt_too() -> None:
    with memory_store(expected=EXPECTED) as store:
        fill(store)
        fresh = store.begin_rebuild(Expected(model="m8", dim=8))
        store.finish_rebuild(fresh)
        assert store.chunks.count() == 0
        assert store.manifest.dim == 8


def test_an_embedded_collection_has_the_indexes_that_are_asked_for(tmp_path: Path) -> None:
    """One of an older program that has others, or lacks one, gets them when it is opened."""
    whole = dataclasses.replace(SCHEMA, asked=frozenset(("note_id", "type")))
    asked = dataclasses.replace(SCHEMA, asked=frozenset(("note_id", "tags")))
    for schema in (whole, asked, SCHEMA):
        one = EdgeCollection(tmp_path, schema, min_free=0)
        one.ensure()
        one.upsert([Point("a", payload={"note_id": "n", "type": "task", "tags": ["x"]})])
        assert one.indexes() == (schema.asked or SCHEMA.indexed.keys())
        assert one.lacking() == frozenset()
        assert [p.id for p in one.scan(Where(all=[Eq("type", "task"), Eq("tags", "x")]))] == ["a"]
        one.close()
