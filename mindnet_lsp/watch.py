"""Following files: by the client where it offers that, else by ourselves.

Neovim on Linux declares on purpose that it does not watch files. Then the system's file
events are used, and where there are none (network folders, limits) a scan now and then.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.config.load import TYPES_FILE_VARIABLE, stamp_of
from mindnet_lsp import uris
from mindnet_lsp.errors import where
from mindnet_lsp.indexing import Indexing
from mindnet_lsp.session import Session

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

WATCHER_ID = "mindnet-files"
POLL_SECONDS = 15.0
REGISTER_TIMEOUT = 2.0
STEP_MS = 50
FILE_POLL_SECONDS = 2.0
"""Between two looks at a types file, which no client watches outside of the vault."""

_log = logging.getLogger(__name__)


class Watching:
    """Decides once who watches, and follows each folder."""

    def __init__(self, ls: MindnetServer) -> None:
        self._ls = ls
        self._by_client = False
        self._stops: set[threading.Event] = set()

    async def register(self) -> None:
        """Ask the client to watch, if it can; attachments count too, so all files."""
        if not self._ls.facts.watch_files:
            return
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*")])
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        params = types.RegistrationParams([types.Registration(WATCHER_ID, method, options)])
        asked = asyncio.ensure_future(self._ls.client_register_capability_async(params))
        try:
            await asyncio.wait_for(asyncio.shield(asked), REGISTER_TIMEOUT)
            self._by_client = True
        except (JsonRpcException, TimeoutError) as error:
            _log.warning("the client does not watch files: %s", type(error).__name__)

    def follow(self, session: Session, indexing: Indexing) -> None:
        """Watch a folder until its session ends, unless the client does; and the types file
        that the environment names, wherever it is."""
        if session.root is not None and (named := os.environ.get(TYPES_FILE_VARIABLE)):
            work = self._follow_file(Path(named).expanduser(), indexing)
            task = self._ls.scheduler.spawn(work, "following the types file")
            session.closers.append(task.cancel)
        if self._by_client or session.root is None:
            return
        stop = threading.Event()
        self._stops.add(stop)
        session.closers.append(stop.set)
        loop = asyncio.get_running_loop()
        root = os.path.realpath(session.root)
        # a thread of its own, as it waits for ever; a daemon, as it must not hold up the end
        threading.Thread(
            target=_watch, args=(root, indexing, stop, loop), name="mindnet-watch", daemon=True
        ).start()

    async def _follow_file(self, path: Path, indexing: Indexing) -> None:
        before = await self._ls.scheduler.in_thread(stamp_of, path)
        while True:
            await asyncio.sleep(FILE_POLL_SECONDS)
            stamp = await self._ls.scheduler.in_thread(stamp_of, path)
            if stamp != before:
                before = stamp
                indexing.reconfigure()

    def end(self) -> None:
        """Stop all watching."""
        for stop in self._stops:
            stop.set()
        self._stops.clear()


def _watch(
    root: str, indexing: Indexing, stop: threading.Event, loop: asyncio.AbstractEventLoop
) -> None:
    """Runs in its thread: hands changed paths to the loop."""
    try:
        from watchfiles import watch

        for changes in watch(
            root,
            watch_filter=None,
            stop_event=stop,
            step=STEP_MS,
            debounce=10 * STEP_MS,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            paths = {path for _, changed in changes if (path := uris.below(root, changed))}
            _call(loop, _touch, indexing, paths)
    except Exception as error:  # of many kinds, by system; scanning works on all of them
        _log.warning("file events are not available (%s); scanning instead", where(error))
    while not stop.wait(POLL_SECONDS):
        _call(loop, indexing.rescan)


def _touch(indexing: Indexing, paths: set[str]) -> None:
    for path in paths:
        indexing.touch(path)


def _call(loop: asyncio.AbstractEventLoop, work: object, *args: object) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(work, *args)  # type: ignore[arg-type]
