"""Tasks, threads and quiet times."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from mindnet_lsp.schedule import Debounced, Scheduler
from tests.support.waiting import wait_until


@pytest_asyncio.fixture
async def scheduler() -> AsyncIterator[Scheduler]:
    found = Scheduler()
    yield found
    await found.close()


async def test_a_burst_is_one_run(scheduler: Scheduler) -> None:
    runs: list[int] = []

    async def work() -> None:
        runs.append(1)

    soon = Debounced(scheduler, work, 0.02, "work")
    for _ in range(20):
        soon()
    await wait_until(lambda: runs)
    await asyncio.sleep(0.05)
    assert runs == [1]


async def test_a_call_while_it_runs_runs_it_once_more(scheduler: Scheduler) -> None:
    gate, running, runs = asyncio.Event(), asyncio.Event(), list[int]()

    async def work() -> None:
        runs.append(len(runs))
        running.set()
        await gate.wait()

    soon = Debounced(scheduler, work, 0.0, "work")
    soon()
    await running.wait()
    for _ in range(5):
        soon()
        await asyncio.sleep(0.005)
    assert runs == [0], "never two at a time"
    gate.set()
    await wait_until(lambda: runs == [0, 1])


async def test_a_failure_is_logged_without_its_text(
    scheduler: Scheduler, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken() -> None:
        raise ValueError("text of a note")

    with caplog.at_level(logging.ERROR, "mindnet_lsp"):
        scheduler.spawn(broken(), "a broken task")
        await wait_until(lambda: caplog.text)
    assert "a broken task failed: ValueError in broken" in caplog.text
    assert "text of a note" not in caplog.text


async def test_the_end_waits_for_no_thread() -> None:
    scheduler, started, go = Scheduler(), threading.Event(), threading.Event()

    def slow() -> None:
        started.set()
        while not scheduler.stopping():
            go.wait(0.01)

    task = scheduler.spawn(scheduler.in_thread(slow), "slow")
    await wait_until(started.is_set)
    await asyncio.wait_for(scheduler.close(), 1)
    assert task.cancelled()
    with pytest.raises(asyncio.CancelledError):
        await scheduler.in_thread(slow)
