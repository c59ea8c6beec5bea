"""window/workDoneProgress, begun and ended in one place."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

_log = logging.getLogger(__name__)
_CREATE_TIMEOUT = 1.0

Report = Callable[[int, int], None]
"""Is told how much is done, of how much; from any thread."""


@asynccontextmanager
async def progress(
    ls: MindnetServer,
    title: str,
    token: types.ProgressToken | None = None,
    cancel: Callable[[], object] | None = None,
) -> AsyncIterator[Report]:
    """Show progress while the block runs; silently nothing for a client that cannot.

    `token` is the one that a request brought; without it one is made, if the client has
    `window.workDoneProgress`. `cancel` is called, on the event loop, when the person wants
    the work to end. The end is always sent, and the token forgotten: pygls keeps tokens for
    ever.
    """
    if token is None:
        token = await _create(ls)
    if token is None:
        yield lambda done, total: None
        return
    shown = ls.work_done_progress
    ended = False
    stoppable = None if cancel is None else True
    shown.begin(token, types.WorkDoneProgressBegin(title, cancellable=stoppable, percentage=0))
    if cancel is not None:
        wanted = shown.tokens[token]
        wanted.add_done_callback(lambda _: None if ended else cancel())
    loop, last = asyncio.get_running_loop(), -1

    def send(percent: int, message: str) -> None:
        if not ended:
            shown.report(token, types.WorkDoneProgressReport(message=message, percentage=percent))

    def report(done: int, total: int) -> None:
        nonlocal last
        percent = 100 * done // total if total else 100
        if percent > last and not loop.is_closed():
            last = percent
            loop.call_soon_threadsafe(send, percent, f"{done}/{total}")

    try:
        yield report
    finally:
        ended = True
        shown.end(token, types.WorkDoneProgressEnd())
        shown.tokens.pop(token, None)


async def _create(ls: MindnetServer) -> types.ProgressToken | None:
    if not ls.facts.progress:
        return None
    token = str(uuid.uuid4())
    try:
        # shielded: an answer to a cancelled request would be an error in pygls' reader
        created = asyncio.ensure_future(ls.work_done_progress.create_async(token))
        await asyncio.wait_for(asyncio.shield(created), _CREATE_TIMEOUT)
    except (JsonRpcException, TimeoutError) as error:
        _log.debug("the client refused a progress token: %s", type(error).__name__)
        return None
    return token
