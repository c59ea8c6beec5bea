"""What a sync has done so far, and whether it is to go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core.api import SyncProgress
from core.errors import Cancelled

OnProgress = Callable[[SyncProgress], None]


@dataclass
class Tally:
    """Counts of one sync. A sync that was stopped and is taken up again is given its tally
    again: it counts on, and with `full` passes over what it had written."""

    changed: int = 0
    deleted: int = 0
    embedded: int = 0
    written: set[str] = field(default_factory=set)
    """Ids of the notes that were written."""
    started: float = field(default_factory=time.perf_counter)


class Run:
    """One run of a sync, from its start to its end or stop."""

    def __init__(
        self,
        on_progress: OnProgress | None,
        cancelled: Callable[[], bool] | None,
        tally: Tally,
    ) -> None:
        self.tally = tally
        self.failed: dict[str, str] = {}
        self.model_is_away = ""
        self._on_progress = on_progress
        self._cancelled = cancelled

    def reading(self, done: int, total: int) -> None:
        self.step("read", done, total)

    def pause(self) -> None:
        """Stop here if nobody wants the rest."""
        if self._cancelled is not None and self._cancelled():
            raise Cancelled("the import was cancelled")

    def step(self, phase: str, done: int, total: int) -> None:
        """Report, and stop here if nobody wants the rest."""
        self.pause()
        if self._on_progress is not None:
            self._on_progress(SyncProgress(done=done, total=total, phase=phase))
