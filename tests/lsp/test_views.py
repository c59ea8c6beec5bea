"""Lenses, hints, tokens, folds and the hierarchy at their edges: several folders, files alone,
documents that nobody knows, and odd parameters."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.lsp.wire import Wire, wire
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

FILES = """\
//- /one/a.md
# A

[[b]] [[x]]
//- /one/b.md
# B
//- /two/b.md
# Other B

[[x]]
//- /two/x.md
# X
//- /alone.md
# Alone

[[Z]] [[#Alone]] [[#P]]
## P
- a
  - b
"""
CAPABILITIES = {
    "textDocument": {
        "semanticTokens": {
            "requests": {"full": True},
            "tokenTypes": ["class", "comment", "property"],
            "tokenModifiers": [],
            "formats": ["relative"],
        }
    }
}
TOP = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
REQUESTS: dict[str, dict[str, Any]] = {
    "textDocument/codeLens": {},
    "textDocument/inlayHint": {"range": TOP},
    "textDocument/semanticTokens/full": {},
    "textDocument/foldingRange": {},
    "textDocument/selectionRange": {"positions": [TOP["start"]]},
    "textDocument/prepareCallHierarchy": {"position": TOP["start"]},
}


class Client:
    def __init__(self, found: Wire, root: Path) -> None:
        self.wire, self.root = found, root

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        params = {"textDocument": {"uri": self.uri(path)}, **REQUESTS[method], **more}
        return (await self.wire.ask(method, params))["result"]

    async def lenses(self, path: str) -> list[str]:
        found = await self.ask("textDocument/codeLens", path)
        resolved = [(await self.wire.ask("codeLens/resolve", lens))["result"] for lens in found]
        return [lens["command"]["title"] for lens in resolved]

    async def calls(self, direction: str, item: Any) -> list[str]:
        found = await self.wire.ask(f"callHierarchy/{direction}Calls", {"item": item})
        side = "from" if direction == "incoming" else "to"
        return [call[side]["uri"].removeprefix(self.root.as_uri()) for call in found["result"]]


@pytest_asyncio.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    root = parse_fixture(FILES).write(tmp_path / "vaults")
    two = [{"uri": (root / name).as_uri(), "name": name} for name in ("one", "two")]
    async with wire(root / "one", tmp_path / "data", CAPABILITIES, workspaceFolders=two) as found:
        await wait_until(
            lambda: sum(one["index"]["state"] == "ready" for one in found.of("mindnet/status")) > 1
        )
        yield Client(found, root)


async def test_each_folder_is_a_vault_of_its_own(client: Client) -> None:
    for path, lenses, incoming, outgoing in (
        ("one/b.md", ["1 backlink"], ["/one/a.md"], []),
        ("two/b.md", ["No backlinks"], [], ["/two/x.md"]),
        ("one/a.md", ["No backlinks", "1 unresolved link"], [], ["/one/b.md"]),
    ):
        assert await client.lenses(path) == lenses
        (item,) = await client.ask("textDocument/prepareCallHierarchy", path)
        assert await client.calls("incoming", item) == incoming
        assert await client.calls("outgoing", item) == outgoing


async def test_a_file_alone_counts_what_is_in_it(client: Client) -> None:
    client.wire.open(client.uri("alone.md"), (client.root / "alone.md").read_text())
    assert await client.lenses("alone.md") == ["1 link"]
    found = await client.ask("textDocument/semanticTokens/full", "alone.md")
    # no link counts as missing where no vault is known
    assert found["data"] == [2, 2, 1, 0, 0, 0, 7, 5, 2, 0, 0, 11, 1, 2, 0]
    folds = await client.ask("textDocument/foldingRange", "alone.md")
    assert [(fold["startLine"], fold["endLine"]) for fold in folds] == [(0, 5), (3, 5), (4, 5)]


@pytest.mark.parametrize("method", REQUESTS)
async def test_a_document_that_nobody_knows_has_nothing(client: Client, method: str) -> None:
    for uri in ("untitled:Untitled-1", "file:///nowhere/x.md", client.uri("one/none.md")):
        params = {"textDocument": {"uri": uri}, **REQUESTS[method]}
        assert (await client.wire.ask(method, params))["result"] is None


@pytest.mark.parametrize("method", REQUESTS)
async def test_an_empty_note_is_fine(client: Client, method: str) -> None:
    client.wire.open(client.uri("one/new.md"), "")
    found = await client.ask(method, "one/new.md")
    assert isinstance(found, list | dict)


@pytest.mark.parametrize(
    "data", [None, "x", {}, {"kind": ["a"], "count": 1, "uri": "u"}, {"kind": "heading"},
             {"kind": "other", "count": 1, "uri": "u"}]
)  # fmt: skip
async def test_a_lens_with_odd_data_comes_back(client: Client, data: Any) -> None:
    answer = await client.wire.ask("codeLens/resolve", {"range": TOP, "data": data})
    assert "command" not in answer["result"]


@pytest.mark.parametrize("data", [None, "x", {"uri": "zz"}, {"uri": 3, "path": ["p"]}])
async def test_a_hint_with_odd_data_comes_back(client: Client, data: Any) -> None:
    hint = {"position": TOP["start"], "label": "x", "data": data}
    answer = await client.wire.ask("inlayHint/resolve", hint)
    assert answer["result"]["label"] == "x"
    assert "tooltip" not in answer["result"]


@pytest.mark.parametrize("data", [None, {}, {"path": ["q"]}, {"path": "../../etc"}, 7])
async def test_an_item_with_odd_data_is_found_by_its_place(client: Client, data: Any) -> None:
    item = {
        "name": "x", "kind": 1, "uri": client.uri("one/b.md"), "range": TOP,
        "selectionRange": TOP, "data": data,
    }  # fmt: skip
    known = data in (None, {}, 7)
    assert await client.calls("incoming", item) == (["/one/a.md"] if known else [])


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({}, "uri"), ({"uri": 5}, "uri"), ({"uri": "file:///x", "position": [1]}, "position"),
     ({"uri": "file:///x", "kind": "zz"}, "kind")],
)  # fmt: skip
async def test_what_is_wrong_with_the_command_is_named(
    client: Client, arguments: Any, field: str
) -> None:
    params = {"command": "mindnet.showReferences", "arguments": [arguments]}
    answer = await client.wire.ask("workspace/executeCommand", params)
    assert answer["error"]["message"].startswith(field)


async def test_the_command_works_from_any_place(client: Client) -> None:
    given = {"uri": client.uri("one/a.md"), "position": {"line": 2, "character": 3}}
    params = {"command": "mindnet.showReferences", "arguments": [given]}
    answer = (await client.wire.ask("workspace/executeCommand", params))["result"]
    assert answer["position"] == given["position"]
    assert [place["uri"] for place in answer["locations"]] == [client.uri("one/a.md")]
