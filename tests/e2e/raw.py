"""A bare JSON-RPC client over pipes or a socket: for what a well-behaved client never does."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from tests.e2e.editor import environment

TIMEOUT = 15.0


class RawServer:
    """A server process, spoken to message by message. Killed at the end if it still runs."""

    def __init__(
        self,
        tmp: Path,
        arguments: Sequence[str] = (),
        cwd: Path | None = None,
        program: Sequence[str] = ("-m", "mindnet_lsp"),
        **variables: str,
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment(tmp, **variables),
        )
        assert self.process.stdin
        assert self.process.stdout
        self.reader: IO[bytes] = self.process.stdout
        self.writer: IO[bytes] = self.process.stdin
        self._id = 0

    def __enter__(self) -> Self:
        return self

    def hang_up(self) -> None:
        """Close the server's input."""
        with suppress(BrokenPipeError):
            self.writer.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        if self.writer.closed:
            self.process.stdin = None
        self.process.communicate(timeout=TIMEOUT)

    def send(self, method: str, params: Any = None, *, request: bool = True) -> int:
        """Send a request (its id is returned) or a notification."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        if request:
            self._id += 1
            message["id"] = self._id
        self.send_raw(framed(json.dumps(message).encode()))
        return self._id

    def send_answer(self, number: Any, result: Any) -> None:
        """Answer a request of the server."""
        message = {"jsonrpc": "2.0", "id": number, "result": result}
        self.send_raw(framed(json.dumps(message).encode()))

    def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)
        self.writer.flush()

    def receive(self) -> dict[str, Any]:
        """The next message of the server. Raises EOFError where there is none."""
        length = 0
        while (header := self.reader.readline()) not in (b"\r\n", b""):
            assert header.lower().startswith((b"content-length:", b"content-type:")), header
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
        if not length:
            raise EOFError
        found: dict[str, Any] = json.loads(self.reader.read(length))
        return found

    def answer(self, number: int) -> dict[str, Any]:
        """The answer to a request; everything else is passed over."""
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                return message

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and wait for its answer."""
        return self.answer(self.send(method, params))

    def initialize(self, root: Path | None = None, **params: Any) -> dict[str, Any]:
        """`initialize` and `initialized`; the answer."""
        folder = [{"uri": root.as_uri(), "name": root.name}] if root else None
        full = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folder}
        found = self.ask("initialize", {**full, **params})
        self.send("initialized", {}, request=False)
        return found

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item}, request=False)

    def until_ready(self) -> dict[str, Any]:
        """Pass over messages until a vault is indexed; that status."""
        while True:
            message = self.receive()
            if message.get("method") == "mindnet/status":
                status: dict[str, Any] = message["params"]
                if status["index"]["state"] == "ready":
                    return status

    def end(self) -> int:
        """`shutdown` and `exit`; the exit code."""
        self.ask("shutdown")
        self.send("exit", request=False)
        return self.wait()

    def wait(self) -> int:
        """The exit code."""
        return self.process.wait(TIMEOUT)


class TcpServer(RawServer):
    """The same over a TCP connection."""

    def __init__(self, tmp: Path, arguments: Sequence[str] = (), **options: Any) -> None:
        super().__init__(tmp, ["--tcp", "--port", "0", *arguments], **options)
        assert self.process.stderr
        line = self.process.stderr.readline().decode()
        found = re.search(r"127\.0\.0\.1:(\d+)", line)
        assert found, line
        self._pipes = self.reader, self.writer
        self._socket = socket.create_connection(("127.0.0.1", int(found[1])), TIMEOUT)
        self.reader, self.writer = self._socket.makefile("rb"), self._socket.makefile("wb")

    def hang_up(self) -> None:
        """Close the connection."""
        for stream in (self.writer, self.reader):
            with suppress(OSError):
                stream.close()
        self._socket.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.hang_up()
        self.reader, self.writer = self._pipes
        super().__exit__(kind, error, tb)


def framed(body: bytes) -> bytes:
    """A message with its header."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
