"""Commands and symbols of the link index, at the wire: cancelling, several vaults, edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.lsp.wire import Wire, wire
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

CANCELLED = -32800


def _command(name: str, **arguments: Any) -> dict[str, Any]:
    return {"command": name, "arguments": [arguments]}


def _percent(client: Wire) -> list[int]:
    values = [params["value"] for params in client.of("$/progress")]
    return [value["percentage"] for value in values if value["kind"] == "report"]


async def test_looking_for_titles_can_be_cancelled(tmp_path: Path) -> None:
    notes = "".join(f"//- /note {n}.md\n[[no such note {n}]]\n" for n in range(1_500))
    root = parse_fixture(notes).write(tmp_path / "vault")
    async with wire(root, tmp_path / "data") as client:
        arguments = _command("mindnet.resolveUnresolved", workDoneToken="t")
        number = client.request("workspace/executeCommand", arguments)
        await wait_until(lambda: _percent(client))
        client.notify("$/cancelRequest", {"id": number})
        answer = await client.answer(number)
        assert answer["error"]["code"] == CANCELLED
        assert _percent(client)[-1] < 100
        # the workers are free again
        assert (await client.ask("workspace/symbol", {"query": "note 7"}))["result"]


async def test_a_command_needs_a_note(tmp_path: Path) -> None:
    root = parse_fixture("//- /a.md\n# A\n").write(tmp_path / "vault")
    async with wire(root, tmp_path / "data") as client:
        for name in ("mindnet.backlinks", "mindnet.resolveUnresolved"):
            found = await client.ask(
                "workspace/executeCommand", _command(name, uri="file:///elsewhere/x.md")
            )
            assert found["result"]["error"]["code"] == "not_a_note"
            found = await client.ask("workspace/executeCommand", _command(name, uri=7))
            assert "uri" in found["error"]["message"]
        found = await client.ask("workspace/executeCommand", _command("mindnet.backlinks"))
        assert "uri" in found["error"]["message"]


async def test_symbols_follow_what_is_typed_and_what_changes_on_disk(tmp_path: Path) -> None:
    root = parse_fixture("//- /a.md\n## Kai\n//- /b.md\n# B\n").write(tmp_path / "vault")
    async with wire(root, tmp_path / "data") as client:

        async def names(query: str) -> list[str]:
            found = await client.ask("workspace/symbol", {"query": query})
            return [item["name"] for item in found["result"]]

        assert await names("kai") == ["a › Kai"]
        uri = (root / "b.md").as_uri()
        client.open(uri, "# B\n\n## Kaimauer\n")
        assert await names("kai") == ["a › Kai", "B › Kaimauer"]
        client.change(uri, "# B\n\n## Mole\n", 2)
        assert await names("kai") == ["a › Kai"]
        assert await names("mole") == ["B › Mole"]
        (root / "a.md").unlink()
        client.notify(
            "workspace/didChangeWatchedFiles",
            {"changes": [{"uri": (root / "a.md").as_uri(), "type": 3}]},
        )
        await wait_until(lambda: not client.server.sessions.folders[0].index.get("a.md"))
        assert await names("kai") == []


async def test_symbols_of_all_vaults(tmp_path: Path) -> None:
    for name in ("one", "two"):
        parse_fixture(f"//- /sub/{name}.md\n# Kai {name}\n").write(tmp_path / name)
    folders = [{"uri": (tmp_path / n).as_uri(), "name": n} for n in ("one", "two")]
    async with wire(tmp_path / "one", tmp_path / "data", workspaceFolders=folders) as client:
        await wait_until(lambda: all(session.is_ready for session in client.server.sessions))
        found = await client.ask("workspace/symbol", {"query": "kai"})
        assert [(item["name"], item["containerName"]) for item in found["result"]] == [
            ("Kai one", "one/sub"),
            ("Kai two", "two/sub"),
        ]


async def test_symbols_are_capped(tmp_path: Path) -> None:
    root = parse_fixture("//- /a.md\n" + "## Kai\n\n" * 500).write(tmp_path / "vault")
    async with wire(root, tmp_path / "data") as client:
        found = await client.ask("workspace/symbol", {"query": "kai"})
        assert len(found["result"]) == 200
