"""What was read and is not handled yet, and what is to be written.

A thread of its own reads: so a cancellation is seen while the request that it means still
waits, and that request is never worked on. Another one writes: a client that does not read
cannot stop the event loop.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from mindnet_lsp.framing import BrokenStreamError, read_message

MAX_WAITING = 4096
"""Messages that are read ahead; behind them the client has to wait."""
NEVER_CANCELLED = ("initialize", "shutdown")

_log = logging.getLogger(__name__)


class Malformed:
    """Stands for a message that is no JSON."""


class Inbox:
    """Messages in the order of the client, handed to the event loop one at a time."""

    def __init__(
        self,
        receive: Callable[[Any], None],
        cancelled: Callable[[str | int], None],
        closed: Callable[[], None],
    ) -> None:
        """`receive` takes each message, `cancelled` the id of a request that was given up
        before its turn; `closed` is called behind the last one. All on the running loop."""
        self._receive, self._cancelled, self._closed = receive, cancelled, closed
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._room = threading.BoundedSemaphore(MAX_WAITING)
        self._waiting: deque[Any] = deque()
        self._requests: set[str | int] = set()
        self._given_up: set[str | int] = set()
        self._is_scheduled = self._at_end = False

    def read(self, stream: IO[bytes]) -> None:
        """Read until the stream ends; runs in a thread."""
        try:
            while (body := read_message(stream)) is not None:
                self._room.acquire()
                self.put(_parse(body))
        except BrokenStreamError as error:
            _log.error("the connection is broken: %s", error)
        except (OSError, ValueError):  # closed under our hands
            pass
        self._at_end = True
        self._wake()

    def put(self, message: Any) -> None:
        """Add a message. A cancellation overtakes: its request is not begun any more."""
        cancelled = cancelled_id(message)
        with self._lock:
            if cancelled is not None and cancelled in self._requests:
                self._given_up.add(cancelled)
            number = request_id(message)
            if number is not None:
                self._requests.add(number)
            self._waiting.append(message)
        self._wake()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._schedule)

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self._next)

    def _next(self) -> None:
        """Handle one message; others get their turn before the next one."""
        self._is_scheduled = False
        with self._lock:
            if not self._waiting:
                if self._at_end:
                    self._closed()
                return
            message = self._waiting.popleft()
            number = request_id(message)
            given_up = number is not None and number in self._given_up
            if number is not None:
                self._requests.discard(number)
                self._given_up.discard(number)
        with suppress(ValueError):  # of tests that put without reading
            self._room.release()
        self._schedule()
        if given_up and number is not None:
            self._cancelled(number)
        else:
            self._receive(message)


class Outbox:
    """Writes in a thread, in order; what pygls takes for its writer."""

    def __init__(self, stream: IO[bytes], broken: Callable[[], None]) -> None:
        """`broken` is called in the thread when nobody reads any more."""
        self._stream, self._broken = stream, broken
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="mindnet-write", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        self._queue.put(data)

    def close(self) -> None:
        """No more is written."""
        self._queue.put(None)

    def join(self, timeout: float) -> None:
        """Wait until everything is written."""
        self.close()
        self._thread.join(timeout)

    def _run(self) -> None:
        try:
            while (data := self._queue.get()) is not None:
                self._stream.write(data)
                self._stream.flush()
        except (OSError, ValueError):
            self._broken()


def request_id(message: Any) -> str | int | None:
    """The id of a request that may be cancelled."""
    if not isinstance(message, dict) or message.get("method") in NEVER_CANCELLED:
        return None
    number = message.get("id") if "method" in message else None
    return number if is_id(number) else None


def cancelled_id(message: Any) -> str | int | None:
    """The id that a `$/cancelRequest` names."""
    if not isinstance(message, dict) or message.get("method") != "$/cancelRequest":
        return None
    params = message.get("params")
    number = params.get("id") if isinstance(params, dict) else None
    return number if is_id(number) else None


def is_id(value: Any) -> bool:
    """Whether LSP allows this id: a string or a whole number."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return Malformed()
