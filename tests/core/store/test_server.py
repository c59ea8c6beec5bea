"""A store on a server that several machines share: generations, leases, errors."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from core.embedding.sparse import document_vector
from core.errors import (
    InvalidArguments,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from core.settings import StoreSettings
from core.store.lexicon import Lexicon
from core.store.manifest import Expected
from core.store.ports import Eq, Point
from core.store.server_calls import call, checked_url, connect
from core.store.server_home import ServerHome, ServerPlace, open_server_store
from core.store.server_meta import LEASE_SECONDS, Lease, Meta
from core.store.store import Store
from tests.support.qdrant import LocalQdrant

EXPECTED = Expected(model="m4", dim=4)
ROLES = ("notes", "chunks", "edges")


class Machines:
    """Machines with a vault of the same name, and one server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = LocalQdrant()
        self.opened: list[Store] = []

    def open(self, machine: str = "a", expected: Expected = EXPECTED, **more: Any) -> Store:
        given = {"vault": "garden", "prefix": "demo", "settings": StoreSettings(), **more}
        store = open_server_store(
            given["settings"],
            given["prefix"],
            expected,
            vault=given["vault"],
            folder=self.folder / machine,
            client=self.server,
        )
        self.opened.append(store)
        return store

    def names(self) -> list[str]:
        return sorted(c.name for c in self.server.get_collections().collections)

    def aliases(self) -> dict[str, str]:
        found = self.server.get_aliases().aliases
        return {one.alias_name: one.collection_name for one in found}


@pytest.fixture
def machines(tmp_path: Path) -> Machines:
    return Machines(tmp_path)


def chunk(note: str, index: int, text: str = "Die Schleuse am oberen Tor") -> Point:
    vector = np.array([1, index + 1, 0, 0], dtype=np.float32)
    return Point(f"{note}#c{index:02d}", vector, document_vector(text), {"note_id": note})


def fill(store: Store, notes: int = 3) -> None:
    assert store.begin_write()
    for number in range(notes):
        name = f"n{number}"
        store.chunks.upsert(chunk(name, index) for index in range(2))
        store.edges.upsert([Point(f"e{number}", payload={"note_id": name})])
        store.notes.upsert([Point(name, payload={"title": name})])
    store.end_write()


def collections(generation: str) -> dict[str, str]:
    return {f"demo_{role}": f"demo_{role}_{generation}" for role in ROLES}


def test_new_then_ready_under_the_names_of_the_contract(machines: Machines) -> None:
    with machines.open() as store:
        assert store.report.state == "new"
        fill(store)
        assert machines.aliases() == collections("g000001")
        assert machines.server.count(collection_name="demo_chunks").count == 6
    with machines.open() as store:
        assert store.report.state == "ready"
        assert store.counts() == {"notes": 3, "chunks": 6, "edges": 3}
        assert store.lexicon == Lexicon.count(store.chunks)
        assert not store.generation.lexicon_stale


def test_shards_and_replicas_are_those_of_the_settings(machines: Machines) -> None:
    machines.open(settings=StoreSettings(shards=3, replicas=2))
    for role in ROLES:
        made = machines.server.created[f"demo_{role}_g000001"]
        assert (made["shard_number"], made["replication_factor"]) == (3, 2)
    assert machines.server.created["demo_meta"]["replication_factor"] == 2


@pytest.mark.parametrize(
    ("expected", "vectors"),
    [
        (Expected(model="m8", dim=8), False),
        (Expected(model="other", dim=4), False),
        (Expected(), False),
        (Expected(model="m4", dim=4, chunking_version=2), True),
    ],
)
def test_a_rebuild_is_swapped_in_at_once(
    machines: Machines, expected: Expected, vectors: bool
) -> None:
    with machines.open() as store:
        fill(store)
    with machines.open(expected=expected) as store:
        assert (store.report.state, store.report.vectors) == ("rebuild", vectors)
        fresh = store.begin_rebuild(expected)
        fresh.notes.upsert([Point("new")])
        assert machines.aliases() == collections("g000001")
        assert store.chunks.search_sparse(document_vector("Schleuse"))
        store.finish_rebuild(fresh)
        assert machines.aliases() == collections("g000002")
        assert machines.names() == sorted(["demo_meta", *collections("g000002").values()])
        assert [p.id for p in store.notes.scan()] == ["new"]
    with machines.open(expected=expected) as store:
        assert store.report.state == "ready"


def test_an_old_schema_starts_afresh(machines: Machines) -> None:
    with machines.open() as store:
        fill(store)
        place = store.generation.place
        place.write_manifest(msgspec.structs.replace(store.manifest, schema_version=0))
    with machines.open() as store:
        assert store.report.state == "rebuild"
        assert store.counts() == {"notes": 0, "chunks": 0, "edges": 0}
        assert machines.aliases() == collections("g000002")


def test_a_writer_that_was_killed_leaves_a_resync(machines: Machines) -> None:
    store = machines.open()
    fill(store)
    assert store.begin_write()
    store.chunks.upsert([chunk("half", 0)])
    with machines.open() as again:
        assert again.report.state == "resync"
        assert again.begin_write(), "the lease of this very machine is left from a dead core"
        again.mark_synced()
        again.end_write()
        assert again.lexicon == Lexicon.count(again.chunks)
    with machines.open() as again:
        assert again.report.state == "ready"


def test_one_machine_writes_and_all_read(machines: Machines) -> None:
    one = machines.open("a")
    fill(one)
    two = machines.open("b")
    assert two.report.state == "ready"
    assert one.begin_write()
    one.notes.upsert([Point("n9")])
    assert two.notes.count() == 4
    with pytest.raises(StoreLocked) as caught:
        two.begin_write()
    assert "another machine" in caught.value.message
    one.end_write()
    # what it knows of the notes is out of date by now
    assert two.begin_write() is False
    two.abandon()
    two = machines.open("b")
    assert (two.report.state, two.begin_write()) == ("ready", True)
    with pytest.raises(StoreLocked):
        one.begin_write()
    two.close()
    assert one.begin_write() is True, "nothing was written by the other one"


def test_a_rebuild_by_another_machine_is_noticed(machines: Machines) -> None:
    one = machines.open("a")
    fill(one)
    two = machines.open("b")
    fresh = one.begin_rebuild(EXPECTED)
    fresh.notes.upsert([Point("new")])
    one.finish_rebuild(fresh)
    one.end_write()
    with pytest.raises(StoreUnavailable, match="any more"):
        two.notes.count()
    assert two.begin_write() is False
    two.abandon()
    assert [p.id for p in machines.open("b").notes.scan()] == ["new"]


def test_what_a_dead_rebuild_left_is_removed_by_the_next_writer(machines: Machines) -> None:
    store = machines.open()
    fill(store)
    store.begin_rebuild(EXPECTED)
    assert len(machines.names()) == 7
    again = machines.open()
    assert len(machines.names()) == 7, "a reader removes nothing: another one may be at work"
    assert again.begin_write()
    assert machines.names() == sorted(["demo_meta", *collections("g000001").values()])


def test_a_lease_runs_out_and_its_holder_notices() -> None:
    now = [1000.0]
    meta = Meta(LocalQdrant(), "demo")
    one, two = (Lease(meta, name, clock=lambda: now[0]) for name in ("a", "b"))
    assert one.take() is True
    assert one.take() is False
    for _ in range(5):
        now[0] += LEASE_SECONDS / 2
        one.keep()
        with pytest.raises(StoreLocked):
            two.take()
    now[0] += LEASE_SECONDS
    assert two.take() is True
    with pytest.raises(StoreLocked):
        one.keep()
    assert not one.held
    one.give_back()
    with pytest.raises(StoreLocked):
        one.take()
    two.give_back()
    assert one.take() is True
    now[0] -= 3600
    assert two.take() is True, "a lease from the future holds nobody off for ever"


def test_of_two_that_take_a_lease_at_once_one_has_it() -> None:
    meta = Meta(LocalQdrant(), "demo")
    one, two = Lease(meta, "a"), Lease(meta, "b")
    real = meta.read

    def read(key: str) -> Any:
        seen = real(key)
        meta.read = real  # type: ignore[method-assign]
        two.take()
        return seen

    meta.read = read  # type: ignore[method-assign]
    with pytest.raises(StoreLocked):
        one.take()
    assert (one.held, two.held) == (False, True)


def test_another_vault_is_refused_and_nothing_is_touched(machines: Machines) -> None:
    with machines.open() as store:
        fill(store)
    before = machines.names()
    with pytest.raises(StoreError) as caught:
        machines.open("b", vault="kitchen")
    assert "'garden'" in caught.value.message
    assert "'kitchen'" in caught.value.message
    assert "prefix" in caught.value.hint
    assert machines.names() == before
    with machines.open("b", vault="kitchen", prefix="kitchen") as store:
        assert store.report.state == "new"
    with machines.open() as store:
        assert store.counts()["notes"] == 3


@pytest.mark.parametrize("name", ["demo_notes", "demo_edges"])
def test_collections_that_are_not_ours_are_refused(machines: Machines, name: str) -> None:
    machines.server.create_collection(collection_name=name, vectors_config={})
    with pytest.raises(StoreError, match="did not make"):
        machines.open()
    assert machines.names() == [name]


def test_collections_that_went_away_are_made_again(machines: Machines) -> None:
    with machines.open() as store:
        fill(store)
    machines.server.delete_collection(collection_name="demo_edges_g000001")
    with machines.open() as store:
        assert store.report.state in ("resync", "new")
        fill(store)
        assert store.counts() == {"notes": 3, "chunks": 6, "edges": 3}


def test_another_machine_counts_its_words_anew(machines: Machines) -> None:
    with machines.open("a") as store:
        fill(store)
    with machines.open("b") as store:
        assert store.generation.lexicon_stale
        assert store.begin_write()
        store.mark_synced()
        store.end_write()
        assert store.lexicon == Lexicon.count(store.chunks)
    with machines.open("b") as store:
        assert not store.generation.lexicon_stale
    assert len(list((machines.folder / "b").glob("lexicon-*"))) == 1


@pytest.mark.parametrize("bad", ["", "../up", "a/b", "-"])
def test_a_prefix_is_a_plain_name(machines: Machines, bad: str) -> None:
    with pytest.raises(InvalidArguments):
        machines.open(prefix=bad)


@pytest.mark.parametrize(
    "url",
    [
        *("", "localhost:6333", "ftp://host", "file:///etc", "http://", "http://h:99999", "//h"),
        *("http://user:secret@host", "http://host?key=secret", "http://host/#x", "http://[::1"),
    ],
)
def test_only_plain_http_addresses(url: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        connect(url, None)
    assert "secret" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:6333", "https://q.example.org", "http://h/path", "http://[::1]:1"]
)
def test_addresses_that_are_fine(url: str) -> None:
    assert checked_url(url).hostname


class ClientError(Exception):
    """Stands for the client's errors, which are told apart by name."""


def error(kind: str, **fields: Any) -> Exception:
    made: Exception = type(kind, (ClientError,), {})("secret text of a note")
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def http(status: int, content: bytes = b"secret text of a note") -> Exception:
    return error("UnexpectedResponse", status_code=status, content=content)


def lost(kind: str) -> Exception:
    return error("ResponseHandlingException", source=error(kind))


@pytest.mark.parametrize(
    ("exc", "kind", "calls"),
    [
        (lost("ConnectError"), StoreUnavailable, 3),
        (lost("RemoteProtocolError"), StoreUnavailable, 3),
        (lost("ReadTimeout"), StoreUnavailable, 1),
        (lost("ValidationError"), StoreUnavailable, 1),
        (error("ResourceExhaustedResponse"), StoreUnavailable, 3),
        (http(503), StoreUnavailable, 3),
        (http(500), StoreUnavailable, 1),
        (http(500, b"No space left on device"), StoreFull, 1),
        (http(401), StoreUnavailable, 1),
        (http(403), StoreUnavailable, 1),
        (http(404), StoreUnavailable, 1),
        (http(400), StoreError, 1),
    ],
)
def test_errors_of_the_client(
    exc: Exception, kind: type[StoreError], calls: int, caplog: pytest.LogCaptureFixture
) -> None:
    made = 0

    def fail() -> None:
        nonlocal made
        made += 1
        raise exc

    with caplog.at_level(logging.DEBUG), pytest.raises(StoreError) as caught:
        call(fail, (0.0, 0.0))
    assert type(caught.value) is kind
    assert made == calls
    assert caught.value.__cause__ is exc
    assert caught.value.hint
    assert "secret" not in caught.value.message + caught.value.hint + caplog.text


def test_foreign_errors_and_a_lost_answer() -> None:
    with pytest.raises(KeyError):
        call(lambda: {}["x"])
    answers = [lost("ReadError"), "fine"]

    def answer() -> Any:
        if isinstance(found := answers.pop(0), Exception):
            raise found
        return found

    assert call(answer, (0.0,)) == "fine"


def test_the_place_is_what_the_home_says(machines: Machines) -> None:
    store = machines.open()
    assert isinstance(store.generation.place, ServerPlace)
    assert isinstance(store._home, ServerHome)
    store.require(1 << 60)
    assert store.notes.count(Eq("note_id", "x")) == 0
