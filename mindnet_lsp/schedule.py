"""When work happens: tasks that are kept and logged, a worker pool of our own, debouncing.

pygls reads stdin through its own thread pool; work there could make the server deaf.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, TypeVar

from mindnet_lsp.errors import where

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

WORKERS = 6
"""For loading, watching and whole-vault diagnostics, and some left for what a person waits for."""


class Scheduler:
    """Runs coroutines as tasks and functions in threads, until `close`."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="mindnet")
        self._stop = Event()

    def stopping(self) -> bool:
        """Whether the server ends; long work asks this from its thread."""
        return self._stop.is_set()

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Start a task. It is kept (the loop alone would let it be collected) and its error
        is logged."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def in_thread(self, work: Callable[..., _T], *args: Any) -> _T:
        """Call `work` in a worker thread. Raises what it raises, CancelledError at the end."""
        if self.stopping():
            raise asyncio.CancelledError
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    async def cancellable(self, work: Callable[..., _T], *args: Any) -> _T:
        """Call `work(*args, cancelled)` in a worker thread: `cancelled()` is true once the
        caller was cancelled or the server ends, and the work then ends soon. Raises as
        `in_thread`."""
        given_up = Event()

        def cancelled() -> bool:
            return given_up.is_set() or self.stopping()

        try:
            return await self.in_thread(work, *args, cancelled)
        except asyncio.CancelledError:
            given_up.set()
            raise

    async def close(self) -> None:
        """Tell all work to end, and wait for the tasks."""
        self._stop.set()
        own = asyncio.current_task()
        others = [task for task in self._tasks if task is not own]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def abandon(self) -> None:
        """The same without a loop, and wait for what is being written."""
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not self.stopping():
            _log.error("%s failed: %s", task.get_name(), where(error))


class Debounced:
    """Runs an async function once things have been quiet for `delay` seconds.

    Calls while it waits start the wait anew; a call while it runs makes it run once more
    afterwards. So there is at most one running and one waiting, and the latest wins.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        work: Callable[[], Coroutine[Any, Any, None]],
        delay: float,
        name: str,
    ) -> None:
        self._scheduler, self._work, self._delay, self._name = scheduler, work, delay, name
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[Any] | None = None
        self._again = False

    def __call__(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(self._delay, self._start)

    def cancel(self) -> None:
        """Forget a waiting call; a running one ends by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._again = False

    def _start(self) -> None:
        self._timer = None
        if self._scheduler.stopping():
            return
        if self._task is not None and not self._task.done():
            self._again = True
            return
        self._task = self._scheduler.spawn(self._run(), self._name)

    async def _run(self) -> None:
        await self._work()
        while self._again:
            self._again = False
            await self._work()
