"""Syncs that were asked for, and which of them is next."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from core.api import SyncProgress, SyncResult
from core.errors import Cancelled
from core.ingest.tally import Tally


@dataclass(eq=False)
class Job:
    """A sync that was asked for. `paths` of None is the whole vault.

    `cancelled` is how to stop it: whoever stops waiting for `result` does not.
    """

    paths: tuple[str, ...] | None
    full: bool = False
    dry_run: bool = False
    on_progress: Callable[[SyncProgress], None] | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    tally: Tally = field(default_factory=Tally)
    result: Future[SyncResult] = field(default_factory=Future)

    def __post_init__(self) -> None:
        # a waiter that is cancelled (a request whose client left) must not settle the result
        self.result.set_running_or_notify_cancel()

    @property
    def is_whole(self) -> bool:
        """Whether it is about the whole vault."""
        return self.paths is None


class Jobs:
    """The queue between all who ask for a sync and the one thread that does them.

    Saved notes go before whole imports; within each, first come, first served.
    """

    def __init__(self) -> None:
        self._urgent: deque[Job] = deque()
        self._whole: deque[Job] = deque()
        self._wake = threading.Condition()
        self._nudged = False
        self.closing = False

    @property
    def urgent(self) -> bool:
        """Whether a saved note waits: reason to stop a whole import for it."""
        return bool(self._urgent)

    @property
    def whole(self) -> bool:
        """Whether a whole import waits."""
        return bool(self._whole)

    @property
    def pressing(self) -> bool:
        """Whether any job waits, or the end: reason to stop what can be done later."""
        return self.closing or bool(self._urgent or self._whole)

    def put(self, job: Job, *, first: bool = False) -> None:
        """Queue a job; `first` is for one that was stopped and is to go on."""
        with self._wake:
            if self.closing:
                job.result.set_exception(Cancelled("the core is ending"))
                return
            queue = self._whole if job.is_whole else self._urgent
            queue.appendleft(job) if first else queue.append(job)
            self._wake.notify()

    def take(self, quiet: float, on_quiet: Callable[[], float | None]) -> Job | None:
        """Wait for the next job; None when the queue is closed. `on_quiet` is called when
        nothing came for `quiet` seconds, and again after the seconds that it returns."""
        patience: float | None = quiet
        while True:
            with self._wake:
                self._wake.wait_for(self._ready, patience)
                if self.closing:
                    return None
                self._nudged = False
                if self._urgent or self._whole:
                    return (self._urgent or self._whole).popleft()
            patience = on_quiet()

    def nudge(self) -> None:
        """Have `on_quiet` called soon, unless a job is next."""
        with self._wake:
            self._nudged = True
            self._wake.notify()

    def close(self) -> None:
        """Let `take` end; what still waits fails with `Cancelled`."""
        with self._wake:
            self.closing = True
            left = [*self._urgent, *self._whole]
            self._urgent.clear()
            self._whole.clear()
            self._wake.notify_all()
        for job in left:
            job.result.set_exception(Cancelled("the core is ending"))

    def _ready(self) -> bool:
        return self.closing or self._nudged or bool(self._urgent or self._whole)


def sync_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """Vault paths of a request, each once and in order."""
    return tuple(dict.fromkeys(path.replace("\\", "/").strip("/") for path in paths))
