"""Every request that the server offers, at every thing of the example vault, for every client:
answers are of their method's type, and nothing is sent that the client did not declare."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.model import Note, Place
from core.parse import parse_note
from core.text import LineIndex
from mindnet_lsp.convert import Converter
from tests.e2e.conformance import Client, Json
from tests.e2e.editor import CLIENTS, REPOSITORY
from tests.e2e.raw import RawServer

pytestmark = pytest.mark.e2e

EXAMPLE = REPOSITORY / "examples" / "vault"
PROFILES = sorted(path.stem for path in CLIENTS.glob("*.json"))
THOROUGH = os.environ.get("MINDNET_CONFORMANCE", "").split()
"""Clients that ask at every thing; the others at the first of each kind in a note."""
RESOLVED = 3
"""Items of one list that are resolved."""

AT_A_PLACE = {
    "hoverProvider": ["textDocument/hover"],
    "completionProvider": ["textDocument/completion"],
    "definitionProvider": ["textDocument/definition"],
    "declarationProvider": ["textDocument/declaration"],
    "referencesProvider": ["textDocument/references"],
    "documentHighlightProvider": ["textDocument/documentHighlight"],
    "linkedEditingRangeProvider": ["textDocument/linkedEditingRange"],
    "renameProvider": ["textDocument/prepareRename", "textDocument/rename"],
    "callHierarchyProvider": ["textDocument/prepareCallHierarchy"],
    "codeActionProvider": ["textDocument/codeAction"],
    "selectionRangeProvider": ["textDocument/selectionRange"],
}
OF_A_DOCUMENT = {
    "documentSymbolProvider": ["textDocument/documentSymbol"],
    "documentLinkProvider": ["textDocument/documentLink"],
    "codeLensProvider": ["textDocument/codeLens"],
    "inlayHintProvider": ["textDocument/inlayHint"],
    "foldingRangeProvider": ["textDocument/foldingRange"],
    "diagnosticProvider": ["textDocument/diagnostic"],
    "semanticTokensProvider": ["textDocument/semanticTokens/full"],
}
ELSEWHERE = {
    "positionEncoding",
    "textDocumentSync",
    "executeCommandProvider",
    "workspace",
    "workspaceSymbolProvider",
}
RESOLVES = {
    "textDocument/completion": ("completionProvider", "completionItem/resolve"),
    "textDocument/codeAction": ("codeActionProvider", "codeAction/resolve"),
    "textDocument/codeLens": ("codeLensProvider", "codeLens/resolve"),
    "textDocument/documentLink": ("documentLinkProvider", "documentLink/resolve"),
    "textDocument/inlayHint": ("inlayHintProvider", "inlayHint/resolve"),
    "workspace/symbol": ("workspaceSymbolProvider", "workspaceSymbol/resolve"),
}
MAY_FAIL = {"textDocument/rename": (-32803, -32602), "textDocument/prepareRename": (-32803,)}
"""Requests that may be refused, with a message for the user."""


class Talk:
    """A client that checks all it gets."""

    def __init__(self, server: RawServer, recorded: Json) -> None:
        self.server, self.recorded = server, recorded
        self.client = Client(recorded["capabilities"])
        self.client.name = recorded.get("clientInfo", {}).get("name", "")
        self.answered: dict[str, int] = {}

    def start(self, root: Path) -> None:
        answer = self.server.initialize(root, **self.recorded)["result"]
        self.client.server = answer["capabilities"]
        self.convert = Converter(self.client.server.get("positionEncoding", "utf-16"))

    def receive(self) -> Json:
        """The next answer; requests of the server are checked and answered."""
        while "method" in (message := self.server.receive()):
            self.client.check_sent(message)
            if message["method"] == "mindnet/status":
                self.status = message["params"]["index"]["state"]
            if "id" in message:
                self.server.send_answer(message["id"], self._answer(message))
            elif message["method"] == "mindnet/status":
                return message
        return message

    def _answer(self, message: Json) -> Json:
        if message["method"] == "workspace/configuration":
            return [None for _ in message["params"]["items"]]
        return {"applied": True, "success": True} if "apply" in message["method"] else None

    def until_ready(self) -> None:
        self.status = ""
        while self.status != "ready":
            self.receive()

    def ask(self, asked: Sequence[tuple[str, Json]]) -> list[Json]:
        """Send all, check all; the results."""
        numbers = [self.server.send(method, params) for method, params in asked]
        answers: dict[int, Json] = {}
        while len(answers) < len(asked):
            message = self.receive()
            if "method" not in message:
                answers[message["id"]] = message
        return [
            self._checked(method, params, answers[number])
            for (method, params), number in zip(asked, numbers, strict=True)
        ]

    def _checked(self, method: str, params: Json, answer: Json) -> Json:
        self.answered[method] = self.answered.get(method, 0) + 1
        if "error" in answer:
            assert answer["error"]["code"] in MAY_FAIL.get(method, ()), (method, params, answer)
            assert answer["error"]["message"]
            return None
        try:
            self.client.check(method, answer["result"], params)
        except Exception as error:
            shown = json.dumps(answer)[:3000]
            raise AssertionError(f"{method} {params}: {error!r}\n{shown}") from error
        return answer["result"]

    def offers(self, provider: str, option: str = "") -> Any:
        found = self.client.server.get(provider)
        return found if not option else isinstance(found, dict) and found.get(option)


def check_capabilities(client: Client) -> None:
    """Options that the protocol allows only for clients that declare something."""
    server, has = client.server, client.has
    known = {*AT_A_PLACE, *OF_A_DOCUMENT, *ELSEWHERE}
    assert set(server) <= known, f"no checks for {set(server) - known}"
    encodings = has("general.positionEncodings") or ["utf-16"]
    assert server.get("positionEncoding", "utf-16") in encodings
    if isinstance(server["codeActionProvider"], dict):
        assert has("textDocument.codeAction.codeActionLiteralSupport"), "code action options"
    if isinstance(server.get("renameProvider"), dict):
        assert has("textDocument.rename.prepareSupport"), "rename options"
    for name in server.get("workspace", {}).get("fileOperations") or {}:
        assert has(f"workspace.fileOperations.{name}"), f"fileOperations.{name}"
    if tokens := server.get("semanticTokensProvider"):
        base = "textDocument.semanticTokens"
        if has(base):
            legend = tokens["legend"]
            assert set(legend["tokenTypes"]) <= client.lists(f"{base}.tokenTypes")
            assert set(legend["tokenModifiers"]) <= client.lists(f"{base}.tokenModifiers")


def things(note: Note, every: bool) -> Iterator[Place]:
    """The things of a note that a cursor can be at."""
    front = note.frontmatter.properties if note.frontmatter else ()
    values = [value for each in front for value in each.values]
    kinds: tuple[Sequence[Place], ...] = (
        note.links, note.headings, note.blocks, note.tags, note.kinds, note.fields,
        note.callouts, note.problems, front, values,
    )  # fmt: skip
    for found in kinds:
        yield from found if every else found[:1]


def at_place(method: str, document: Json, here: Json) -> Json:
    params = {"textDocument": document, "position": here}
    if method == "textDocument/selectionRange":
        return {"textDocument": document, "positions": [here]}
    if method == "textDocument/codeAction":
        context = {"diagnostics": []}
        return {"textDocument": document, "range": {"start": here, "end": here}, "context": context}
    if method == "textDocument/references":
        return {**params, "context": {"includeDeclaration": True}}
    if method == "textDocument/rename":
        return {**params, "newName": "Neuer Name 2"}
    return params


def of_document(method: str, document: Json, whole: Json) -> Json:
    return {"textDocument": document, **({"range": whole} if "inlayHint" in method else {})}


def ask_about(talk: Talk, root: Path, path: Path, every: bool) -> None:
    """Everything that may be asked about one note, which is open."""
    text = path.read_text("utf-8")
    note, lines = parse_note(path.relative_to(root).as_posix(), text), LineIndex(text)
    document = {"uri": path.as_uri()}
    positions = {
        (at.line, at.character)
        for place in things(note, every)
        for at in (
            talk.convert.position(lines, place.start),
            talk.convert.position(lines, (place.start + place.end) // 2),
        )
    }
    asked = [
        (method, at_place(method, document, {"line": line, "character": character}))
        for line, character in sorted(positions)
        for provider, methods in AT_A_PLACE.items()
        for method in methods
        if talk.offers(provider)
        if method != "textDocument/prepareRename" or talk.offers(provider, "prepareProvider")
    ]
    end = talk.convert.position(lines, len(text))
    whole = {
        "start": {"line": 0, "character": 0},
        "end": {"line": end.line, "character": end.character},
    }
    asked += [
        (method, of_document(method, document, whole))
        for provider, methods in OF_A_DOCUMENT.items()
        for method in methods
        if talk.offers(provider)
    ]
    results = talk.ask(asked)
    more: list[tuple[str, Json]] = []
    for (method, _), result in zip(asked, results, strict=True):
        more += follow_up(talk, method, result, document, whole)
    talk.ask(more)


def follow_up(
    talk: Talk, method: str, result: Json, document: Json, whole: Json
) -> Iterator[tuple[str, Json]]:
    """What a client asks next: to resolve, who calls, what changed."""
    if not result:
        return
    if method == "textDocument/prepareCallHierarchy":
        for item in result:
            yield "callHierarchy/incomingCalls", {"item": item}
            yield "callHierarchy/outgoingCalls", {"item": item}
    if method.startswith("textDocument/semanticTokens/full"):
        full = talk.offers("semanticTokensProvider", "full")
        if isinstance(full, dict) and full.get("delta") and "resultId" in result:
            params = {"textDocument": document, "previousResultId": result["resultId"]}
            yield "textDocument/semanticTokens/full/delta", params
        if talk.offers("semanticTokensProvider", "range"):
            yield "textDocument/semanticTokens/range", {"textDocument": document, "range": whole}
    if method == "textDocument/diagnostic" and result.get("resultId"):
        previous = {"textDocument": document, "previousResultId": result["resultId"]}
        yield "textDocument/diagnostic", previous
    provider, resolve = RESOLVES.get(method, ("", ""))
    if resolve and talk.offers(provider, "resolveProvider"):
        items = result["items"] if isinstance(result, dict) else result
        unresolved = [
            item
            for item in items
            if method not in ("textDocument/codeAction", "textDocument/codeLens")
            or ("data" in item and "edit" not in item and "command" not in item)
        ]
        for item in unresolved[:RESOLVED]:
            yield resolve, item


def ask_about_the_vault(talk: Talk, root: Path) -> None:
    asked: list[tuple[str, Json]] = []
    if talk.offers("workspaceSymbolProvider"):
        asked += [("workspace/symbol", {"query": word}) for word in ("", "a", "wasser", "#")]
    if talk.offers("diagnosticProvider", "workspaceDiagnostics"):
        asked.append(("workspace/diagnostic", {"previousResultIds": []}))
    if talk.client.server.get("workspace", {}).get("fileOperations", {}).get("willRename"):
        old, new = root / "20_concepts" / "Wasserrad.md", root / "Wasserrad neu.md"
        files = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
        asked.append(("workspace/willRenameFiles", {"files": files}))
        folders = [{"oldUri": old.parent.as_uri(), "newUri": (root / "neu").as_uri()}]
        asked.append(("workspace/willRenameFiles", {"files": folders}))
    results = talk.ask(asked)
    for (method, _), result in zip(asked, results, strict=True):
        talk.ask(list(follow_up(talk, method, result, {}, {})))


@pytest.mark.parametrize("profile", [*PROFILES, "bare"])
def test_conformance(tmp_path: Path, profile: str) -> None:
    root = tmp_path / "vault"
    shutil.copytree(EXAMPLE, root)
    recorded: Json = {"capabilities": {}}
    if profile != "bare":
        recorded = json.loads((CLIENTS / f"{profile}.json").read_text("utf-8"))
    with RawServer(tmp_path) as server:
        talk = Talk(server, recorded)
        talk.start(root)
        check_capabilities(talk.client)
        talk.until_ready()
        for number, path in enumerate(sorted(root.rglob("*.md")), 3):
            talk.client.versions[path.as_uri()] = number
            server.open(path.as_uri(), path.read_text("utf-8"), number)
            ask_about(talk, root, path, profile in THOROUGH)
        ask_about_the_vault(talk, root)
        assert talk.answered["textDocument/hover"] > 100
        assert server.end() == 0
