"""Waiting for something to become true, instead of sleeping."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")
_STEP = 0.01


async def wait_until(
    predicate: Callable[[], _T],
    timeout: float = 15.0,  # noqa: ASYNC109  (of the polling itself, nothing is cancelled)
    what: str = "",
) -> _T:
    """What `predicate` gives once it is true. Raises AssertionError after `timeout` seconds."""
    end = time.monotonic() + timeout
    while not (found := predicate()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {timeout} s in vain for {what or predicate}")
        await asyncio.sleep(_STEP)
    return found


def wait_for(predicate: Callable[[], _T], timeout: float = 8.0, what: str = "") -> _T:
    """The same without an event loop."""
    end = time.monotonic() + timeout
    while not (found := predicate()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {timeout} s in vain for {what or predicate}")
        time.sleep(_STEP)
    return found
