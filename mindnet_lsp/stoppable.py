"""Long work that a person can end: by the progress that shows it, or by giving up the request."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import Cancelled
from core.locale import Locale, say
from mindnet_lsp.progress import progress

if TYPE_CHECKING:
    from lsprotocol import types

    from mindnet_lsp.server import MindnetServer

T = TypeVar("T")


async def stoppable(
    ls: MindnetServer,
    title: str,
    token: types.ProgressToken | None,
    locale: Locale,
    work: Coroutine[Any, Any, T],
) -> T:
    """The result of `work`, which is shown as progress. Raises `Cancelled` where it was stopped
    there; where the request was given up, `work` has ended before this does."""
    task = asyncio.ensure_future(work)
    try:
        async with progress(ls, title, token, task.cancel):
            return await task
    except asyncio.CancelledError:
        me = asyncio.current_task()
        if me is not None and me.cancelling():
            task.cancel()
            await asyncio.wait([task])
            raise
        raise Cancelled(say(locale, "cancelled", "abgebrochen")) from None
