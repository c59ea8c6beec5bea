"""How the server talks: stdio by default, or one TCP connection."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from mindnet_lsp.mailbox import Inbox, Outbox

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

LAST_WORDS = 2.0
"""Seconds for what is still to be written when the server ends."""
PATIENCE = 5.0
"""Seconds from the end of the connection to the end of the process, whatever hangs."""

_kept: list[IO[bytes]] = []
"""Streams of a server that has ended: closing one would wait for the thread that reads it."""

_log = logging.getLogger(__name__)


def serve_stdio(server: MindnetServer) -> int:
    """Serve on stdin and stdout until the client ends; the exit code.

    The real stdout is kept for the protocol alone. A `print` of anybody, or of a child
    process, goes to stderr: one such line would break the connection. For the same reason
    nobody else finds our stdin.
    """
    protocol_out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    protocol_in = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    _close_stdin()
    return serve(server, protocol_in, protocol_out)


def serve_tcp(server: MindnetServer, host: str, port: int) -> int:
    """Serve the first client that connects, then end; the exit code."""
    try:
        with socket.create_server((host, port)) as listener:
            bound = listener.getsockname()
            # stderr belongs to people and scripts: with port 0 they must learn the number
            sys.stderr.write(f"mindnet-lsp listens on {bound[0]}:{bound[1]}\n")
            sys.stderr.flush()
            connection, _ = listener.accept()
    except OSError as error:
        _log.error("%s:%s cannot be served: %s", host, port, error.strerror)
        return 1
    _close_stdin()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return serve(server, connection.makefile("rb"), connection.makefile("wb"))


def serve(server: MindnetServer, reader: IO[bytes], writer: IO[bytes]) -> int:
    """Serve one client over two streams; the exit code: 0 only after `shutdown`."""
    _kept.extend((reader, writer))
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(server, reader, writer))
    server.scheduler.abandon()
    return _code(server)


async def _serve(server: MindnetServer, reader: IO[bytes], writer: IO[bytes]) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def broken() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(ended.set)

    outbox = Outbox(writer, broken)
    protocol = server.protocol
    inbox = Inbox(protocol.receive, protocol.give_up, ended.set)
    protocol.set_writer(outbox)
    protocol.on_exit = ended.set
    # a daemon: it may wait for input that never comes
    threading.Thread(target=inbox.read, args=(reader,), name="mindnet-read", daemon=True).start()
    await ended.wait()
    outbox.close()
    # a thread on a dead disk, or a task that will not be cancelled, must not keep us
    last = threading.Timer(PATIENCE, os._exit, (_code(server),))
    last.daemon = True
    last.start()
    await server.scheduler.close()
    await asyncio.to_thread(outbox.join, LAST_WORDS)


def _close_stdin() -> None:
    """A child process that reads finds nothing, instead of waiting for ever."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)


def _code(server: MindnetServer) -> int:
    return 0 if server.protocol.is_shut_down else 1
