"""ED: what editors and clients do. Each case by its number.

ED-01 and ED-02 are in `tests/core/features/test_completion_targets.py` and
`tests/e2e/test_workspace.py`, ED-04 in `tests/e2e/test_rename.py`, prints on stdout (ED-05) in
`tests/e2e/test_lifecycle.py` and `test_ends.py`.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.wire import Wire, folders_of, wire
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

VAULT = "//- /a.md\n# A\n\n[[b]] [[Gone]]\n\n## Deep\n//- /b.md\n# B\n\n[[a]]\n"
LONE = "# Note\n\nSee [[#There]] [[other]]\n\n## There\n"
RICH = {
    "textDocument": {
        "definition": {"linkSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    },
    "workspace": {"applyEdit": True},
}
LAG = float(os.environ.get("MINDNET_MAX_LAG", "0.05"))
"""Seconds that nothing may hold up the event loop, on a machine that does nothing else."""


def at(uri: str, line: int, character: int) -> Any:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return parse_fixture(VAULT).write(tmp_path / "vault")


async def alone(client: Wire, path: Path) -> None:
    """A note that is opened without its folder works by itself."""
    uri = path.as_uri()
    client.open(uri, LONE)
    symbols = (await client.ask("textDocument/documentSymbol", at(uri, 0, 0)))["result"]
    assert [item["name"] for item in symbols] == ["Note", "There"]
    (found,) = (await client.ask("textDocument/definition", at(uri, 2, 8)))["result"]
    assert found["uri"] == uri
    assert found["range"]["start"]["line"] == 4
    assert not (await client.ask("textDocument/definition", at(uri, 2, 18)))["result"]


async def test_ed_03_a_broad_folder_is_never_walked(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """(b), (d): home, its parents and the root of the disk; also added later, also by a link."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "other.md").write_text("# Other\n")
    monkeypatch.setenv("HOME", str(home))
    (tmp_path / "link").symlink_to(home)
    async with wire(root, tmp_path / "data") as client:
        for broad in (home, tmp_path, Path("/"), home.parent, tmp_path / "link"):
            caplog.clear()
            folder = {"uri": broad.as_uri(), "name": "x"}
            event = {"event": {"added": [folder], "removed": []}}
            client.notify("workspace/didChangeWorkspaceFolders", event)
            await wait_until(lambda: "too broad" in caplog.text)
            assert caplog.text.count("too broad") == 1, broad
        assert [session.root for session in client.server.sessions.folders] == [root]
        await alone(client, home / "note.md")
        assert client.of("window/showMessage") == []


async def test_ed_03_a_home_with_a_marker_is_a_vault(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = parse_fixture("//- /other.md\n# Other\n//- /.obsidian/app.json\n{}\n").write(
        tmp_path / "home"
    )
    monkeypatch.setenv("HOME", str(home))
    async with wire(root, tmp_path / "data") as client:
        event = {"added": [{"uri": home.as_uri(), "name": "home"}], "removed": []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        await wait_until(lambda: any(s["notes"] == 1 for s in client.of("mindnet/status")))


async def test_ed_03_nothing_but_the_folder_is_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """(a) `rootUri` is null, and the working directory is another vault."""
    elsewhere = parse_fixture("//- /c.md\n# C\n").write(tmp_path / "elsewhere")
    monkeypatch.chdir(elsewhere)
    async with wire(root, tmp_path / "data") as client:
        (session,) = client.server.sessions.folders
        assert (session.root, list(session.snapshot().paths)) == (root, ["a.md", "b.md"])


async def test_ed_05_commands(root: Path, tmp_path: Path) -> None:
    async with wire(root, tmp_path / "data") as client:
        offered = set(client.server.protocol.fm.commands)
        assert offered
        assert all(name.startswith("mindnet.") for name in offered)
        command = "workspace/executeCommand"
        for name in ("mindnet.nope", "", "today", "mindnet.query ", "rm -rf"):
            error = (await client.ask(command, {"command": name}))["error"]
            assert (error["code"], error["message"]) == (-32602, f"Unknown command: {name}")
        for name in sorted(offered):
            for arguments in ([1], ["x"], [[]], [None], [{}, {}], [{}, 1]):
                asked = {"command": name, "arguments": arguments}
                error = (await client.ask(command, asked))["error"]
                assert error["code"] == -32602, (name, arguments)
                assert name in error["message"]
            for wrong in (5, True, ["x"], {"a": 1}):
                asked = {"command": name, "arguments": [{"uri": wrong, "create": wrong}]}
                answer = await client.ask(command, asked)
                code = answer.get("error", {}).get("code", -32602)
                assert code in (-32602, -32803), (name, wrong, answer)
                if code == -32602 and "error" in answer:
                    message = answer["error"]["message"]
                    assert ":" in message, "the field is not named"
        assert sorted(os.listdir(root)) == ["a.md", "b.md"]
        assert client.of("workspace/applyEdit") == []


@pytest.mark.parametrize("nulls", [True, False])
async def test_ed_06_plain_and_rich_clients(root: Path, tmp_path: Path, nulls: bool) -> None:
    uri = (root / "a.md").as_uri()
    more = {"rootUri": None, "rootPath": None} if nulls else {}
    for capabilities in ({}, RICH):
        rich = bool(capabilities)
        async with wire(root, tmp_path / f"data{rich}", capabilities, **more) as client:
            client.open(uri, (root / "a.md").read_text())

            async def ask(method: str, params: Any, client: Wire = client) -> Any:
                answer = await client.ask(f"textDocument/{method}", params)
                assert "error" not in answer, answer
                return answer["result"]

            (target,) = await ask("definition", at(uri, 2, 3))
            assert ("targetUri" in target) is rich
            hover = await ask("hover", at(uri, 2, 3))
            assert hover["contents"]["kind"] == ("markdown" if rich else "plaintext")
            symbols = await ask("documentSymbol", at(uri, 0, 0))
            assert ("children" in symbols[0]) is rich
            listed = await ask("completion", at(uri, 2, 3))
            assert listed["items"]
            assert all(item.get("insertTextFormat", 1) == 1 for item in listed["items"])
            spot = {"line": 2, "character": 9}
            span = {"range": {"start": spot, "end": spot}, "context": {"diagnostics": []}}
            actions = await ask("codeAction", {"textDocument": {"uri": uri}, **span})
            assert actions
            for action in actions:
                assert isinstance(action.get("command", ""), str) is not (
                    rich and "command" in action
                )
                assert ("kind" in action) is rich
            renamed = await client.ask("textDocument/rename", {**at(uri, 4, 4), "newName": "New"})
            assert "documentChanges" not in (renamed.get("result") or {})


async def test_ed_06_no_folder_at_all(tmp_path: Path, root: Path) -> None:
    from mindnet_lsp.server import create_server

    client = Wire(create_server({"MINDNET_LOCALE": "en", **folders_of(tmp_path / "data")}))
    nothing = {"processId": None, "rootUri": None, "workspaceFolders": None, "capabilities": {}}
    assert "result" in await client.ask("initialize", nothing)
    client.notify("initialized", {})
    await alone(client, root / "note.md")
    assert (await client.ask("shutdown"))["result"] is None


def slowness() -> float:
    """How much more processor time than usual Python needs now, at least 1: cores that others
    keep busy run slower too."""
    start = time.thread_time()
    sum(number * number for number in range(100_000))
    return max(1.0, (time.thread_time() - start) / 0.006)


@contextmanager
def turns() -> Iterator[list[float]]:
    """Processor time of each turn of the event loop while the block runs; other processes and
    threads, which make every clock on the wall useless, are not in it."""
    spent: list[float] = []
    run = asyncio.events.Handle._run

    def measured(handle: Any) -> None:
        start = time.thread_time()
        run(handle)
        spent.append(time.thread_time() - start)

    asyncio.events.Handle._run = measured  # type: ignore[method-assign]
    try:
        yield spent
    finally:
        asyncio.events.Handle._run = run  # type: ignore[method-assign]


async def test_ed_07_no_request_holds_up_the_loop(tmp_path: Path) -> None:
    """All requests at a vault of 3,000 notes with a hub, while it is typed into. Processor time
    is what counts, as others may use the machine."""
    root = tmp_path / "vault"
    root.mkdir()
    for number in range(3000):
        links = f"[[n{(number * 7) % 3000}]] [[Hub]] #t{number % 50} rel:: [[n{number // 2}]]"
        text = f"# N {number}\n\n{links}\n\n## Part\n\nWords and words.\n" + "More text.\n" * 10
        (root / f"n{number}.md").write_text(text)
    (root / "Hub.md").write_text("# Hub\n\n## Part\n")
    uri, hub = (root / "n7.md").as_uri(), (root / "Hub.md").as_uri()
    async with wire(root, tmp_path / "data") as client:
        text = (root / "n7.md").read_text()
        client.open(uri, text)
        client.open(hub, (root / "Hub.md").read_text())
        slow: dict[str, float] = {}

        async def timed(method: str, params: Any) -> None:
            """Processor time of this thread between asking and the next turn of the loop."""
            best = 9.0
            for _ in range(3):
                start = time.thread_time()
                number = client.request(method, params)
                best = min(best, time.thread_time() - start)
                assert "error" not in await client.answer(number), method
            if best > LAG * slowness():
                slow[method] = best

        places = [at(uri, 2, 4), at(uri, 2, 14), at(uri, 2, 21), at(hub, 0, 3), at(uri, 0, 3)]
        features = client.server.protocol.fm.features
        for method in sorted(features):
            if not method.startswith("textDocument/"):
                continue
            name = method.removeprefix("textDocument/")
            if name.startswith(("did", "will")):
                continue
            for here in places:
                spot = {"start": here["position"], "end": here["position"]}
                whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
                more: dict[str, Any] = {
                    "references": {"context": {"includeDeclaration": True}},
                    "codeAction": {"range": spot, "context": {"diagnostics": []}},
                    "selectionRange": {"positions": [here["position"]]},
                    "inlayHint": {"range": whole},
                    "semanticTokens/range": {"range": whole},
                    "semanticTokens/full/delta": {"previousResultId": "x"},
                }.get(name, {})
                if name == "rename":
                    continue  # refused or not by its own tests, and counted there
                await timed(method, {**here, **more})
        for word in ("", "n", "n29", "part"):
            await timed("workspace/symbol", {"query": word})
        version = 2
        for key in "\n\n[[n1]] and [[Hub]] more":
            version, text = version + 1, text + key
            start = time.thread_time()
            client.change(uri, text, version)
            if (spent := time.thread_time() - start) > LAG * slowness():
                slow["didChange"] = spent
            await timed("textDocument/completion", at(uri, text.count("\n"), 3))
        assert slow == {}


async def test_ed_07_background_work_holds_nothing_up(tmp_path: Path) -> None:
    """A checkout of hundreds of notes, told by thousands of events: the loop turns meanwhile."""
    root = tmp_path / "vault"
    root.mkdir()
    for number in range(3000):
        (root / f"n{number}.md").write_text(f"# N {number}\n\n[[n{(number * 7) % 3000}]]\n" * 5)
    async with wire(root, tmp_path / "data", {}) as client:
        client.open((root / "n7.md").as_uri(), "[[Gone]]\n")
        for number in range(0, 3000, 10):
            (root / f"n{number}.md").write_text(f"# Other {number}\n")
        changes = [{"uri": (root / f"n{n}.md").as_uri(), "type": 2} for n in range(3000)]
        told = {"method": "workspace/didChangeWatchedFiles", "params": {"changes": changes}}
        (session,) = client.server.sessions.folders
        with turns() as spent:
            client.receive(told, soon=True)
            await wait_until(lambda: session.index.notes["n2990.md"].title == "Other 2990")
            await wait_until(lambda: client.published((root / "n7.md").as_uri()))
        # the first turn is that of the test; a slow minute of the machine is not ours
        assert max(spent[1:]) < 2 * LAG * slowness()
