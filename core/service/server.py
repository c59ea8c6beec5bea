"""The HTTP server of the core process: uvicorn, ended by us and not by itself."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import uvicorn
from fastapi import FastAPI

GRACE_SECONDS = 2
"""How long requests that are under way may go on when the server ends."""


class Server(uvicorn.Server):
    """Serves an application on a listening socket until `stop`, SIGINT or SIGTERM.

    uvicorn raises a signal again once it has served, which would end the process before
    the store is closed; here a signal only stops the server.
    """

    def __init__(self, app: FastAPI, listener: socket.socket) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        self._listener = listener

    async def run_until_stopped(self) -> None:
        """Serve; returns when all connections are closed."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError, RuntimeError):  # not in the main thread
                loop.add_signal_handler(number, self.stop)
        await self.serve(sockets=[self._listener])

    def stop(self) -> None:
        """Ask it to end."""
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
