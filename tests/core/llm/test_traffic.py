"""People first: both lanes to the model, on a real event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from core.llm.traffic import PATIENCE, Traffic, TrafficState


class Calls:
    """Calls that run until they are told to end."""

    def __init__(self, traffic: Traffic) -> None:
        self.traffic = traffic
        self.began: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[str]] = {}

    def background(self, name: str) -> None:
        async def call() -> str:
            async with self.traffic.background():
                return await self._work(name)

        self._start(name, call)

    def realtime(self, name: str) -> None:
        async def call() -> str:
            async with self.traffic.realtime():
                return await self._work(name)

        self._start(name, call)

    def giving_way(self, name: str) -> None:
        self._start(name, lambda: self.traffic.run(lambda: self._work(name)))

    async def end(self, *names: str) -> None:
        for name in names:
            self.ends[name].set()
            assert await self.tasks[name] == name
        await settle()

    async def cancel(self, name: str) -> None:
        self.tasks[name].cancel()
        with pytest.raises(asyncio.CancelledError):
            await self.tasks[name]
        await settle()

    def _start(self, name: str, call: Callable[[], Coroutine[Any, Any, str]]) -> None:
        self.ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(call())

    async def _work(self, name: str) -> str:
        self.began.append(name)
        await self.ends[name].wait()
        return name


async def settle() -> None:
    """Let everything run that can run."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
def calls() -> Calls:
    return Calls(Traffic(2))


async def test_background_calls_begin_in_order_a_few_at_a_time(calls: Calls) -> None:
    for name in "abcd":
        calls.background(name)
    await settle()
    assert calls.began == ["a", "b"]
    assert calls.traffic.state == TrafficState(running=2, realtime=0, waiting=2)
    await calls.end("b")
    assert calls.began == ["a", "b", "c"]
    await calls.end("a", "c", "d")
    assert calls.traffic.state == TrafficState(0, 0, 0)


async def test_realtime_calls_never_wait(calls: Calls) -> None:
    for name in "ab":
        calls.background(name)
    for name in "xyz":
        calls.realtime(name)
    await settle()
    assert calls.began == ["a", "b", "x", "y", "z"]
    await calls.end("x", "y", "z", "a", "b")


async def test_nothing_new_begins_in_the_background_while_a_person_waits(calls: Calls) -> None:
    calls.realtime("x")
    await settle()
    calls.background("a")
    await settle()
    calls.realtime("y")
    await settle()
    await calls.end("x")
    assert calls.began == ["x", "y"]
    assert calls.traffic.state == TrafficState(running=1, realtime=1, waiting=1)
    await calls.end("y")
    assert calls.began == ["x", "y", "a"]
    await calls.end("a")


async def test_a_new_limit_counts_at_once(calls: Calls) -> None:
    for name in "abcdef":
        calls.background(name)
    await settle()
    calls.traffic.limit = 4
    await settle()
    assert calls.began == list("abcd")
    calls.traffic.limit = 1
    await calls.end("a", "b", "c")
    assert calls.began == list("abcd")
    await calls.end("d")
    assert calls.began == list("abcde")
    await calls.end("e", "f")


async def test_a_call_that_is_cancelled_leaves_no_trace(calls: Calls) -> None:
    for name in "abcde":
        calls.background(name)
    await settle()
    await calls.cancel("c")  # waits
    await calls.cancel("a")  # runs
    assert calls.began == ["a", "b", "d"]
    assert calls.traffic.state == TrafficState(2, 0, 1)
    await calls.end("b", "d", "e")
    assert calls.traffic.state == TrafficState(0, 0, 0)


async def test_a_call_cancelled_in_the_moment_of_its_turn_passes_it_on(calls: Calls) -> None:
    calls.traffic.limit = 1
    async with calls.traffic.background():
        for name in "cde":
            calls.background(name)
        await settle()
    # c has its turn now, and did not run yet
    assert calls.traffic.state == TrafficState(running=1, realtime=0, waiting=2)
    await calls.cancel("c")
    assert calls.began == ["d"]
    await calls.end("d", "e")
    assert calls.traffic.state == TrafficState(0, 0, 0)


async def test_a_realtime_call_that_fails_or_is_cancelled_lets_the_others_in(calls: Calls) -> None:
    calls.realtime("x")
    await settle()
    calls.background("a")
    await calls.cancel("x")
    assert calls.began == ["x", "a"]
    await calls.end("a")
    with pytest.raises(ZeroDivisionError):
        async with calls.traffic.realtime():
            raise ZeroDivisionError
    assert calls.traffic.state == TrafficState(0, 0, 0)


async def test_running_background_work_gives_way_and_is_done_again(calls: Calls) -> None:
    calls.giving_way("a")
    await settle()
    calls.realtime("x")
    await settle()
    assert calls.began == ["a", "x"]
    assert calls.traffic.state == TrafficState(running=1, realtime=1, waiting=1)
    await calls.end("x")
    assert calls.began == ["a", "x", "a"]
    await calls.end("a")


async def test_background_work_is_not_put_off_for_ever(calls: Calls) -> None:
    calls.giving_way("a")
    await settle()
    for number in range(PATIENCE + 2):
        calls.realtime(f"x{number}")
        await settle()
        await calls.end(f"x{number}")
    assert calls.began.count("a") == PATIENCE + 1
    await calls.end("a")


async def test_who_cancels_work_that_gives_way_is_obeyed(calls: Calls) -> None:
    calls.giving_way("a")
    await settle()
    await calls.cancel("a")
    calls.realtime("x")
    await settle()
    calls.giving_way("b")
    await settle()
    await calls.cancel("b")  # waits for its turn
    await calls.end("x")
    assert calls.began == ["a", "x"]
    assert calls.traffic.state == TrafficState(0, 0, 0)


async def test_threads_can_wait_for_quiet(calls: Calls) -> None:
    assert calls.traffic.wait_for_quiet(0)
    async with calls.traffic.realtime():
        assert not calls.traffic.wait_for_quiet(0)
        waiting = asyncio.create_task(asyncio.to_thread(calls.traffic.wait_for_quiet, 10))
        await settle()
    assert await waiting


def test_one_object_serves_one_loop_after_the_other() -> None:
    traffic = Traffic(1)

    async def use() -> None:
        calls = Calls(traffic)
        calls.background("a")
        calls.background("b")
        await settle()
        await calls.end("a", "b")

    asyncio.run(use())
    asyncio.run(use())
