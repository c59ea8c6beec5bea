"""What a core does when nobody wants anything: it gives back memory."""

from __future__ import annotations

import ctypes
import sys
import time

REST_SECONDS = 30.0
"""Quiet time after which unused memory is given back."""


class Rest:
    """Rests once after each time that something was done."""

    def __init__(self, after: float = REST_SECONDS) -> None:
        self._after = after
        self._due: float | None = None

    def disturbed(self) -> None:
        """There was a job: the time of quiet starts anew behind it."""
        self._due = None

    def next(self) -> float | None:
        """Rest if that is due; seconds until it may be, None once it is done."""
        now = time.monotonic()
        if self._due is None:
            self._due = now + self._after
        if now < self._due:
            return self._due - now
        self._due = float("-inf")
        give_back_memory()
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
