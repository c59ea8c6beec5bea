"""A small editor without a screen: what the demo speaks to the server with."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from core.errors import MindnetError
from core.service.client import CoreClient
from core.service.endpoint import ENDPOINT_FILE
from core.version import __version__

_DONE = ("ready", "error")


def _capabilities() -> types.ClientCapabilities:
    """Of a capable editor: Markdown hovers, edits with file operations, label details."""
    markdown = [types.MarkupKind.Markdown]
    return types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=True,
                resource_operations=[types.ResourceOperationKind.Create],
            )
        ),
        text_document=types.TextDocumentClientCapabilities(
            hover=types.HoverClientCapabilities(content_format=markdown),
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=types.ClientCodeActionLiteralOptions(
                    types.ClientCodeActionKindOptions([])
                )
            ),
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True, version_support=True
            ),
        ),
    )


class DemoClient:
    """Starts the server in a process of its own and asks it."""

    def __init__(self, vault: Path) -> None:
        self.vault = vault
        self.version = __version__
        self.initialize_ms = 0.0
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.status: dict[str, Any] = {}
        self._changed = asyncio.Event()
        self._client = LanguageClient("mindnet-demo", __version__)

        @self._client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = list(params.diagnostics)
            self._changed.set()

        @self._client.feature("mindnet/status")
        def status(params: Any) -> None:
            self.status = _plain(params)
            self._changed.set()

        @self._client.feature(types.WINDOW_LOG_MESSAGE)
        def logged(params: types.LogMessageParams) -> None:
            """The demo shows answers; the log is for people who look for faults."""

    async def start(self) -> None:
        """Start the server and initialize it as an editor does."""
        began = time.perf_counter()
        await self._client.start_io(sys.executable, "-P", "-m", "mindnet_lsp")
        await self._client.initialize_async(
            types.InitializeParams(
                capabilities=_capabilities(),
                process_id=os.getpid(),
                workspace_folders=[types.WorkspaceFolder(self.vault.as_uri(), self.vault.name)],
            )
        )
        self.initialize_ms = (time.perf_counter() - began) * 1000
        self._client.initialized(types.InitializedParams())

    async def stop(self) -> None:
        """End the server as an editor does."""
        with suppress(Exception):  # it may never have started, and is killed then
            await asyncio.wait_for(self._client.shutdown_async(None), 5)
            self._client.exit(None)
        await self._client.stop()

    async def wait_ready(self, seconds: float) -> None:
        """Wait for the link index."""
        await self._until(lambda: self.status.get("index", {}).get("state") in _DONE, seconds)

    async def wait_indexed(self, seconds: float, show: Callable[[str], None]) -> bool:
        """Wait for the search index, but not for ever; whether it is complete."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.status = await self.command("mindnet.status")
            index = self.status["index"]
            if index["state"] in _DONE and self.status["chunks"]:
                return True
            show(f"preparing the search: {self.status['chunks']} chunks so far")
            await asyncio.sleep(0.3)
        return False

    def open(self, path: str, text: str, version: int = 1) -> str:
        """Open a document with this text, which need not be the file's; its URI."""
        uri = (self.vault / path).as_uri()
        item = types.TextDocumentItem(uri, "markdown", version, text)
        self._client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def close(self, uri: str) -> None:
        """Close a document without saving it."""
        self._client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )

    async def findings(self, uri: str, seconds: float = 5) -> list[types.Diagnostic]:
        """The diagnostics of an open document."""
        await self._until(lambda: uri in self.diagnostics, seconds)
        return self.diagnostics.get(uri, [])

    async def complete(self, uri: str, at: types.Position) -> list[types.CompletionItem]:
        found = await self._client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(uri), at)
        )
        return list(found.items if isinstance(found, types.CompletionList) else found or [])

    async def hover(self, uri: str, at: types.Position) -> str:
        found = await self._client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), at)
        )
        contents = found.contents if found else ""
        return contents.value if isinstance(contents, types.MarkupContent) else str(contents)

    async def definition(self, uri: str, at: types.Position) -> list[types.Location]:
        found = await self._client.text_document_definition_async(
            types.DefinitionParams(types.TextDocumentIdentifier(uri), at)
        )
        return [found] if isinstance(found, types.Location) else list(found or [])  # type: ignore[arg-type]

    async def actions(self, uri: str, one: types.Diagnostic) -> list[str]:
        found = await self._client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(uri), one.range, types.CodeActionContext([one])
            )
        )
        return [action.title for action in found or []]

    async def command(self, name: str, **arguments: Any) -> Any:
        """The result of a workspace command, as plain dicts."""
        params = types.ExecuteCommandParams(name, arguments=[arguments])
        return _plain(await self._client.workspace_execute_command_async(params))

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not done() and (left := deadline - time.monotonic()) > 0:
            self._changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), min(left, 0.2))


async def stop_core(vault: Path) -> None:
    """End the core that the server started, so that nothing is left behind."""
    client = CoreClient(vault, start=False)
    with suppress(MindnetError):
        await client.call("POST", "/shutdown")
        deadline = time.monotonic() + 5
        # no event tells of another process' end
        while (client.folder / ENDPOINT_FILE).exists() and time.monotonic() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await client.aclose()


def _plain(value: Any) -> Any:
    """pygls turns JSON objects of unknown shape into named tuples; back to dicts."""
    if hasattr(value, "_asdict"):
        return {key: _plain(item) for key, item in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
