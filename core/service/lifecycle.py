"""The life of a core process: lock, engine, port, endpoint file, idle exit."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from core.api import API_VERSION
from core.errors import StoreLocked
from core.paths import ensure_private, vault_data_dir
from core.service.endpoint import LOCK_FILE, Endpoint, remove_endpoint, write_endpoint
from core.settings import Settings
from core.version import __version__

if TYPE_CHECKING:
    import uvicorn

    from core.service.app import Activity
    from core.service.engine import Engine

logger = logging.getLogger(__name__)

IDLE_EXIT_SECONDS = 900.0
IDLE_CHECK_SECONDS = 5.0
ALREADY_RUNNING = 3
"""Exit code where another core serves this vault already: no failure for who started it."""


@contextlib.contextmanager
def vault_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of a vault's data folder; the kernel frees it with the process.

    Raises `StoreLocked` at once if another process holds it.
    """
    lock = FileLock(folder / LOCK_FILE, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise StoreLocked(
            "another mindnet core serves this vault already",
            "Use that one, or end it first.",
        ) from error
    try:
        yield
    finally:
        lock.release()


async def serve(
    root: Path,
    settings: Settings,
    *,
    port: int = 0,
    idle_exit: float | None = IDLE_EXIT_SECONDS,
) -> None:
    """Serve the vault at `root` on loopback until stopped or idle for `idle_exit` seconds.

    The lock is taken before anything heavy is loaded. Raises `StoreLocked`, `StoreError`.
    """
    folder = ensure_private(vault_data_dir(root))
    with vault_lock(folder):
        await _serve(root, folder, settings, port, idle_exit)


async def _serve(
    root: Path, folder: Path, settings: Settings, port: int, idle_exit: float | None
) -> None:
    import uvicorn

    from core.service.app import Activity, make_app
    from core.service.engine import Engine, Job, make_embedder

    embedder = make_embedder(settings)
    engine = await asyncio.to_thread(Engine, root, folder, settings, embedder, dict(os.environ))
    token = secrets.token_urlsafe(32)
    listener = _listen(port)
    activity = Activity()
    config = uvicorn.Config(
        make_app(engine, token, os.getpid(), activity, lambda: _stop(server)),
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    endpoint = Endpoint(
        port=listener.getsockname()[1],
        token=token,
        pid=os.getpid(),
        version=__version__,
        api_version=API_VERSION,
    )
    try:
        write_endpoint(folder, endpoint)
        engine.submit(Job(None))
        watch = asyncio.create_task(_watch_idle(server, engine, activity, idle_exit))
        logger.info("serving %s on port %d", root.name, endpoint.port)
        await server.serve(sockets=[listener])
        watch.cancel()
    finally:
        remove_endpoint(folder, token)
        await asyncio.to_thread(engine.close)


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    return listener


def _stop(server: uvicorn.Server) -> None:
    server.should_exit = True


async def _watch_idle(
    server: uvicorn.Server, engine: Engine, activity: Activity, idle_exit: float | None
) -> None:
    """Ask the server to stop when nobody asked for long and nothing is being written."""
    if idle_exit is None:
        return
    while True:
        await asyncio.sleep(min(IDLE_CHECK_SECONDS, idle_exit))
        busy = engine.status().index.state in ("starting", "indexing")
        if not busy and activity.idle_seconds() >= idle_exit:
            logger.info("nobody asked for %.0f seconds: ending", idle_exit)
            _stop(server)
            return
