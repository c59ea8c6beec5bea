"""What happens outside the editor: git, folders that move, settings that change; open and unsaved
documents stay as they are."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import mindnet_lsp.watch
from core.parse import parse_note
from core.text import decode
from tests.core.vault.test_incremental import check
from tests.lsp.wire import Wire, wire
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

WATCHED = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
NUMBER = 300


def git(root: Path, *arguments: str) -> None:
    names = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER")
             for what in ("NAME", "EMAIL")}  # fmt: skip
    subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-c", "gc.auto=0", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "HOME": str(root.parent), **names},
    )


def on_disk(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): decode(path.read_bytes()).text
        for path in root.rglob("*.md")
        if ".git" not in path.parts
    }


async def until_like_disk(client: Wire, root: Path, **opened: str) -> None:
    """The index of the folder is that of its files, and of what is open in it."""
    (session,) = [each for each in client.server.sessions if each.root == root]
    texts = on_disk(root) | {f"{name}.md": text for name, text in opened.items()}
    known = {path: parse_note(path, text) for path, text in texts.items()}
    await wait_until(lambda: dict(session.snapshot().notes) == known, what="the index")
    check(session.snapshot(), known, set(session.index.attachments))


def codes(client: Wire, uri: str) -> list[str]:
    found = client.published(uri)
    return [item["code"] for item in found[-1]["diagnostics"]] if found else []


def event(*paths: Path, kind: int = 2) -> Any:
    return {"changes": [{"uri": path.as_uri(), "type": kind} for path in paths]}


def folders(added: list[Path], removed: list[Path]) -> Any:
    listed = [[{"uri": p.as_uri(), "name": p.name} for p in each] for each in (added, removed)]
    return {"event": {"added": listed[0], "removed": listed[1]}}


@pytest.mark.parametrize("watched", [True, False], ids=["by the client", "by the server"])
async def test_another_branch_with_hundreds_of_notes(tmp_path: Path, watched: bool) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    for number in range(NUMBER + 20):
        (root / f"n{number}.md").write_text(f"# N {number}\n\n[[n{number + 1}]] [[Later]]\n")
    git(root, "init")
    git(root, "add", ".")
    git(root, "commit", "-m", "one")
    git(root, "checkout", "-b", "other")
    for number in range(NUMBER):
        (root / f"n{number}.md").write_text(f"# Other {number}\n\n[[m{number}]]\n")
    (root / "n5.md").unlink()
    (root / "Later.md").write_text("# Later\n")
    git(root, "add", ".")
    git(root, "commit", "-m", "two")
    git(root, "checkout", "main")
    first, dirty = (root / "n310.md").as_uri(), "# Mine\n\n[[n2]] [[Later]] unsaved\n"
    async with wire(root, tmp_path / "data", WATCHED if watched else {}) as client:
        client.open(first, dirty)
        client.open((root / "n5.md").as_uri(), dirty)
        await wait_until(lambda: codes(client, first) == ["unresolved-link"])
        for branch in ("other", "main", "other"):
            git(root, "checkout", branch)
            if watched:
                paths = [root / f"n{number}.md" for number in range(NUMBER)]
                client.notify("workspace/didChangeWatchedFiles", event(*paths, root / "Later.md"))
            await until_like_disk(client, root, n310=dirty, n5=dirty)
            wanted = ["unresolved-link"] if branch == "main" else []
            await wait_until(lambda wanted=wanted: codes(client, first) == wanted)  # type: ignore[misc]


async def test_folders_come_and_go_around_a_dirty_document(tmp_path: Path) -> None:
    root = parse_fixture(
        "//- /in/a.md\n[[x]]\n//- /in/x.md\n# X\n//- /y.md\n# Y\n//- /in/deep/z.md\n# Z\n"
    ).write(tmp_path / "outer")
    inner, deep = root / "in", root / "in" / "deep"
    uri, text = (inner / "a.md").as_uri(), "[[x]] [[y]] [[z]] unsaved\n"
    async with wire(root, tmp_path / "data") as client:
        client.open(uri, text, version=7)

        def owner() -> Any:
            session, path = client.server.sessions.find(uri) or (None, "")
            assert session is not None
            assert session.text(path) == text
            assert session.version(path) == 7
            return session.root

        assert owner() == root
        steps = [
            ([inner], [], inner, 1),
            ([inner, inner], [], inner, 1),
            ([deep], [], inner, 1),
            ([], [deep], inner, 1),
            ([], [root], inner, 1),
            ([root], [inner], root, 0),
            ([inner], [root], inner, 1),
            ([root], [inner], root, 0),
        ]
        for added, removed, wanted, unresolved in steps:
            client.notify("workspace/didChangeWorkspaceFolders", folders(added, removed))
            await wait_until(lambda wanted=wanted: owner() == wanted)  # type: ignore[misc]
            await wait_until(
                lambda count=unresolved: codes(client, uri) == ["unresolved-link"] * count  # type: ignore[misc]
            )
        assert len([s for s in client.server.sessions if s.root == root]) == 1


async def test_the_same_folder_by_two_names(tmp_path: Path) -> None:
    """A symbolic link to a folder that is open already is another folder of the window."""
    root = parse_fixture("//- /a.md\n[[b]]\n//- /b.md\n# B\n").write(tmp_path / "vault")
    link = tmp_path / "link"
    link.symlink_to(root)
    async with wire(root, tmp_path / "data") as client:
        client.notify("workspace/didChangeWorkspaceFolders", folders([link], []))
        await wait_until(lambda: len(client.server.sessions.folders) == 2)
        await wait_until(lambda: all(s.is_ready for s in client.server.sessions))
        for base in (root, link):
            client.open((base / "a.md").as_uri(), "[[b]] [[Gone]]\n")
            where = {"line": 0, "character": 3}
            asked = {"textDocument": {"uri": (base / "a.md").as_uri()}, "position": where}
            found = (await client.ask("textDocument/definition", asked))["result"]
            assert [place["uri"] for place in found] == [(base / "b.md").as_uri()]


async def test_a_folder_that_vanishes_and_comes_back(tmp_path: Path) -> None:
    root = parse_fixture("//- /a.md\n[[b]]\n//- /b.md\n# B\n//- /s/c.md\n# C\n").write(
        tmp_path / "vault"
    )
    away, uri = tmp_path / "away", (root / "a.md").as_uri()
    paths = [root / "a.md", root / "b.md", root / "s" / "c.md"]
    async with wire(root, tmp_path / "data", WATCHED) as client:
        client.open(uri, "[[b]] unsaved\n")
        await wait_until(lambda: client.published(uri))
        root.rename(away)
        client.notify("workspace/didChangeWatchedFiles", event(*paths, kind=3))
        await wait_until(lambda: codes(client, uri) == ["unresolved-link"])
        await until_like_disk(client, root, a="[[b]] unsaved\n")
        document = {"textDocument": {"uri": uri}}
        assert "result" in await client.ask("textDocument/documentSymbol", document)
        away.rename(root)
        client.notify("workspace/didChangeWatchedFiles", event(*paths, kind=1))
        await wait_until(lambda: codes(client, uri) == [])
        await until_like_disk(client, root, a="[[b]] unsaved\n")
        shutil.rmtree(root)
        client.notify("workspace/didChangeWatchedFiles", event(root, *paths, kind=3))
        await wait_until(lambda: codes(client, uri) == ["unresolved-link"])
        assert client.of("window/showMessage") == []


VAULT = "//- /a.md\n# A\n\n[[Gone]] [[b]] [[sub/c]]\n//- /b.md\n# B\n\n[[a]]\n//- /sub/c.md\n# C\n"
PULL = {"workspace": {"configuration": True}}


async def say(client: Wire, how: str, settings: Any) -> None:
    """Change the settings as one kind of client or another does."""
    if how == "pull":
        client.answers["workspace/configuration"] = [settings]
        client.notify("workspace/didChangeConfiguration", {"settings": None})
    else:
        client.notify("workspace/didChangeConfiguration", {"settings": {"mindnet": settings}})


@pytest.mark.parametrize("how", ["pull", "push"])
async def test_settings_change_while_the_server_runs(tmp_path: Path, how: str) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    uri = (root / "a.md").as_uri()
    async with wire(root, tmp_path / "data", PULL if how == "pull" else {}) as client:
        client.answers["workspace/configuration"] = [None]
        client.open(uri, (root / "a.md").read_text())
        document = {"textDocument": {"uri": uri}}
        here = {**document, "position": {"line": 2, "character": 2}}
        (session,) = client.server.sessions.folders

        async def effect(settings: Any, name: str, value: Any) -> None:
            await say(client, how, settings)

            def current() -> Any:
                found: Any = session.settings
                for part in name.split("."):
                    found = found[part] if isinstance(found, dict) else getattr(found, part)
                return found

            await wait_until(lambda: current() == value, what=name)

        def severities() -> list[int]:
            return [item["severity"] for item in client.published(uri)[-1]["diagnostics"]]

        await wait_until(lambda: client.published(uri) and severities() == [2])
        await say(client, how, {"diagnostics": {"unresolved-link": "error"}})
        await wait_until(lambda: severities() == [1])
        await say(client, how, {"diagnostics": {"unresolved-link": "off"}})
        await wait_until(lambda: severities() == [])
        await say(client, how, {"locale": "de"})
        await wait_until(lambda: "Keine Notiz" in str(client.published(uri)[-1]))
        await say(client, how, {"vault": {"ignore": ["sub"]}})
        await wait_until(lambda: len(session.snapshot().paths) == 2)
        await wait_until(lambda: len(severities()) == 2)
        await say(client, how, {"vault": {"ignore": []}})
        await wait_until(lambda: len(session.snapshot().paths) == 3)
        await effect({"completion": {"max_items": 1}}, "completion.max_items", 1)
        listed = (await client.ask("textDocument/completion", here))["result"]
        assert len(listed["items"]) == 1
        assert listed["isIncomplete"]
        await effect({"code_lens": {"enabled": False}}, "code_lens.enabled", False)
        assert not (await client.ask("textDocument/codeLens", document))["result"]
        await effect({"code_lens": {"enabled": True}}, "code_lens.enabled", True)
        assert (await client.ask("textDocument/codeLens", document))["result"]
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
        await effect({"inlay_hints": {"enabled": False}}, "inlay_hints.enabled", False)
        hints = await client.ask("textDocument/inlayHint", {**document, "range": whole})
        assert not hints["result"]
        await effect({"log": {"level": "error"}}, "log.level", "error")
        assert logging.getLogger("mindnet_lsp").level == logging.ERROR
        await effect({"log": {"level": "warning"}}, "log.level", "warning")
        assert logging.getLogger("mindnet_lsp").level == logging.WARNING


@pytest.mark.parametrize("how", ["pull", "push"])
@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"nonsense": 1}, "nonsense"),
        ({"completion": {"max_item": 3}}, "completion.max_item"),
        ({"completion": {"max_items": "many"}}, "completion.max_items"),
        ({"completion": 5}, "completion"),
        ({"diagnostics": {"unresolved-link": "loud"}}, "diagnostics.unresolved-link"),
        ({"diagnostics": {"no-such-code": "off"}}, "diagnostics.no-such-code"),
        ({"vault": {"ignore": "sub"}}, "vault.ignore"),
        ({"locale": "fr"}, "locale"),
        ({"log": {"level": 3}}, "log.level"),
    ],
)
async def test_bad_settings_are_named_and_the_server_runs(
    tmp_path: Path, how: str, settings: Any, name: str
) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    async with wire(root, tmp_path / "data", PULL if how == "pull" else {}) as client:
        await say(client, how, settings)
        await wait_until(lambda: client.of("window/showMessage"))
        (shown,) = client.of("window/showMessage")
        assert shown["type"] == 2
        assert name in shown["message"]
        # a good one next to it counts, and the same fault is told once
        await say(client, how, {**settings, "hover": {"max_backlinks": 3}})
        (session,) = client.server.sessions.folders
        await wait_until(lambda: session.settings.hover.max_backlinks == 3)
        assert len(client.of("window/showMessage")) == 1


async def test_a_types_file_outside_of_the_vault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No client watches it: it counts as soon as it is there, and until it is gone."""
    file = tmp_path / "config" / "my types.yaml"
    monkeypatch.setenv("MINDNET_TYPES_FILE", str(file))
    monkeypatch.setattr(mindnet_lsp.watch, "FILE_POLL_SECONDS", 0.02)
    root = parse_fixture("//- /a.md\n---\ntype: recipe\n---\n").write(tmp_path / "vault")
    uri = (root / "a.md").as_uri()
    async with wire(root, tmp_path / "data") as client:
        client.open(uri, "---\ntype: recipe\n---\n")
        await wait_until(lambda: codes(client, uri) == ["unknown-type"])
        file.parent.mkdir(exist_ok=True)
        file.write_text("types:\n  recipe: {}\n")
        await wait_until(lambda: client.published(uri)[-1]["diagnostics"] == [])
        file.unlink()
        await wait_until(lambda: codes(client, uri) == ["unknown-type"])
