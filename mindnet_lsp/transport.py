"""How the server talks: stdio by default, or one TCP connection."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from pygls.io_ import run_async

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

_log = logging.getLogger(__name__)


def serve_stdio(server: MindnetServer) -> int:
    """Serve on stdin and stdout until the client ends; the exit code.

    The real stdout is kept for the protocol alone. A `print` of anybody, or of a child
    process, goes to stderr: one such line would break the connection.
    """
    protocol_out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    server.start_io(sys.stdin.buffer, protocol_out)
    return _end(server)


def serve_tcp(server: MindnetServer, host: str, port: int) -> int:
    """Serve the first client that connects, then end; the exit code.

    pygls' own loop waits for the closed connection for ever on Python 3.12 and later.
    """
    try:
        asyncio.run(_serve(server, host, port))
    except SystemExit:  # how pygls answers `exit`; the code is worked out below
        pass
    except OSError as error:
        _log.error("%s:%s cannot be served: %s", host, port, error.strerror)
        return 1
    return _end(server)


async def _serve(server: MindnetServer, host: str, port: int) -> None:
    connected: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    connected = asyncio.get_running_loop().create_future()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if connected.done():
            writer.close()
        else:
            connected.set_result((reader, writer))

    listener = await asyncio.start_server(accept, host, port)
    bound = listener.sockets[0].getsockname()
    # stderr belongs to people and scripts: with port 0 they must learn the number
    sys.stderr.write(f"mindnet-lsp listens on {bound[0]}:{bound[1]}\n")
    sys.stderr.flush()
    reader, writer = await connected
    listener.close()
    server.protocol.set_writer(writer)
    try:
        await run_async(
            threading.Event(), reader, server.protocol, _log, server.report_server_error
        )
    finally:
        writer.close()
        with suppress(OSError):  # the client may have gone first
            await writer.wait_closed()


def _end(server: MindnetServer) -> int:
    server.scheduler.abandon()
    return 0 if server.protocol.is_shut_down else 1
