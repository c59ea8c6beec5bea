"""Who may ask the model when: people never wait for the machine's own work.

Ollama answers one request after the other by default, so background work that runs would
keep a person waiting. `realtime` calls begin at once, always. `background` calls are a few
at a time, do not begin while a realtime call runs, and `run` even stops one for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

PATIENCE = 3
"""How often a background call is begun anew before a realtime call has to bear with it."""


class TrafficState(msgspec.Struct, frozen=True):
    """`running`: calls of both lanes; `realtime`: those for people; `waiting`: background calls
    that may not begin yet."""

    running: int
    realtime: int
    waiting: int


class Traffic:
    """Both lanes to one model, on one event loop. What belongs to the loop is made when a call
    has to wait for the first time."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._realtime = 0
        self._background = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._giving_way: set[asyncio.Task[Any]] = set()
        self._quiet = threading.Event()
        self._quiet.set()

    @property
    def limit(self) -> int:
        """Background calls at one time, at least 1. A change counts at once: those that wait
        begin, those that run go on."""
        return self._limit

    @limit.setter
    def limit(self, value: int) -> None:
        self._limit = max(1, value)
        self._admit()

    @property
    def state(self) -> TrafficState:
        """How much is going on."""
        running = self._realtime + self._background
        waiting = sum(not turn.done() for turn in self._waiting)
        return TrafficState(running, self._realtime, waiting)

    @contextlib.asynccontextmanager
    async def realtime(self) -> AsyncIterator[None]:
        """A call for a person: begins at once."""
        self._realtime += 1
        self._quiet.clear()
        while self._giving_way:
            self._giving_way.pop().cancel()
        try:
            yield
        finally:
            self._realtime -= 1
            if not self._realtime:
                self._quiet.set()
            self._admit()

    @contextlib.asynccontextmanager
    async def background(self) -> AsyncIterator[None]:
        """A call for nobody in particular: waits until it may begin, first come, first served."""
        await self._turn()
        try:
            yield
        finally:
            self._leave()

    async def run(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Make a background call that gives way: a realtime call cancels it, and it is made
        again later. `call` must bear that. After `PATIENCE` times it is left alone."""
        for _ in range(PATIENCE):
            async with self.background():
                task = asyncio.create_task(call())
                self._giving_way.add(task)
                try:
                    return await task
                except asyncio.CancelledError:
                    if _is_cancelled():
                        await _end(task)
                        raise
                    if task in self._giving_way:  # nobody here stopped it
                        raise
                finally:
                    self._giving_way.discard(task)
        async with self.background():
            return await call()

    def wait_for_quiet(self, seconds: float) -> bool:
        """For threads: wait until no realtime call runs, at most `seconds`; whether none does.
        Never on the event loop."""
        return self._quiet.wait(seconds)

    async def _turn(self) -> None:
        if self._may_begin() and not self._waiting:
            self._background += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()  # it was let in at the very moment
            else:
                with contextlib.suppress(ValueError):
                    self._waiting.remove(turn)
            raise

    def _may_begin(self) -> bool:
        return not self._realtime and self._background < self._limit

    def _admit(self) -> None:
        while self._waiting and (self._waiting[0].done() or self._may_begin()):
            turn = self._waiting.popleft()
            if not turn.done():  # else it was cancelled
                self._background += 1
                turn.set_result(None)

    def _leave(self) -> None:
        self._background -= 1
        self._admit()


def _is_cancelled() -> bool:
    """Whether it is this task that somebody wants to end, not the one it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _end(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    await asyncio.wait([task])
