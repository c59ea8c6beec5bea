"""textDocument/diagnostic, workspace/diagnostic and their refresh, over the wire."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path
from typing import Any

import pytest

from mindnet_lsp.handlers import pull_diagnostics
from tests.lsp.wire import Message, Wire, wire
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

PULL: Message = {
    "textDocument": {
        "diagnostic": {"dynamicRegistration": False},
        "publishDiagnostics": {
            "relatedInformation": True,
            "codeDescriptionSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
    },
    "workspace": {"diagnostics": {"refreshSupport": True}, "configuration": True},
}
REFRESH = "workspace/diagnostic/refresh"

VAULT = """\
//- /a.md
[[b#Heading]] [[gone]]
//- /b.md
# Heading
//- /c.md
Nothing here.
//- /sub/d.md
---
links: [[b]]
---
[[e]]
"""


def vault(tmp_path: Path, source: str = VAULT) -> Path:
    return parse_fixture(source).write(tmp_path / "vault")


async def pull(client: Wire, root: Path, path: str, previous: str | None = None) -> Any:
    params = {"textDocument": {"uri": (root / path).as_uri()}, "previousResultId": previous}
    answer = await client.ask("textDocument/diagnostic", params)
    return answer["result"]


async def pull_all(client: Wire, previous: dict[str, str] | None = None, **more: Any) -> Any:
    known = [{"uri": uri, "value": value} for uri, value in (previous or {}).items()]
    answer = await client.ask("workspace/diagnostic", {"previousResultIds": known, **more})
    return answer["result"]["items"]


def codes(report: Any) -> list[str]:
    return [item["code"] for item in report["items"]]


def by_name(reports: list[Any]) -> dict[str, Any]:
    return {report["uri"].rpartition("/vault/")[2]: report for report in reports}


def ids(reports: list[Any]) -> dict[str, str]:
    return {report["uri"]: report["resultId"] for report in reports}


def refreshed(client: Wire, times: int) -> bool:
    return len(client.of(REFRESH)) >= times


async def test_what_is_offered(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        offered = client.sent[0]["result"]["capabilities"]["diagnosticProvider"]
        assert offered == {"interFileDependencies": True, "workspaceDiagnostics": True}
        client.open((root / "a.md").as_uri(), "[[nowhere]]\n")
        assert codes(await pull(client, root, "a.md")) == ["unresolved-link"]
        assert client.of("textDocument/publishDiagnostics") == []


@pytest.mark.parametrize(
    "capabilities",
    [
        {},
        {"textDocument": {"diagnostic": {}}},
        {"workspace": {"diagnostics": {"refreshSupport": True}}},
    ],
    ids=["plain", "no refresh", "no pull"],
)
async def test_others_are_pushed_to_but_an_answer_is_there(
    tmp_path: Path, capabilities: Message
) -> None:
    """A client that cannot be told to ask again would show stale findings."""
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", capabilities) as client:
        assert "diagnosticProvider" not in client.sent[0]["result"]["capabilities"]
        uri = (root / "a.md").as_uri()
        client.open(uri, "[[nowhere]]\n")
        await wait_until(lambda: client.published(uri))
        assert codes(await pull(client, root, "a.md")) == ["unresolved-link"]
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        assert client.of(REFRESH) == []


async def test_equal_findings_are_unchanged(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        uri = (root / "a.md").as_uri()
        client.open(uri, "[[gone]]\n")
        first = await pull(client, root, "a.md")
        assert (first["kind"], codes(first)) == ("full", ["unresolved-link"])
        client.change(uri, "[[gone]]\n\nsomething else\n", 2)
        again = await pull(client, root, "a.md", first["resultId"])
        assert again == {"kind": "unchanged", "resultId": first["resultId"]}
        client.change(uri, "\n[[gone]]\n", 3)
        moved = await pull(client, root, "a.md", first["resultId"])
        assert (moved["kind"], moved["items"][0]["range"]["start"]["line"]) == ("full", 1)
        assert moved["resultId"] != first["resultId"]
        client.change(uri, "[[gone]]\n", 4)
        back = await pull(client, root, "a.md")
        assert back["resultId"] == first["resultId"]
    async with wire(root, tmp_path / "data", PULL) as client:
        client.open(uri, "[[gone]]\n")
        assert (await pull(client, root, "a.md", first["resultId"]))["kind"] == "unchanged"


async def test_all_notes_of_the_vault(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        client.open((root / "c.md").as_uri(), "[[unsaved]]\n", 7)
        found = by_name(await pull_all(client))
        assert {name: codes(report) for name, report in found.items()} == {
            "a.md": ["unresolved-link"],
            "b.md": [],
            "c.md": ["unresolved-link"],
            "sub/d.md": ["deprecated-field", "unresolved-link"],
        }
        assert {name: report["version"] for name, report in found.items()} == {
            "a.md": None, "b.md": None, "c.md": 7, "sub/d.md": None,
        }  # fmt: skip
        deprecated = found["sub/d.md"]["items"][0]
        assert deprecated["tags"] == [2]
        assert deprecated["codeDescription"]["href"].endswith("diagnostics.md#deprecated-field")
        assert all(item["source"] == "mindnet" for item in found["sub/d.md"]["items"])


async def test_unchanged_changed_and_deleted_notes(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        await wait_until(lambda: client.of(REFRESH))
        first = await pull_all(client)
        again = await pull_all(client, ids(first))
        assert [report["kind"] for report in again] == ["unchanged"] * 4
        assert ids(again) == ids(first)
        (root / "b.md").unlink()
        gone = {"uri": (root / "b.md").as_uri(), "type": 3}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [gone]})
        await wait_until(lambda: refreshed(client, 2))
        after = by_name(await pull_all(client, ids(first)))
        assert after["b.md"]["kind"] == "full"
        assert after["b.md"]["items"] == []
        assert codes(after["a.md"]) == ["unresolved-link", "unresolved-link"]
        assert after["c.md"]["kind"] == "unchanged"


@pytest.mark.parametrize("token", ["t-1", 7])
async def test_partial_results(tmp_path: Path, token: str | int) -> None:
    notes = "".join(f"//- /n{number}.md\n[[gone {number}]] ü 🚢\n" for number in range(120))
    root = vault(tmp_path, notes)
    async with wire(root, tmp_path / "data", PULL) as client:
        assert await pull_all(client, partialResultToken=token) == []
        sent = [found for found in client.of("$/progress") if found["token"] == token]
        assert len(sent) > 1
        reports = [report for part in sent for report in part["value"]["items"]]
        assert len(by_name(reports)) == len(reports) == 120
        assert {tuple(codes(report)) for report in reports} == {("unresolved-link",)}
        whole = await pull_all(client, ids(reports))
        assert {report["kind"] for report in whole} == {"unchanged"}


async def test_cancelled(tmp_path: Path) -> None:
    notes = "".join(f"//- /n{number}.md\n[[gone {number}]]\n" for number in range(300))
    root = vault(tmp_path, notes)
    async with wire(root, tmp_path / "data", PULL) as client:
        number = client.request(
            "workspace/diagnostic", {"previousResultIds": [], "partialResultToken": "t"}
        )
        await wait_until(lambda: client.of("$/progress"))
        client.notify("$/cancelRequest", {"id": number})
        answer = await client.answer(number)
        assert answer["error"]["code"] == -32800
        reported = len(client.of("$/progress"))
        assert len(await pull_all(client)) == 300
        assert len(client.of("$/progress")) == reported


async def test_a_refresh_where_other_notes_are_touched(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        await wait_until(lambda: client.of(REFRESH))  # the index was loaded
        a, b = (root / "a.md").as_uri(), (root / "b.md").as_uri()
        client.open(a, "[[b#Heading]]\n")
        client.open(b, "# Heading\n")
        first = await pull(client, root, "a.md")
        assert codes(first) == []
        await pull_all(client)
        before = len(client.of(REFRESH))
        client.change(b, "# Heading\n\ntext and [[gone]]\n", 2)
        assert codes(await pull(client, root, "b.md")) == ["unresolved-link"]
        client.change(b, "# Headline\n", 3)
        await wait_until(lambda: len(client.of(REFRESH)) > before)
        assert len(client.of(REFRESH)) == before + 1
        assert codes(await pull(client, root, "a.md", first["resultId"])) == ["unresolved-heading"]


async def test_a_report_of_the_workspace_does_not_stand_for_an_open_document(
    tmp_path: Path,
) -> None:
    """VS Code shows for an open document what it was told of that document, so it must ask for
    it again although the vault's report had the news."""
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        await wait_until(lambda: client.of(REFRESH))
        client.open((root / "c.md").as_uri(), "[[late]]\n")
        assert codes(await pull(client, root, "c.md")) == ["unresolved-link"]
        before = len(client.of(REFRESH))
        client.open((root / "late.md").as_uri(), "# Late\n")
        assert codes(by_name(await pull_all(client))["c.md"]) == []
        await wait_until(lambda: len(client.of(REFRESH)) > before)


async def test_no_refresh_where_nothing_differs(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        await wait_until(lambda: client.of(REFRESH))
        b = (root / "b.md").as_uri()
        client.open(b, "# Heading\n")
        await pull_all(client)
        before = len(client.of(REFRESH))
        # a new heading touches a.md, whose findings stay the same
        client.change(b, "# Heading\n\n## More\n", 2)
        await pull(client, root, "b.md")
        client.change(b, "# Heading\n\n## More\n\n[[a]]\n", 3)
        await pull(client, root, "b.md")
        # the order of refreshes tells that the edits above asked for none
        (root / "new.md").write_text("[[gone]]\n")
        event = {"uri": (root / "new.md").as_uri(), "type": 1}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
        await wait_until(lambda: len(client.of(REFRESH)) > before)
        assert len(client.of(REFRESH)) == before + 1


async def test_a_client_that_never_answers_a_refresh(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL, silent=[REFRESH]) as client:
        await wait_until(lambda: client.of(REFRESH))
        for number in range(3):
            (root / f"new{number}.md").write_text("[[gone]]\n")
            event = {"uri": (root / f"new{number}.md").as_uri(), "type": 1}
            client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
            await wait_until(functools.partial(refreshed, client, number + 2))
        assert len(await pull_all(client)) == 7


async def test_settings_apply_at_once(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        first = await pull(client, root, "a.md")
        before = len(client.of(REFRESH))
        wanted = {"diagnostics": {"unresolved-link": "off", "missing-field": "information"}}
        client.answers["workspace/configuration"] = [wanted]
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        await wait_until(lambda: len(client.of(REFRESH)) > before)
        found = await pull(client, root, "a.md", first["resultId"])
        assert [(item["code"], item["severity"]) for item in found["items"]] == [
            ("missing-field", 3)
        ]


async def test_asked_before_the_index_is_ready(tmp_path: Path) -> None:
    """The answer waits: half an index would call everything unresolved."""
    notes = "".join(f"//- /n{number}.md\n[[n{number + 1}]]\n" for number in range(400))
    root = vault(tmp_path, notes)
    from mindnet_lsp.server import create_server
    from tests.lsp.wire import folders_of

    server = create_server(folders_of(tmp_path / "data"))
    del server.sessions.on_open[1:]
    client = Wire(server)
    folders = [{"uri": root.as_uri(), "name": "vault"}]
    await client.ask(
        "initialize",
        {"processId": None, "rootUri": None, "capabilities": PULL, "workspaceFolders": folders},
    )
    client.notify("initialized", {})
    client.open((root / "n0.md").as_uri(), "[[n1]] [[gone]]\n")
    document = {"textDocument": {"uri": (root / "n0.md").as_uri()}}
    numbers = [
        client.request("textDocument/diagnostic", document),
        client.request("workspace/diagnostic", {"previousResultIds": []}),
    ]
    one, whole = await asyncio.gather(*map(client.answer, numbers))
    assert codes(one["result"]) == ["unresolved-link"]
    found = by_name(whole["result"]["items"])
    assert sorted(name for name, report in found.items() if report["items"]) == [
        "n0.md",
        "n399.md",
    ]
    await client.ask("shutdown")


async def test_what_is_no_note(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        for path in ("none.md", "image.png", "../outside.md"):
            assert await pull(client, root, path) == {"kind": "full", "items": []}
        client.open("untitled:Untitled-1", "[[gone]] [[#No]]\n")
        answer = await client.ask(
            "textDocument/diagnostic", {"textDocument": {"uri": "untitled:Untitled-1"}}
        )
        # a file alone: only what needs no vault around it
        assert codes(answer["result"]) == ["unresolved-heading"]
        known = {"untitled:Untitled-1": answer["result"]["resultId"], "file:///other.md": "x"}
        reports = {report["uri"]: report for report in await pull_all(client, known)}
        assert reports["untitled:Untitled-1"]["kind"] == "unchanged"
        assert reports["file:///other.md"]["items"] == []


async def test_a_large_vault_leaves_clean_notes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client sends back every id it was given, so what is clean gets none there; a note that
    becomes clean is told of all the same."""
    monkeypatch.setattr(pull_diagnostics, "LARGE_VAULT", 3)
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data", PULL) as client:
        first = await pull_all(client)
        assert sorted(by_name(first)) == ["a.md", "sub/d.md"]
        client.open((root / "a.md").as_uri(), "healed\n", 3)
        after = by_name(await pull_all(client, ids(first)))
        assert (after["a.md"]["kind"], after["a.md"]["items"]) == ("full", [])
        assert after["sub/d.md"]["kind"] == "unchanged"
        again = await pull_all(client, ids(list(after.values())))
        assert [report["kind"] for report in again] == ["unchanged"] * 2


async def test_answers_of_a_pushed_client_follow_its_settings(tmp_path: Path) -> None:
    root = vault(tmp_path)
    async with wire(root, tmp_path / "data") as client:
        client.open((root / "a.md").as_uri(), "[[gone]]\n")
        assert codes(await pull(client, root, "a.md")) == ["unresolved-link"]
        client.notify(
            "workspace/didChangeConfiguration",
            {"settings": {"mindnet": {"diagnostics": {"unresolved-link": "off"}}}},
        )
        await wait_until(lambda: client.published((root / "a.md").as_uri())[-1:])
        assert codes(await pull(client, root, "a.md")) == []


async def test_a_folder_within_a_folder_reports_its_notes_once(tmp_path: Path) -> None:
    root = vault(tmp_path)
    folders = [{"uri": path.as_uri(), "name": path.name} for path in (root, root / "sub")]
    async with wire(root, tmp_path / "data", PULL, workspaceFolders=folders) as client:
        await wait_until(
            lambda: sum(s["index"]["state"] == "ready" for s in client.of("mindnet/status")) == 2
        )
        found = await pull_all(client)
        assert len(by_name(found)) == len(found) == 4
        # in its own folder there is no b.md
        assert codes(by_name(found)["sub/d.md"]) == [
            "deprecated-field", "unresolved-link", "unresolved-link",
        ]  # fmt: skip
