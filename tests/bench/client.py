"""A bare JSON-RPC client over a process's stdio, made for measuring.

Replies and notifications are stamped when their last byte arrives, before they are decoded,
so the client's own work is not part of a time. Times are `time.perf_counter` seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]


class ServerGone(Exception):  # noqa: N818 - says what has happened
    """The server ended, or does not answer; the text holds the last line of its stderr."""


class ServerError(Exception):
    """The server answered a request with an error."""


class Reply(NamedTuple):
    """A result, when its request was sent and when the answer was there."""

    result: Any
    sent: float
    at: float

    @property
    def seconds(self) -> float:
        return self.at - self.sent


class Event(NamedTuple):
    """A notification from the server."""

    at: float
    method: str
    params: Any


class StdioClient:
    """Starts `command` and speaks JSON-RPC with it; one thread reads, any thread may write."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: Path,
        answer: Callable[[str, Any], Any] = lambda method, params: None,
    ) -> None:
        """`answer` gives the results of the server's own requests. Raises `OSError`."""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=dict(env),
            cwd=cwd,
        )
        self.events: list[Event] = []
        self._answer = answer
        self._replies: dict[int, tuple[Json, float] | None] = {}
        self._next_id = 0
        self._arrived = threading.Condition()
        self._writing = threading.Lock()
        self._closed = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def notify(self, method: str, params: Any) -> float:
        """Send a notification; returns when it was sent."""
        return self._send({"method": method, "params": params})

    def request(self, method: str, params: Any, timeout: float = 60.0) -> Reply:
        """Send a request and wait; raises `ServerError`, and `ServerGone` at the timeout."""
        with self._arrived:
            self._next_id += 1
            number = self._next_id
            self._replies[number] = None
        sent = self._send({"id": number, "method": method, "params": params})
        with self._arrived:
            there = self._arrived.wait_for(
                lambda: self._replies[number] is not None or self._closed, timeout
            )
            reply = self._replies.pop(number)
        if reply is None:
            why = "ended" if there else f"did not answer within {timeout:.0f} s"
            raise self._gone(f"{method}: the server {why}")
        message, at = reply
        if "error" in message:
            raise ServerError(f"{method}: {message['error'].get('message', message['error'])}")
        return Reply(message.get("result"), sent, at)

    def wait_for(
        self, wanted: Callable[[Event], bool], timeout: float, since: int = 0
    ) -> Event | None:
        """The first event from number `since` on that `wanted` accepts; None at the timeout."""
        seen = since

        def find() -> Event | None:
            nonlocal seen
            while seen < len(self.events):
                seen += 1
                if wanted(self.events[seen - 1]):
                    return self.events[seen - 1]
            return None

        with self._arrived:
            found: list[Event] = []

            def there() -> bool:
                event = find()
                if event is not None:
                    found.append(event)
                return bool(found) or self._closed

            self._arrived.wait_for(there, timeout)
            if not found and self._closed:
                raise self._gone("the server ended")
            return found[0] if found else None

    def close(self, timeout: float = 20.0) -> int:
        """Shut the server down as the protocol says; returns its exit code."""
        try:
            self.request("shutdown", None, timeout)
            self.notify("exit", None)
            return self.process.wait(timeout)
        except (ServerGone, ServerError, subprocess.TimeoutExpired):
            self.process.kill()
            return self.process.wait(timeout)
        finally:
            self._reader.join(timeout)
            for stream in (self.process.stdin, self.process.stdout, self._stderr):
                if stream is not None:
                    with suppress(BrokenPipeError):  # bytes that a dead server never took
                        stream.close()

    def _send(self, message: Json) -> float:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        stream = self.process.stdin
        assert stream is not None, "the server's stdin is a pipe"
        with self._writing:
            sent = time.perf_counter()
            try:
                stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                stream.flush()
            except (BrokenPipeError, ValueError) as error:
                raise self._gone("the server ended") from error
        return sent

    def _read(self) -> None:
        assert self.process.stdout is not None, "the server's stdout is a pipe"
        source = self.process.stdout.fileno()
        buffer = bytearray()
        while data := os.read(source, 1 << 20):
            at = time.perf_counter()
            buffer += data
            while (body := _take_message(buffer)) is not None:
                self._receive(json.loads(body), at)
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()

    def _receive(self, message: Json, at: float) -> None:
        method = message.get("method")
        if method is not None and "id" in message:
            result = self._answer(method, message.get("params"))
            with suppress(ServerGone):  # the next request will say so
                self._send({"id": message["id"], "result": result})
            return
        with self._arrived:
            if method is not None:
                self.events.append(Event(at, method, message.get("params")))
            elif message.get("id") in self._replies:
                self._replies[message["id"]] = (message, at)
            self._arrived.notify_all()

    def _gone(self, text: str) -> ServerGone:
        if self._closed:
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(1.0)
        size = os.fstat(self._stderr.fileno()).st_size
        tail = os.pread(self._stderr.fileno(), 2000, max(0, size - 2000))
        lines = tail.decode("utf-8", "replace").strip().splitlines()
        return ServerGone(f"{text}: {lines[-1]}" if lines else text)


def _take_message(buffer: bytearray) -> bytes | None:
    """Cut the first whole message off the buffer; None while it is not all there."""
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    length = 0
    for line in bytes(buffer[:end]).split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
    if len(buffer) < end + 4 + length:
        return None
    body = bytes(buffer[end + 4 : end + 4 + length])
    del buffer[: end + 4 + length]
    return body
