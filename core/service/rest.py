"""What a core does when nobody wants anything: it tidies up."""

from __future__ import annotations

import ctypes
import logging
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.service.keeper import Keeper

logger = logging.getLogger(__name__)

TIDY_SECONDS = 30.0
"""Quiet time after which deleted points are compacted and unused memory is given back."""


class Rest:
    """Tidies once after each time that something was written."""

    def __init__(self, after: float = TIDY_SECONDS) -> None:
        self._after = after
        self._due: float | None = None

    def disturbed(self) -> None:
        """There was a job: the time of quiet starts anew behind it."""
        self._due = None

    def next(self, keeper: Keeper) -> float | None:
        """Tidy if that is due; seconds until it may be, None where there is nothing to tidy."""
        now = time.monotonic()
        if self._due is None:
            self._due = now + self._after
        if now < self._due:
            return self._due - now
        self._due = None
        started = time.perf_counter()
        keeper.store.optimize()
        give_back_memory()
        logger.info("tidied the index in %.1f s", time.perf_counter() - started)
        return None


def give_back_memory() -> None:
    """Have the C library return freed memory to the system.

    glibc keeps what Qdrant Edge freed in its arenas: 700 MB after a store of 10,000 notes was
    closed, as it is after every rebuild. Elsewhere there is nothing to do.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
