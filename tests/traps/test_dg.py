"""DG: diagnostics, their fixes, and following files. Each case by its number."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.e2e.editor import PROFILES, Editor, editor
from tests.e2e.test_sync import definition, vault
from tests.support.waiting import wait_until
from tests.traps.asking import Asking, asking

SHIPS = {"log.md": "Passed [[ships#Heron]] at noon.\n", "ships.md": "# Ships\n\n## Petrel\n"}


def creates(edit: Any) -> list[Any]:
    changes = (edit or {}).get("documentChanges", ())
    return [change for change in changes if change.get("kind") == "create"]


async def all_actions(ed: Asking, path: str) -> list[Any]:
    """Every action at any place of the first line of a note."""
    found: dict[str, Any] = {}
    for character in range(0, len(ed.texts[path].split("\n")[0]), 3):
        here = {"line": 0, "character": character}
        for action in await ed.ask(
            "textDocument/codeAction", path,
            range={"start": here, "end": here}, context={"diagnostics": []},
        ) or ():  # fmt: skip
            found[action["title"]] = await ed.resolved(action)
    return list(found.values())


async def test_dg_01_a_missing_heading_never_creates_a_file(tmp_path: Path) -> None:
    async with asking(tmp_path, SHIPS) as ed:
        assert await ed.findings("log.md") == ["0:15-20 unresolved-heading"]
        actions = await ed.actions("log.md", "unresolved-heading")
        added = [texts for action in actions if (texts := ed.applied(action.get("edit"))[0])]
        assert {"ships.md": "# Ships\n\n## Petrel\n\n## Heron\n"} in added
        for action in await all_actions(ed, "log.md"):
            edit = action.get("edit")
            existing = {path for path in ed.applied(edit)[1] if (ed.root / path).exists()}
            assert [ed.path(one["uri"]) for one in creates(edit)] == []
            assert existing == set()
            texts, _ = ed.applied(edit)
            assert "## Petrel" in texts.get("ships.md", "## Petrel")


@pytest.mark.parametrize(
    "link", ["[[ships#^b9]]", "[m](ships.md#heron)", "![[ships#Heron]]", "[[SHIPS#Heron|x]]"]
)
async def test_dg_01_nor_any_other_missing_place(tmp_path: Path, link: str) -> None:
    files = {"log.md": f"{link} [[nowhere]]\n", "ships.md": "# Ships\n\n## Petrel\n"}
    async with asking(tmp_path, files) as ed:
        for action in await all_actions(ed, "log.md"):
            for one in creates(action.get("edit")):
                assert one["options"] == {"overwrite": False, "ignoreIfExists": True}
                assert not (ed.root / ed.path(one["uri"])).exists()
            texts, _ = ed.applied(action.get("edit"))
            assert "## Petrel" in texts.get("ships.md", "## Petrel")


async def test_dg_02_letter_case_is_no_missing_note(tmp_path: Path) -> None:
    table = "".join(f"line {number}\n" for number in range(40))
    files = {"ref.md": "[[TIDE-Table]] [[Größe]] [t](Tide-TABLE.md)\n", "tide-table.md": table,
             "GRÖSSE.md": "x\n"}  # fmt: skip
    async with asking(tmp_path, files) as ed:
        assert await ed.definition("ref.md", 0, 4) == "tide-table.md"
        assert await ed.findings("ref.md") == []
        for action in await all_actions(ed, "ref.md"):
            assert creates(action.get("edit")) == []
        assert (ed.root / "tide-table.md").read_text() == table


async def test_dg_02_a_file_that_comes_first_is_kept(tmp_path: Path) -> None:
    async with asking(tmp_path, {"ref.md": "[[Tide]]\n"}) as ed:
        action = next(a for a in await all_actions(ed, "ref.md") if creates(a.get("edit")))
        (ed.root / "Tide.md").write_text("here first\n")
        (one, *_) = creates(action["edit"])
        assert one["options"] == {"overwrite": False, "ignoreIfExists": True}
        answer = await ed.client.ask(
            "workspace/executeCommand",
            {"command": "mindnet.applyCodeAction",
             "arguments": [{"create": [{"uri": ed.uri("Tide.md"), "text": "# Tide\n"}]}]},
        )  # fmt: skip
        assert answer.get("error") or answer["result"]["error"]
        assert (ed.root / "Tide.md").read_text() == "here first\n"


@pytest.mark.e2e
@pytest.mark.parametrize("profile", [*PROFILES, "bare"])
async def test_dg_03_a_created_note_heals_links_without_any_watcher(
    tmp_path: Path, profile: str
) -> None:
    root = vault(tmp_path, quay="[[crane]]\n")
    async with editor(root, tmp_path, profile) as ed:
        assert bool(ed.registered) is (profile not in ("neovim", "bare"))
        ed.open("quay.md")
        await ed.until_codes("quay.md", ["unresolved-link"])
        # no event of a client that watches, for a client that says it does not there is one
        (root / "crane.md").write_text("# Crane\n")
        ed.open("crane.md")
        await ed.until_codes("quay.md", [])
        assert await definition(ed, "quay.md", 0, 3) == ed.uri("crane.md")


@pytest.mark.e2e
@pytest.mark.parametrize("profile", ["eglot", "bare"])
async def test_dg_03_a_note_that_we_made_ourselves(tmp_path: Path, profile: str) -> None:
    """For a client that creates no files the command does; nobody tells of the new file."""
    root = vault(tmp_path, quay="[[crane]]\n")
    async with editor(root, tmp_path, profile) as ed:
        ed.open("quay.md")
        (found,) = await ed.until_codes("quay.md", ["unresolved-link"])
        for action in await ed.actions("quay.md", found.range):
            command = action if isinstance(action, types.Command) else action.command
            if command is not None and "crane" in action.title:
                break
        params = types.ExecuteCommandParams(command.command, command.arguments)
        await ed.client.workspace_execute_command_async(params)
        assert (root / "crane.md").exists()
        await ed.until_codes("quay.md", [])
        assert await definition(ed, "quay.md", 0, 3) == ed.uri("crane.md")


@pytest.mark.e2e
@pytest.mark.parametrize("profile", ["vscode", "bare"])
async def test_dg_03_a_note_that_is_only_in_the_editor_counts(tmp_path: Path, profile: str) -> None:
    root = vault(tmp_path, quay="[[crane]]\n")
    async with editor(root, tmp_path, profile) as ed:
        ed.open("quay.md")
        await ed.until_codes("quay.md", ["unresolved-link"])
        ed.open("crane.md", "# Crane\n")
        await ed.until_codes("quay.md", [])
        ed.close("crane.md")
        await ed.until_codes("quay.md", ["unresolved-link"])


@pytest.mark.e2e
@pytest.mark.parametrize("profile", [*PROFILES, "bare"])
async def test_dg_04_deleted_and_made_again_on_disk(tmp_path: Path, profile: str) -> None:
    root = vault(tmp_path, a="[[b]]\n", b="# B\n\n[[gone]]\n")
    async with editor(root, tmp_path, profile) as ed:
        watches = profile not in ("neovim", "bare")
        ed.open("a.md")
        ed.open("b.md")
        await ed.until_codes("a.md", [])
        await ed.until_codes("b.md", ["unresolved-link"])
        ed.close("b.md")
        (root / "b.md").unlink()
        if watches:
            ed.touch("b.md", types.FileChangeType.Deleted)
        await ed.until_codes("b.md", [])
        await ed.until_codes("a.md", ["unresolved-link"])
        (root / "b.md").write_text("# B\n\n[[gone]]\n")
        if watches:
            ed.touch("b.md", types.FileChangeType.Created)
        await ed.until_codes("a.md", [])
        await ed.until_codes("b.md", ["unresolved-link"])


@pytest.mark.e2e
@pytest.mark.parametrize("profile", ["vscode", "eglot", "neovim"])
async def test_dg_04_a_checkout_of_hundreds_of_files(tmp_path: Path, profile: str) -> None:
    """Many events at once, or none at all: right findings afterwards, with few messages."""
    count = 400
    notes = {f"n{number}": f"[[n{(number + 1) % count}]]\n" for number in range(count)}
    root = vault(tmp_path, start="[[n0]] [[n399]] [[new]]\n", **notes)
    async with editor(root, tmp_path, profile) as ed:
        ed.open("start.md")
        ed.open("n5.md")
        await ed.until_codes("start.md", ["unresolved-link"])
        await ed.until_codes("n5.md", [])
        before = len(ed.published)
        for number in range(200, count):
            (root / f"n{number}.md").unlink()
        (root / "new.md").write_text("[[n6]]\n")
        for number in range(200):
            (root / f"n{number}.md").write_text(f"# N\n\n[[n{number + 1}]]\n")
        if profile != "neovim":
            events = [types.FileEvent(ed.uri(f"n{n}.md"), types.FileChangeType.Deleted)
                      for n in range(200, count)]  # fmt: skip
            events += [types.FileEvent(ed.uri(f"n{n}.md"), types.FileChangeType.Changed)
                       for n in range(200)]  # fmt: skip
            events.append(types.FileEvent(ed.uri("new.md"), types.FileChangeType.Created))
            params = types.DidChangeWatchedFilesParams(events)
            ed.client.workspace_did_change_watched_files(params)
        (found,) = await settled(ed, "start.md", ["n399"])
        assert found.range.start.character == 9
        assert ed.codes("n5.md") == []
        own = [params for params in ed.published[before:] if params.uri == ed.uri("start.md")]
        assert len(own) <= 3
        if ed.pulling:
            await ed.until_codes("n199.md", ["unresolved-link"])
            assert ed.pulling.refreshes <= 5
        else:
            assert len(ed.published) - before <= 4


async def settled(ed: Editor, path: str, targets: list[str]) -> list[types.Diagnostic]:
    """Wait until exactly these targets are missing."""

    def missing() -> list[Any]:
        return [ed.range_text(path, item.range) for item in ed.found(path) or ()]

    await wait_until(lambda: missing() == targets, what=f"{targets} to be missing in {path}")
    return ed.found(path) or []


WEB = (
    "[x](https://ex.org/q?s=a%20b.md) [y](<https://ex.org/a b.md>) [z](magnet:?xt=1) "
    "[m](mailto:k@ex.org) <https://ex.org/n.md>\n"
)


async def test_dg_05_addresses_are_no_files(tmp_path: Path) -> None:
    more = (
        "[a](obsidian://open?vault=x) [b](HTTP://EX.org/b.md) [c](tel:+491) [d](//ex.org/d.md)\n"
        "[e](data:text/plain,x.md) [f](zotero://select/x.md) [[https://ex.org/x.md]]\n"
        "[g]\n\n[g]: https://ex.org/a%20b.md 'title'\n"
    )
    async with asking(tmp_path, {"web.md": WEB, "more.md": more}) as ed:
        assert await ed.findings("web.md") == []
        assert await ed.findings("more.md") == []
        ed.open("web.md", "[w](C:/notes/x.md) [[Plan: B]]\n")
        # a drive is no scheme
        assert await ed.findings("web.md") == ["0:4-17 unresolved-link", "0:21-28 unresolved-link"]


FRAGMENTS = {"w.md": "[k](./other.md#nope) [[other#Nope]]\n", "other.md": "# Yes\n"}


async def test_dg_06_only_the_fragment_is_marked(tmp_path: Path) -> None:
    async with asking(tmp_path, FRAGMENTS) as ed:
        assert await ed.findings("w.md") == [
            "0:15-19 unresolved-heading",
            "0:29-33 unresolved-heading",
        ]
        ed.open("w.md", "🚢 [[#Nope]] [[w#Nope]] [[nope#Nope]] [s](#nope) [[#^b]]\n")
        assert await ed.findings("w.md") == [
            "0:6-10 unresolved-heading",
            "0:17-21 unresolved-heading",
            "0:26-30 unresolved-link",
            "0:43-47 unresolved-heading",
            "0:52-54 unresolved-block",
        ]


@pytest.mark.e2e
@pytest.mark.parametrize("profile", ["vscode", "eglot", "neovim"])
@pytest.mark.parametrize("text", ["[[Harbour]]", "[x](Harbour.md)", "![[Harbour|h]]"])
async def test_dg_07_typing_letter_by_letter(tmp_path: Path, profile: str, text: str) -> None:
    root = vault(tmp_path, note="", Harbourage="# Harbourage\n")
    async with editor(root, tmp_path, profile) as ed:
        ed.open("note.md")
        await ed.until_codes("note.md", [])
        before, version = len(ed.published), 0
        for end in range(1, len(text) + 1):
            version = ed.change("note.md", text[:end])
            ed.save("note.md")
        (found,) = await ed.until_codes("note.md", ["unresolved-link"])
        assert ed.range_text("note.md", found.range).removesuffix(".md") == "Harbour"
        assert len(ed.published) - before <= 3
        assert ed.published[-1].version == version
        at = ed.mark("note.md", f"{text}\n[[H$0")
        listed = await ed.client.text_document_completion_async(types.CompletionParams(**at))
        assert isinstance(listed, types.CompletionList)
        labels = {item.label for item in listed.items if item.label.startswith("H")}
        assert labels <= {"Harbourage", "Harbour", "Harbour.md"}
        assert "Harbourage" in labels


@pytest.mark.parametrize(
    "text", ["[[", "[[Gon", "[[Gone", "x [[Gone#He", "[[Gone|al", "[x](Gon", "[x](Gone.md"]
)
async def test_dg_07_nothing_is_said_of_an_unclosed_link(tmp_path: Path, text: str) -> None:
    async with asking(tmp_path, {"note.md": "# N\n"}) as ed:
        for end in range(1, len(text) + 1):
            ed.open("note.md", f"# N\n\nword {text[:end]}")
            assert await ed.findings("note.md") == []
            ed.open("note.md", f"# N\n\nword {text[:end]}\n\nmore text\n")
            assert await ed.findings("note.md") == []


def test_every_case_has_its_test() -> None:
    """Each number of the three groups stands in its file."""
    here = Path(__file__).parent
    for group, cases in (("pr", 13), ("fm", 5), ("dg", 7)):
        text = (here / f"test_{group}.py").read_text()
        for number in range(1, cases + 1):
            assert f"def test_{group}_{number:02}_" in text, os.path.join(group, str(number))
