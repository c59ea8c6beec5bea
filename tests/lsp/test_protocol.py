"""What pygls alone would get wrong, and what is published when."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from core.errors import InvalidArguments, StoreLocked
from mindnet_lsp.server import MindnetServer
from tests.lsp.wire import Wire, wire
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINDNET_DATA_DIR", str(tmp_path / "data"))
    return parse_fixture("//- /a.md\n[[b]]\n//- /b.md\n# B\n").write(tmp_path / "vault")


async def test_cancelling_a_command_ends_its_body(root: Path, tmp_path: Path) -> None:
    ended: list[str] = []

    async def slow(ls: MindnetServer, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return {}

    async with wire(root, tmp_path / "data") as client:
        client.server.command("mindnet.slow")(slow)
        number = client.request("workspace/executeCommand", {"command": "mindnet.slow"})
        await asyncio.sleep(0)
        client.notify("$/cancelRequest", {"id": number})
        assert (await client.answer(number))["error"]["code"] == -32800
        assert ended == ["cancelled"]


async def test_shutdown_with_a_command_in_flight(root: Path, tmp_path: Path) -> None:
    async def slow(ls: MindnetServer, arguments: dict[str, Any]) -> None:
        await asyncio.sleep(60)

    async with wire(root, tmp_path / "data") as client:
        client.server.command("mindnet.slow")(slow)
        number = client.request("workspace/executeCommand", {"command": "mindnet.slow"})
        await asyncio.sleep(0)
        assert (await client.ask("shutdown"))["result"] is None
        assert (await client.answer(number))["error"]["code"] == -32800
        assert client.server.protocol.is_shut_down
        client.server.protocol._shutdown = False


@pytest.mark.parametrize(
    ("error", "code"), [(InvalidArguments("no `uri`"), -32602), (StoreLocked("busy"), -32803)]
)
async def test_expected_failures_have_their_code(
    root: Path, tmp_path: Path, error: Exception, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(ls: MindnetServer, arguments: dict[str, Any]) -> None:
        raise error

    async with wire(root, tmp_path / "data") as client:
        client.server.command("mindnet.failing")(failing)
        asked = {"command": "mindnet.failing", "arguments": [{"uri": 1}]}
        with caplog.at_level(logging.WARNING):
            found = (await client.ask("workspace/executeCommand", asked))["error"]
        assert (found["code"], found["message"]) == (code, str(error))
        assert "Traceback" not in caplog.text


async def test_an_answer_that_comes_too_late(root: Path, tmp_path: Path) -> None:
    async with wire(root, tmp_path / "data") as client:
        client.silent.add("workspace/applyEdit")
        edit = {"changes": {}}
        asked = {"command": "mindnet.applyCodeAction", "arguments": [{"edit": edit}]}
        number = client.request("workspace/executeCommand", asked)
        sent = await wait_until(
            lambda: [m for m in client.sent if m.get("method") == "workspace/applyEdit"]
        )
        client.notify("$/cancelRequest", {"id": number})
        await client.answer(number)
        client.receive({"id": sent[0]["id"], "result": {"applied": True}})
        assert (await client.ask("textDocument/hover", hover(root)))["result"] is None


async def test_a_popup_for_no_internal_error(root: Path, tmp_path: Path) -> None:
    async with wire(root, tmp_path / "data") as client:
        client.change((root / "b.md").as_uri(), "never opened", 2)
        client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///none.md"}})
        client.notify("no/such/notification", {})
        assert (await client.ask("no/such/request"))["error"]["code"] == -32601
        assert client.of("window/showMessage") == []


async def test_only_differences_are_published(root: Path, tmp_path: Path) -> None:
    uri = (root / "a.md").as_uri()
    async with wire(root, tmp_path / "data") as client:
        client.open(uri, "[[b]]\n")
        await wait_until(lambda: client.published(uri))
        client.change(uri, "[[b]] and\n", 2)
        client.change(uri, "[[b]] and more\n", 3)
        client.open((root / "b.md").as_uri(), "# B\n\nmore\n")
        await until_version(client, uri, 3)
        found = client.published(uri)
        assert [(params["version"], params["diagnostics"]) for params in found] == [
            (1, []),
            (3, []),
        ]


async def test_a_new_heading_elsewhere_heals_a_link(root: Path, tmp_path: Path) -> None:
    a, b = (root / "a.md").as_uri(), (root / "b.md").as_uri()
    async with wire(root, tmp_path / "data") as client:
        client.open(a, "[[b#New]]\n")
        await wait_until(lambda: [x for x in client.published(a) if x["diagnostics"]])
        client.open(b, "# B\n\n## New\n")
        await wait_until(lambda: client.published(a)[-1]["diagnostics"] == [])


async def test_the_findings_of_a_removed_folder_go(root: Path, tmp_path: Path) -> None:
    uri = (root / "a.md").as_uri()
    async with wire(root, tmp_path / "data") as client:
        client.open(uri, "[[Gone]]\n")
        await wait_until(lambda: [x for x in client.published(uri) if x["diagnostics"]])
        event = {"added": [], "removed": [{"uri": root.as_uri(), "name": "vault"}]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        await wait_until(lambda: client.published(uri)[-1]["diagnostics"] == [])


async def test_a_folder_within_a_folder_takes_its_notes_over(root: Path, tmp_path: Path) -> None:
    inner = parse_fixture("//- /c.md\n[[b]]\n").write(root / "inner")
    uri = (inner / "c.md").as_uri()
    async with wire(root, tmp_path / "data") as client:
        client.open(uri, "[[b]]\n")
        await wait_until(lambda: client.published(uri))
        assert client.published(uri)[-1]["diagnostics"] == []
        event = {"added": [{"uri": inner.as_uri(), "name": "inner"}], "removed": []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        await wait_until(lambda: client.published(uri)[-1]["diagnostics"])
        client.change((root / "inner" / "c.md").as_uri(), "[[b]] more\n", 2)
        await until_version(client, uri, 2)
        assert len(client.published(uri)[-1]["diagnostics"]) == 1


async def test_the_status_is_told(root: Path, tmp_path: Path) -> None:
    async with wire(root, tmp_path / "data") as client:
        states = [status["index"]["state"] for status in client.of("mindnet/status")]
        assert states == ["indexing", "ready"]
        assert client.of("mindnet/status")[-1]["notes"] == 2


async def test_a_watcher_is_one_registration(root: Path, tmp_path: Path) -> None:
    watching = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    async with wire(root, tmp_path / "data", watching) as client:
        (params,) = client.of("client/registerCapability")
        (registration,) = params["registrations"]
        assert registration["method"] == "workspace/didChangeWatchedFiles"
        assert registration["registerOptions"]["watchers"] == [{"globPattern": "**/*"}]


async def test_a_warm_start_reads_only_what_changed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wire(root, tmp_path / "data"):
        await wait_until(lambda: list((tmp_path / "data").glob("*/links.cache")))
    from mindnet_lsp import overlay

    real, parsed = overlay.parse_note, list[str]()

    def counting(path: str, text: str) -> Any:
        parsed.append(path)
        return real(path, text)

    monkeypatch.setattr(overlay, "parse_note", counting)
    (root / "b.md").write_text("# B, changed\n")
    async with wire(root, tmp_path / "data"):
        assert parsed == ["b.md"]


async def test_a_vaults_own_relations_count_as_soon_as_they_are_written(
    root: Path, tmp_path: Path
) -> None:
    uri = (root / "a.md").as_uri()
    async with wire(root, tmp_path / "data") as client:
        client.open(uri, "[[rel:sails_with b]]\n")
        await wait_until(lambda: [x for x in client.published(uri) if x["diagnostics"]])
        assert client.published(uri)[-1]["diagnostics"][0]["code"] == "unknown-relation"
        file = root / ".mindnet" / "relations.yaml"
        file.parent.mkdir()
        file.write_text("relations:\n  sails_with:\n    label: sails with\n")
        changes = {"changes": [{"uri": file.as_uri(), "type": 1}]}
        client.notify("workspace/didChangeWatchedFiles", changes)
        await wait_until(lambda: client.published(uri)[-1]["diagnostics"] == [])


async def test_a_client_that_answers_nothing(root: Path, tmp_path: Path) -> None:
    """Settings, watching and progress are asked for; the index does not wait for them long."""
    capabilities = {
        "workspace": {
            "configuration": True,
            "didChangeWatchedFiles": {"dynamicRegistration": True},
        },
        "window": {"workDoneProgress": True},
    }
    silent = {
        "workspace/configuration",
        "client/registerCapability",
        "window/workDoneProgress/create",
    }
    async with wire(root, tmp_path / "data", capabilities, silent) as client:
        assert client.of("mindnet/status")[-1]["notes"] == 2
        late = [message for message in client.sent if message.get("method") in silent]
        assert len(late) == 3
        for message in late:
            answer = [{}] if message["method"] == "workspace/configuration" else None
            client.receive({"id": message["id"], "result": answer})
        assert (await client.ask("textDocument/hover", hover(root)))["result"] is None


def hover(root: Path) -> dict[str, Any]:
    document = {"uri": (root / "b.md").as_uri()}
    return {"textDocument": document, "position": {"line": 1, "character": 0}}


async def until_version(client: Wire, uri: str, version: int) -> None:
    await wait_until(lambda: client.published(uri)[-1]["version"] == version)
