"""What an editor says to a language server, on top of the bare client."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.bench.client import Event, Reply, ServerError, ServerGone, StdioClient

# `textDocument.diagnostic` is left out on purpose: a server that could be asked for
# diagnostics would not publish them, and publishing is what is measured.
_TEXT_DOCUMENT: dict[str, Any] = {
    "synchronization": {"didSave": True},
    "completion": {
        "contextSupport": True,
        "completionItem": {
            "snippetSupport": True,
            "documentationFormat": ["markdown", "plaintext"],
            "labelDetailsSupport": True,
            "insertReplaceSupport": True,
            "resolveSupport": {"properties": ["documentation", "detail", "additionalTextEdits"]},
        },
        "completionList": {
            "itemDefaults": ["editRange", "insertTextFormat", "insertTextMode", "data"]
        },
    },
    "hover": {"contentFormat": ["markdown", "plaintext"]},
    "definition": {"linkSupport": True},
    "references": {},
    "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
    "rename": {"prepareSupport": True},
}
_EDITORS: dict[str, dict[str, Any]] = {
    "vscode": {
        "clientInfo": {"name": "Visual Studio Code", "version": "1.100.0"},
        "encodings": ["utf-16"],
        "dynamic": True,
    },
    "neovim": {
        "clientInfo": {"name": "Neovim", "version": "0.11.4"},
        "encodings": ["utf-8", "utf-16", "utf-32"],
        "dynamic": False,
    },
}
EDITORS = tuple(_EDITORS)


def initialize_params(editor: str, root: Path) -> dict[str, Any]:
    """Parameters of `initialize` as this editor sends them for one workspace folder."""
    facts = _EDITORS[editor]
    dynamic = {"dynamicRegistration": facts["dynamic"]}
    return {
        "processId": os.getpid(),
        "clientInfo": facts["clientInfo"],
        "locale": "en",
        "rootPath": str(root),
        "rootUri": root.as_uri(),
        "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        "capabilities": {
            "general": {"positionEncodings": facts["encodings"]},
            "window": {"workDoneProgress": True, "showDocument": {"support": True}},
            "workspace": {
                "applyEdit": True,
                "configuration": True,
                "workspaceFolders": True,
                "didChangeConfiguration": dynamic,
                "didChangeWatchedFiles": {**dynamic, "relativePatternSupport": True},
                "workspaceEdit": {
                    "documentChanges": True,
                    "resourceOperations": ["create", "rename", "delete"],
                },
            },
            "textDocument": _TEXT_DOCUMENT,
        },
    }


def _answer(method: str, params: Any) -> Any:
    if method == "workspace/configuration":
        return [None for _ in params["items"]]
    if method == "workspace/applyEdit":
        return {"applied": False, "failureReason": "the benchmark changes no file"}
    if method == "window/showDocument":
        return {"success": True}
    return None


class Editor:
    """One editor window on a vault. Its edits stay in memory: no file is ever written."""

    def __init__(
        self,
        command: Sequence[str],
        root: Path,
        *,
        env: Mapping[str, str],
        cwd: Path,
        profile: str = "vscode",
    ) -> None:
        """Start the server and wait for the answer to `initialize`."""
        self.root = root
        self.client = StdioClient(command, env=env, cwd=cwd, answer=_answer)
        try:
            reply = self.client.request("initialize", initialize_params(profile, root))
        except (ServerGone, ServerError):
            self.client.close()
            raise
        self.initialize_seconds = reply.at - self.client.started
        self.capabilities: dict[str, Any] = reply.result["capabilities"]
        self.server_info: dict[str, Any] = reply.result.get("serverInfo") or {}
        self.encoding: str = self.capabilities.get("positionEncoding", "utf-16")
        self.initialized = 0.0

    def start(self) -> None:
        """Send `initialized`; `self.initialized` is the time of it."""
        self.initialized = self.client.notify("initialized", {})

    def request(self, method: str, params: Any, timeout: float = 60.0) -> Reply:
        return self.client.request(method, params, timeout)

    def offers(self, capability: str) -> bool:
        return bool(self.capabilities.get(capability))

    def commands(self) -> list[str]:
        """Names of the server's workspace commands."""
        provider = self.capabilities.get("executeCommandProvider") or {}
        return list(provider.get("commands", []))

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str, version: int = 1) -> None:
        document = {
            "uri": self.uri(path),
            "languageId": "markdown",
            "version": version,
            "text": text,
        }
        self.client.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, path: str, text: str, version: int) -> float:
        """Replace the whole text in the server's memory; returns when that was sent."""
        document = {"uri": self.uri(path), "version": version}
        params = {"textDocument": document, "contentChanges": [{"text": text}]}
        return self.client.notify("textDocument/didChange", params)

    def close_document(self, path: str) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def at(self, path: str, line: int, before: str) -> dict[str, Any]:
        """Text document position behind the text `before` of a line."""
        units = {"utf-8": len(before.encode()), "utf-32": len(before)}
        character = units.get(self.encoding, len(before.encode("utf-16-le")) // 2)
        position = {"line": line, "character": character}
        return {"textDocument": {"uri": self.uri(path)}, "position": position}

    def leads_to(self, result: Any, path: str) -> bool:
        """Whether an answer to `definition` names the file at `path`."""
        places = result if isinstance(result, list) else [result] if result else []
        found = {place.get("targetUri") or place.get("uri") for place in places}
        return (self.root / path) in {Path(unquote(urlsplit(uri).path)) for uri in found if uri}

    def wait_ready(self, timeout: float) -> float | None:
        """When the server said that its index is complete: with `mindnet/status`, or, if it is
        another server, with the end of a progress. None if it did not say so in time."""
        said = _status_ready if "mindnet.status" in self.commands() else _progress_end
        event = self.client.wait_for(said, timeout)
        return event.at if event else None

    def diagnostics_of(self, path: str, since: int, timeout: float, version: int = 0) -> Event:
        """The next publication for `path` from event `since` on, of `version` or later."""
        uri = self.uri(path)

        def wanted(event: Event) -> bool:
            if event.method != "textDocument/publishDiagnostics" or event.params["uri"] != uri:
                return False
            seen = event.params.get("version")
            return bool(event.params["diagnostics"]) if seen is None else seen >= version

        event = self.client.wait_for(wanted, timeout, since)
        if event is None:
            raise ServerGone(f"no diagnostics of {path} within {timeout:.0f} s")
        return event

    def close(self) -> int:
        return self.client.close()


def _status_ready(event: Event) -> bool:
    return event.method == "mindnet/status" and event.params["index"]["state"] == "ready"


def _progress_end(event: Event) -> bool:
    return event.method == "$/progress" and event.params["value"].get("kind") == "end"


def until(deadline: float) -> float:
    """Seconds left until a `perf_counter` deadline, never negative."""
    return max(0.0, deadline - time.perf_counter())
