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
from core.errors import CoreUnavailable, StoreLocked
from core.paths import ensure_private, vault_data_dir
from core.service.endpoint import (
    LOCK_FILE,
    Endpoint,
    read_endpoint,
    remove_endpoint,
    write_endpoint,
)
from core.settings import Settings
from core.store.files import disk_errors
from core.version import __version__

if TYPE_CHECKING:
    from core.service.engine import Engine
    from core.service.guard import Activity
    from core.service.server import Server

logger = logging.getLogger(__name__)

IDLE_EXIT_SECONDS = 900.0
IDLE_CHECK_SECONDS = 5.0
ALREADY_RUNNING = 3
"""Exit code where another core serves this vault already: no failure for who started it."""


@contextlib.contextmanager
def vault_lock(folder: Path, timeout: float = 0) -> Iterator[None]:
    """Hold the lock of a vault's data folder, created if need be; the kernel frees it with
    the process.

    Raises `StoreLocked` if another process still holds it after `timeout` seconds, and
    `StoreError` for a folder that cannot be written.
    """
    with disk_errors():
        lock = FileLock(ensure_private(folder) / LOCK_FILE, timeout=timeout, thread_local=False)
    with disk_errors():
        try:
            lock.acquire()
        except Timeout as error:  # an OSError as well
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

    The lock is taken before anything heavy is loaded. Raises `StoreLocked`, `StoreError`,
    and `CoreUnavailable` for a port that is taken.
    """
    folder = vault_data_dir(root)
    with vault_lock(folder), _listen(port) as listener:
        await _serve(root, folder, settings, listener, idle_exit)


async def _serve(
    root: Path,
    folder: Path,
    settings: Settings,
    listener: socket.socket,
    idle_exit: float | None,
) -> None:
    from core.config.load import load_chat
    from core.embedding.make import make_embedder
    from core.retrieval.search import warm
    from core.service.app import make_app
    from core.service.engine import Engine
    from core.service.guard import Activity
    from core.service.jobs import Job
    from core.service.server import Server
    from core.smart.judge import Judge

    embedder = await asyncio.to_thread(make_embedder, settings, root, folder)
    engine = await asyncio.to_thread(Engine, root, folder, settings, embedder, os.environ)
    endpoint = Endpoint(
        port=listener.getsockname()[1],
        token=secrets.token_urlsafe(32),
        pid=os.getpid(),
        version=__version__,
        api_version=API_VERSION,
    )
    activity = Activity()
    app = make_app(engine, endpoint.token, endpoint.pid, activity, lambda: server.stop())
    server = Server(app, listener)
    judge = Judge(
        engine.llm,
        engine.smart,
        lambda: engine.config.relations,
        lambda: load_chat(root).prompts,
    )
    judging = asyncio.create_task(judge.run())
    watch = asyncio.create_task(_watch(server, engine, activity, folder, endpoint, idle_exit))
    try:
        with disk_errors():
            write_endpoint(folder, endpoint)
        engine.submit(Job(None))
        warming = asyncio.create_task(asyncio.to_thread(warm, embedder))
        logger.info("serving %s on port %d", root.name, endpoint.port)
        await server.run_until_stopped()
        await warming
    finally:
        watch.cancel()
        judging.cancel()
        await asyncio.wait([judging])
        remove_endpoint(folder, endpoint.token)
        await engine.llm.ollama.aclose()
        await asyncio.to_thread(engine.close)


def _listen(port: int) -> socket.socket:
    # asyncio sends small answers at once only for sockets that name their protocol;
    # else each waits 40 ms for the acknowledgement of its headers
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise CoreUnavailable(
            f"port {port} cannot be used: {error}", "Name another one, or 0 for any."
        ) from error
    return listener


async def _watch(
    server: Server,
    engine: Engine,
    activity: Activity,
    folder: Path,
    endpoint: Endpoint,
    idle_exit: float | None,
) -> None:
    """Stop the server when nobody asked for long and nothing is being written, and when
    the endpoint file is gone: nobody could find this core, and it would keep its lock."""
    while True:
        await asyncio.sleep(min(IDLE_CHECK_SECONDS, idle_exit or IDLE_CHECK_SECONDS))
        at_work = engine.busy or engine.smart.working
        if idle_exit is not None and not at_work and activity.idle_seconds() >= idle_exit:
            logger.info("nobody asked for %.0f seconds: ending", idle_exit)
            engine.compact_at_close = True
            server.stop()
        elif await asyncio.to_thread(read_endpoint, folder) != endpoint:
            logger.warning("the endpoint file is gone: ending")
            server.stop()
