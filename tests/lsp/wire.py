"""A server in this process, and the other end of its wire: messages in, messages out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mindnet_lsp.server import MindnetServer, create_server
from tests.support.waiting import wait_until

Message = dict[str, Any]


class Wire:
    """What pygls writes to, and what speaks to it as a client. Answers the server's own
    requests from `answers` (by method), else with null."""

    def __init__(self, server: MindnetServer) -> None:
        self.server = server
        self.sent: list[Message] = []
        self.answers: dict[str, Any] = {}
        self.silent: set[str] = set()
        self._id = 0
        server.protocol.set_writer(self)

    def write(self, data: bytes) -> None:
        message: Message = json.loads(data.partition(b"\r\n\r\n")[2])
        self.sent.append(message)
        if "method" in message and "id" in message and message["method"] not in self.silent:
            answer = self.answers.get(message["method"])
            if answer is None and message["method"] == "workspace/configuration":
                answer = [None for _ in message["params"]["items"]]
            self.receive({"id": message["id"], "result": answer}, soon=True)

    def close(self) -> None:
        """Nothing to close."""

    def receive(self, message: Message, *, soon: bool = False) -> None:
        """Hand a message of the client to the server."""
        raw = json.loads(json.dumps({"jsonrpc": "2.0", **message}))
        if soon:
            asyncio.get_running_loop().call_soon(self.server.protocol.receive, raw)
        else:
            self.server.protocol.receive(raw)

    def notify(self, method: str, params: Any) -> None:
        self.receive({"method": method, "params": params})

    def request(self, method: str, params: Any = None) -> int:
        self._id += 1
        self.receive({"method": method, "params": params, "id": self._id})
        return self._id

    async def answer(self, number: int) -> Message:
        """The server's answer to a request."""

        def find() -> Message | None:
            found = (m for m in self.sent if m.get("id") == number and "method" not in m)
            return next(found, None)

        found = await wait_until(find)
        assert found is not None
        return found

    async def ask(self, method: str, params: Any = None) -> Message:
        return await self.answer(self.request(method, params))

    def of(self, method: str) -> list[Any]:
        """The parameters of all messages of this method, in order."""
        return [message.get("params") for message in self.sent if message.get("method") == method]

    def published(self, uri: str) -> list[Any]:
        found = self.of("textDocument/publishDiagnostics")
        return [params for params in found if params["uri"] == uri]

    def open(self, uri: str, text: str, version: int = 1) -> None:
        item = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, text: str, version: int) -> None:
        document = {"uri": uri, "version": version}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]}
        )


def folders_of(data: Path) -> dict[str, str]:
    return {"MINDNET_DATA_DIR": str(data), "MINDNET_CONFIG_DIR": str(data / "config")}


@asynccontextmanager
async def wire(
    root: Path,
    data: Path,
    capabilities: Message | None = None,
    silent: Iterable[str] = (),
    **params: Any,
) -> AsyncIterator[Wire]:
    """A server whose vault at `root` is indexed; derived data go below `data`."""
    server = create_server({"MINDNET_LOCALE": "en", **folders_of(data)})
    # link features alone; the core service has tests of its own
    del server.sessions.on_open[1:]
    found = Wire(server)
    found.silent |= set(silent)
    folders = [{"uri": root.as_uri(), "name": root.name}]
    full = {
        "processId": None,
        "rootUri": None,
        "capabilities": capabilities or {},
        "workspaceFolders": folders,
        **params,
    }
    await found.ask("initialize", full)
    found.notify("initialized", {})
    await wait_until(
        lambda: any(status["index"]["state"] == "ready" for status in found.of("mindnet/status"))
    )
    yield found
    await found.ask("shutdown")
