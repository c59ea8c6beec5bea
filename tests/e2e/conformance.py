"""What LSP says of answers, and of what a client has not declared: one check per method.

Works on JSON as it came over the wire. `Client(capabilities).check(method, result)` raises
AssertionError with the place and the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Union

from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp.checks import RESULT_CHECKS

from mindnet_lsp.messages import strict_converter
from tests.e2e.conformance_results import RESULTS, Json, holds, span_of

_STRICT = strict_converter()


def _action_as_sent(item: Json, _: Json) -> Json:
    """lsprotocol takes an action that holds a command for a bare command."""
    bare = isinstance(item.get("command"), str)
    return _STRICT.structure(item, types.Command if bare else types.CodeAction)


_STRICT.register_structure_hook(
    Union[types.Command, types.CodeAction],  # noqa: UP007  (the key that lsprotocol has)
    _action_as_sent,
)
OF_VSCODE = {"editor.action.triggerSuggest"}
"""Commands that the editor has itself."""


class Client:
    """The capabilities of a client, and what it may be sent."""

    def __init__(self, capabilities: Json, server: Json | None = None) -> None:
        self.capabilities = capabilities
        self.typed = get_converter().structure(capabilities, types.ClientCapabilities)
        self.server: Json = server or {}
        self.name = ""
        self.tokens: set[Json] = set()
        self.versions: dict[str, int] = {}

    def has(self, path: str) -> Json:
        """What is declared at a dotted path; None where nothing is."""
        found: Json = self.capabilities
        for name in path.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        return found

    def lists(self, path: str) -> set[Json]:
        return set(self.has(path) or ())

    def check(self, method: str, result: Json, params: Json = None) -> None:
        """Check an answer of the server."""
        answer = types.METHOD_TO_TYPES[method][1]
        found = _STRICT.structure({"jsonrpc": "2.0", "id": 1, "result": result}, answer)
        back = _STRICT.unstructure(found).get("result")
        assert _plain(back) == _plain(result), f"{method}: more than the type holds"
        if method in RESULT_CHECKS and self.capabilities:
            RESULT_CHECKS[method](self.typed, found.result)
        if result is not None and method in RESULTS:
            RESULTS[method](self, result, params or {})

    def check_sent(self, message: Json) -> None:
        """Check a request or notification of the server."""
        method, params = message["method"], message.get("params")
        kind = types.METHOD_TO_TYPES.get(method, (None,))[0]
        if kind is None:
            assert method.startswith("mindnet/"), f"{method} is unknown"
            return
        _STRICT.structure(message, kind)
        assert method in SENT, f"no check for {method}"
        wanted = SENT[method]
        if isinstance(wanted, str):
            assert self.has(wanted), f"{method} without {wanted}"
        elif wanted is not None:
            wanted(self, params)

    def edit(self, edit: Json) -> None:
        """Check a workspace edit."""
        changes, documents = edit.get("changes"), edit.get("documentChanges")
        assert (changes is None) != (documents is None), "changes or documentChanges, not both"
        base = "workspace.workspaceEdit"
        if edit.get("changeAnnotations") is not None:
            assert self.has(f"{base}.changeAnnotationSupport"), "change annotations"
        for uri, edits in (changes or {}).items():
            assert uri.startswith(("file:", "untitled:"))
            self._text_edits(edits, annotations={})
        operations = self.lists(f"{base}.resourceOperations")
        plain = [each for each in documents or () if "kind" not in each]
        for each in documents or ():
            if "kind" in each:
                assert each["kind"] in operations, f"{each['kind']} is not declared"
        # a client that takes file operations takes the edits between them
        if plain and not operations:
            assert self.has(f"{base}.documentChanges"), "documentChanges"
        for each in plain:
            uri = each["textDocument"]["uri"]
            assert each["textDocument"]["version"] == self.versions.get(uri), uri
            self._text_edits(each["edits"], edit.get("changeAnnotations") or {})

    def _text_edits(self, edits: Json, annotations: Json) -> None:
        assert edits
        spans = sorted(span_of(each["range"]) for each in edits)
        for (_, end), (start, _) in pairwise(spans):
            assert end <= start, "edits overlap"
        for each in edits:
            assert "snippet" not in each or self.has("workspace.workspaceEdit.snippetEditSupport")
            if "annotationId" in each:
                assert each["annotationId"] in annotations

    def command(self, command: Json) -> None:
        offered = set(self.server.get("executeCommandProvider", {}).get("commands", ()))
        if self.name.startswith("Visual Studio Code"):
            offered |= OF_VSCODE
        assert command["command"] in offered, f"{command['command']} is no command of the server"

    def location(self, found: Json, capability: str) -> None:
        if "targetUri" in found:
            assert self.has(f"{capability}.linkSupport"), "a location link"
            outer, inner = found["targetRange"], found["targetSelectionRange"]
            assert holds(outer, inner), "targetSelectionRange outside targetRange"
        span_of(found.get("targetRange") or found["range"])

    def diagnostic(self, found: Json, base: str) -> None:
        """Check a diagnostic that is published or pulled."""
        span_of(found["range"])
        assert found["message"]
        # pulled ones have their own fields since 3.18, and those of pushed ones before
        names = {"related information": "relatedInformation"}
        for field, capability in (
            ("relatedInformation", "relatedInformation"),
            ("codeDescription", "codeDescriptionSupport"),
            ("data", "dataSupport"),
        ):
            if found.get(field) is not None:
                old = f"textDocument.publishDiagnostics.{capability}"
                assert self.has(f"{base}.{capability}") or self.has(old), names.get(field, field)
        for tag in found.get("tags") or ():
            old = self.lists("textDocument.publishDiagnostics.tagSupport.valueSet")
            assert tag in self.lists(f"{base}.tagSupport.valueSet") | old, "a tag"


def _plain(value: Json) -> Json:
    """Without fields that are null: both forms mean the same."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _registered(client: Client, params: Json) -> None:
    for each in params["registrations"]:
        section, _, name = each["method"].partition("/")
        found = client.has(f"{section}.{name}") or {}
        assert found.get("dynamicRegistration"), f"{each['method']} is not registered dynamically"


def _progressed(client: Client, params: Json) -> None:
    assert params["token"] in client.tokens, "progress on a token that nobody knows"


def _created(client: Client, params: Json) -> None:
    assert client.has("window.workDoneProgress")
    client.tokens.add(params["token"])


def _published(client: Client, params: Json) -> None:
    for each in params["diagnostics"]:
        client.diagnostic(each, "textDocument.publishDiagnostics")


def _applied(client: Client, params: Json) -> None:
    assert client.has("workspace.applyEdit")
    client.edit(params["edit"])


SENT: dict[str, str | Callable[[Client, Json], None] | None] = {
    "window/logMessage": None,
    "window/showMessage": None,
    "window/showMessageRequest": None,
    "window/showDocument": "window.showDocument.support",
    "window/workDoneProgress/create": _created,
    "$/progress": _progressed,
    "workspace/configuration": "workspace.configuration",
    "workspace/workspaceFolders": "workspace.workspaceFolders",
    "workspace/applyEdit": _applied,
    "client/registerCapability": _registered,
    "client/unregisterCapability": None,
    "textDocument/publishDiagnostics": _published,
    "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
    "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
    "workspace/semanticTokens/refresh": "workspace.semanticTokens.refreshSupport",
    "workspace/diagnostic/refresh": "workspace.diagnostics.refreshSupport",
    "workspace/foldingRange/refresh": "workspace.foldingRange.refreshSupport",
}
