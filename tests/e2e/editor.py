"""An editor at the other end of a real server process: recorded capabilities, real messages."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Union

from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import ClientServerConfig, LanguageClient

from core.text import LineIndex
from mindnet_lsp.convert import Converter
from tests.e2e.pulling import Pulling
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

CLIENTS = Path(__file__).parent / "clients"
PROFILES = ("vscode", "neovim", "eglot")
REPOSITORY = Path(__file__).parents[2]


def capabilities(profile: str) -> types.ClientCapabilities:
    """What a real editor declared; of no editor for the profile `bare`."""
    if profile == "bare":
        return types.ClientCapabilities()
    recorded = json.loads((CLIENTS / f"{profile}.json").read_text("utf-8"))
    found: types.ClientCapabilities = get_converter().structure(
        recorded["capabilities"], types.ClientCapabilities
    )
    return found


def environment(tmp: Path, **more: str) -> dict[str, str]:
    """An environment in which nothing outside `tmp` is written."""
    kept = {name: os.environ[name] for name in ("PATH", "LC_ALL", "LANG") if name in os.environ}
    home = tmp / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {
        **kept,
        "HOME": str(home),
        "MINDNET_DATA_DIR": str(tmp / "data"),
        "MINDNET_LOCALE": "en",
        "MINDNET_EMBEDDING_PROVIDER": "none",
        "MINDNET_OLLAMA_URL": "http://127.0.0.1:9",
        # the core that a server starts outlives it, but not for long
        "MINDNET_CORE_IDLE_EXIT": "3",
        "PYTHONPATH": str(REPOSITORY),
        "PYTHONWARNINGS": "error",
        **more,
    }


class Editor:
    """Speaks to the server as an editor with a vault at `root` does."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client, self.root = client, root
        self.result: types.InitializeResult
        self.published: list[types.PublishDiagnosticsParams] = []
        self.statuses: list[Any] = []
        self.applied: list[types.WorkspaceEdit] = []
        self.registered: list[types.Registration] = []
        self.refreshed: list[str] = []
        """Methods by which the server had something shown again, diagnostics aside."""
        self._versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.opened: set[str] = set()
        self.pulling: Pulling | None = None
        """Set where the server wants to be asked for findings; they land in `published` too."""
        features = client.protocol.fm._features
        features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = self._publish
        features[types.CLIENT_REGISTER_CAPABILITY] = self._register
        features[types.WORKSPACE_APPLY_EDIT] = self._apply
        features["mindnet/status"] = self.statuses.append
        for method in (
            types.WORKSPACE_CODE_LENS_REFRESH,
            types.WORKSPACE_INLAY_HINT_REFRESH,
            types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
        ):
            features[method] = lambda *_, method=method: self.refreshed.append(method)

    @property
    def convert(self) -> Converter:
        return Converter(str(self.result.capabilities.position_encoding or "utf-16"))

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None, version: int = 1) -> str:
        """Open a note as it is on disk, or with another text; its URI."""
        text = (self.root / path).read_bytes().decode() if text is None else text
        self._versions[path], self.texts[path] = version, text
        item = types.TextDocumentItem(self.uri(path), "markdown", version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        self.opened.add(path)
        if self.pulling:
            self.pulling.document(path)
        return item.uri

    def change(self, path: str, text: str) -> int:
        """Send the whole new text; its version."""
        self.texts[path] = text
        return self.send_changes(path, [types.TextDocumentContentChangeWholeDocument(text)])

    def send_changes(self, path: str, changes: list[types.TextDocumentContentChangeEvent]) -> int:
        """Send a `didChange` with these changes; its version."""
        self._versions[path] += 1
        document = types.VersionedTextDocumentIdentifier(self._versions[path], self.uri(path))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))
        if self.pulling:
            self.pulling.document(path)
        return self._versions[path]

    def version(self, path: str) -> int:
        return self._versions[path]

    def save(self, path: str) -> None:
        """Write the text to disk and tell the server."""
        (self.root / path).write_bytes(self.texts[path].encode())
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(path)))
        )

    def close(self, path: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(path))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
        self.opened.discard(path)
        if self.pulling:
            self.pulling.workspace()

    def touch(self, path: str, kind: types.FileChangeType) -> None:
        """Tell of a change on disk, as a client that watches files does."""
        event = types.FileEvent(self.uri(path), kind)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    def at(self, path: str, offset: int) -> dict[str, Any]:
        """Document and position of an offset, as request parameters."""
        position = self.convert.position(LineIndex(self.texts[path]), offset)
        return {
            "text_document": types.TextDocumentIdentifier(self.uri(path)),
            "position": position,
        }

    def mark(self, path: str, marked: str) -> dict[str, Any]:
        """Open or change a note to a text with `$0` in it; document and position of that."""
        fixture = parse_fixture(f"//- /{path}\n{marked}")
        if path in self.texts:
            self.change(path, fixture.text)
        else:
            self.open(path, fixture.text)
        return self.at(path, fixture.start)

    def range_text(self, path: str, wanted: types.Range) -> str:
        """The text of a range of an open note."""
        text = self.texts[path]
        span = self.convert.span(LineIndex(text), wanted)
        return text[span.start : span.end]

    def apply(self, path: str, edits: list[types.TextEdit]) -> str:
        """The text of an open note after edits."""
        text, lines = self.texts[path], LineIndex(self.texts[path])
        for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character))[
            ::-1
        ]:
            span = self.convert.span(lines, edit.range)
            text = text[: span.start] + edit.new_text + text[span.end :]
        return text

    def found(self, path: str) -> list[types.Diagnostic] | None:
        """The findings last published for a note; None before the first."""
        uri = self.uri(path)
        last = [params for params in self.published if params.uri == uri]
        return list(last[-1].diagnostics) if last else None

    def codes(self, path: str) -> list[Any] | None:
        found = self.found(path)
        return None if found is None else [item.code for item in found]

    async def until_codes(self, path: str, codes: list[str]) -> list[types.Diagnostic]:
        """Wait until exactly these findings are published for a note."""
        try:
            await wait_until(lambda: self.codes(path) == codes)
        except AssertionError as error:
            raise AssertionError(f"{path}: wanted {codes}, got {self.codes(path)}") from error
        return self.found(path) or []

    async def until_ready(self, folders: int = 1) -> None:
        """Wait until the vaults are indexed."""
        await wait_until(
            lambda: sum(status.index.state == "ready" for status in self.statuses) >= folders,
            what="the index",
        )

    async def actions(self, path: str, wanted: types.Range) -> list[Any]:
        """Code actions for a range, with the published findings in the context."""
        context = types.CodeActionContext(self.found(path) or [])
        identifier = types.TextDocumentIdentifier(self.uri(path))
        params = types.CodeActionParams(identifier, wanted, context)
        found = await self.client.text_document_code_action_async(params)
        return list(found or ())

    def _publish(self, params: types.PublishDiagnosticsParams) -> None:
        self.published.append(params)

    def _register(self, params: types.RegistrationParams) -> None:
        self.registered += params.registrations

    def _apply(self, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        self.applied.append(params.edit)
        return types.ApplyWorkspaceEditResult(True)


def _actions_as_sent(client: LanguageClient) -> None:
    """lsprotocol takes an action that holds a command for a bare command."""
    converter = client.protocol._converter

    def structure(item: dict[str, Any], _: Any) -> Any:
        bare = isinstance(item.get("command"), str)
        return converter.structure(item, types.Command if bare else types.CodeAction)

    converter.register_structure_hook(types.Command | types.CodeAction, structure)
    converter.register_structure_hook(
        Union[types.Command, types.CodeAction],  # noqa: UP007  (another key for cattrs)
        structure,
    )


@asynccontextmanager
async def editor(
    root: Path,
    tmp: Path,
    profile: str = "vscode",
    *,
    params: types.InitializeParams | None = None,
    ready: bool = True,
    settings: dict[str, Any] | None = None,
    arguments: tuple[str, ...] = (),
    **variables: str,
) -> AsyncIterator[Editor]:
    """A server process with a vault at `root`, initialized and, if wanted, indexed."""
    command = [sys.executable, "-m", "mindnet_lsp", *arguments]
    config = ClientServerConfig(command, server_env=environment(tmp, **variables))
    client = await config.start()
    assert isinstance(client, LanguageClient)
    _actions_as_sent(client)
    found = Editor(client, root)
    client.set_configuration({"mindnet": settings or {}})
    if params is None:
        folder = types.WorkspaceFolder(root.as_uri(), root.name)
        params = types.InitializeParams(capabilities(profile), workspace_folders=[folder])
    assert client._server is not None
    try:
        found.result = await asyncio.wait_for(client.initialize_session(params), 10)
        if found.result.capabilities.diagnostic_provider:
            found.pulling = Pulling(found)
        if ready:
            await found.until_ready()
        yield found
        if found.pulling:
            found.pulling.end()
        await asyncio.wait_for(client.shutdown_session(), 10)
        assert client._server.returncode == 0
    finally:
        if client._server.returncode is None:
            client._server.kill()
        await client.stop()
