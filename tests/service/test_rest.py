"""What a core does when nobody wants anything."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import core.service.rest
from core.ingest.tally import Tally
from core.service.engine import Engine
from core.service.jobs import Job
from core.service.rest import Rest, give_back_memory
from core.settings import Settings
from core.store.files import folder_size
from core.store.ports import Point
from tests.support.cores import write_vault
from tests.support.waiting import wait_for


def test_it_rests_once_behind_each_job(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[int] = []
    monkeypatch.setattr(core.service.rest, "give_back_memory", lambda: rests.append(1))
    waiting = Rest(after=100.0)
    left = waiting.next()
    assert left is not None
    assert 99 < left <= 100
    rests.clear()
    assert waiting.next() is not None
    waiting.disturbed()
    assert waiting.next() is not None
    assert rests == []
    due = Rest(after=0.0)
    assert due.next() is None
    assert rests == [1]


def test_memory_can_be_given_back() -> None:
    give_back_memory()


def test_an_idle_core_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[int] = []
    monkeypatch.setattr(core.service.rest, "give_back_memory", lambda: rests.append(1))
    monkeypatch.setattr("core.service.engine.IDLE_FLUSH_SECONDS", 0.02)
    monkeypatch.setattr("core.service.engine.Rest", lambda: Rest(after=0.02))
    engine = Engine(write_vault(tmp_path / "vault", a="A."), tmp_path / "data", Settings(), None)
    try:
        engine.submit(Job(None, tally=Tally())).result.result(20)
        wait_for(lambda: rests, 10)
    finally:
        engine.close()


def test_a_core_that_nobody_wants_compacts_its_store(tmp_path: Path) -> None:
    """Only then: the engine holds Python's lock while it does it."""
    root = write_vault(tmp_path / "vault", a="A.")
    sizes = []
    for compact in (False, True):
        data = tmp_path / f"data-{compact}"
        engine = Engine(root, data, Settings(), None)
        engine.submit(Job(None)).result.result(20)
        noise = random.Random(1)
        ids = [f"e{number}" for number in range(3000)]
        engine.store.edges.upsert(
            Point(one, payload={"text": noise.randbytes(4000).hex()}) for one in ids
        )
        engine.store.edges.delete_ids(ids)
        engine.compact_at_close = compact
        engine.close()
        sizes.append(sum(map(folder_size, data.rglob("mindnet_edges/segments"))))
    assert sizes[1] < sizes[0] / 2
