"""Files and folders that are moved in an editor: links follow, and the index at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.e2e import moving
from tests.e2e.editor import capabilities, editor
from tests.e2e.test_sync import definition
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.e2e

PROFILES = ("vscode", "neovim", "bare")


def write(root: Path, source: str) -> Path:
    return parse_fixture(source).write(root)


async def test_what_is_registered(tmp_path: Path) -> None:
    """Only for a client that asks for it; folders and attachments count too."""
    root = write(tmp_path / "vault", "//- /a.md\n")
    for profile in PROFILES:
        async with editor(root, tmp_path, profile) as ed:
            workspace = ed.result.capabilities.workspace
            found = workspace.file_operations if workspace else None
            names = ("will_rename", "did_rename", "did_create", "did_delete")
            for name in names:
                options = getattr(found, name, None)
                if profile != "vscode":
                    assert options is None
                    continue
                (one,) = options.filters
                assert (one.pattern.glob, one.pattern.matches, one.scheme) == (
                    "**/*", None, "file",
                )  # fmt: skip


@pytest.mark.parametrize("profile", PROFILES)
async def test_rn_05_a_note_and_its_links_to_itself(tmp_path: Path, profile: str) -> None:
    root = write(
        tmp_path / "vault",
        "//- /self.md\n# Self\n\n[[self]] [[#Self]] [[self#Self]] [x](self.md)\n"
        "//- /ref.md\n🚢 [[self|self]] | ![[self#Self]] `[[self]]`\n//- /no.md\n[[Self]]\n",
    )
    async with editor(root, tmp_path, profile) as ed:
        edit = await moving.will_rename(ed, {"self.md": "me.md"})
        assert moving.edited(ed, edit) == {
            "self.md": "# Self\n\n[[me]] [[#Self]] [[me#Self]] [x](me.md)\n",
            "ref.md": "🚢 [[me|self]] | ![[me#Self]] `[[self]]`\n",
            "no.md": "[[me]]\n",
        }


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_folder_with_open_and_closed_notes(tmp_path: Path, profile: str) -> None:
    root = write(
        tmp_path / "vault",
        "//- /s.md\nopen: [[herbs/reed]] ![p](herbs/p.png)\n"
        "//- /t.md\r\nclosed: [m](herbs/reed.md#reed)\r\n[[reed]] 🚢 [[herbs/reed]]\r\n"
        "//- /herbs/reed.md\n# Reed\n\n[s](../s.md) [[herbs/mint]]\n"
        "//- /herbs/mint.md\n[[reed]]\n//- /herbs/p.png\n",
    )
    async with editor(root, tmp_path, profile) as ed:
        ed.open("s.md", "unsaved: [[herbs/reed]] ![p](herbs/p.png)\n")
        ed.open("herbs/reed.md")
        await moving.move(ed, {"herbs": "plants/wild herbs"})
        assert ed.texts["s.md"] == (
            "unsaved: [[plants/wild herbs/reed]] ![p](plants/wild%20herbs/p.png)\n"
        )
        moved = "plants/wild herbs/reed.md"
        assert ed.texts[moved] == "# Reed\n\n[s](../../s.md) [[plants/wild herbs/mint]]\n"
        closed = (root / "t.md").read_bytes().decode()
        assert closed == (
            "closed: [m](plants/wild%20herbs/reed.md#reed)\r\n"
            "[[reed]] 🚢 [[plants/wild herbs/reed]]\r\n"
        )
        ed.open("t.md")
        # no watcher has told anything yet
        assert await definition(ed, "t.md", 0, 12) == ed.uri(moved)
        assert await definition(ed, moved, 2, 4) == ed.uri("s.md")
        assert await definition(ed, moved, 2, 20) == ed.uri("plants/wild herbs/mint.md")
        for path in ("s.md", "t.md", moved):
            await ed.until_codes(path, [])


async def test_the_index_follows_at_once(tmp_path: Path) -> None:
    """Answers right behind the notification know of it; findings are told anew."""
    root = write(
        tmp_path / "vault", "//- /a.md\n[[b]] [[c]] [[x/d]]\n//- /b.md\n//- /x/d.md\n//- /x/e.md\n"
    )
    async with editor(root, tmp_path, "neovim") as ed:
        ed.open("a.md")
        await ed.until_codes("a.md", ["unresolved-link"])
        (root / "b.md").rename(root / "c.md")
        files = [types.FileRename(ed.uri("b.md"), ed.uri("c.md"))]
        ed.client.workspace_did_rename_files(types.RenameFilesParams(files))
        assert await definition(ed, "a.md", 0, 2) is None
        assert await definition(ed, "a.md", 0, 8) == ed.uri("c.md")
        for path in ("x/d.md", "x/e.md"):
            (root / path).unlink()
        (root / "x").rmdir()
        gone = [types.FileDelete(ed.uri("x"))]
        ed.client.workspace_did_delete_files(types.DeleteFilesParams(gone))
        assert await definition(ed, "a.md", 0, 16) is None
        await ed.until_codes("a.md", ["unresolved-link", "unresolved-link"])
        (root / "b.md").write_text("# B\n")
        (root / "x").mkdir()
        (root / "x" / "d.md").write_text("# D\n")
        new = [types.FileCreate(ed.uri("b.md")), types.FileCreate(ed.uri("x"))]
        ed.client.workspace_did_create_files(types.CreateFilesParams(new))
        await ed.until_codes("a.md", [])
        assert await definition(ed, "a.md", 0, 2) == ed.uri("b.md")


async def test_a_large_folder(tmp_path: Path) -> None:
    """Hundreds of notes follow in the background, into another folder and out of the vault."""
    notes = "".join(f"//- /big/n{number}.md\n[s](../s.md)\n" for number in range(300))
    root = write(tmp_path / "vault", f"//- /s.md\n[[big/n7]]\n//- /t.md\n[[n8]]\n{notes}")
    async with editor(root, tmp_path, "neovim") as ed:
        ed.open("s.md")
        edit = await moving.will_rename(ed, {"big": "deep/er"})
        texts = moving.edited(ed, edit)
        assert len(texts) == 301
        assert texts["big/n9.md"] == "[s](../../s.md)\n"
        moving.make(ed, edit)
        moving.rename(ed, {"big": "deep/er"})
        ed.open("t.md")
        await ed.until_codes("s.md", [])
        await ed.until_codes("t.md", [])
        assert await definition(ed, "s.md", 0, 3) == ed.uri("deep/er/n7.md")
        (root / "deep").rename(tmp_path / "elsewhere")
        gone = types.DeleteFilesParams([types.FileDelete(ed.uri("deep"))])
        ed.client.workspace_did_delete_files(gone)
        await ed.until_codes("s.md", ["unresolved-link"])
        await ed.until_codes("t.md", ["unresolved-link"])


async def test_a_file_that_was_changed_outside(tmp_path: Path) -> None:
    """The edits are of the text on disk, of whatever size and age it is, not of the one read."""
    root = write(tmp_path / "vault", "//- /a.md\n[[b]]\n//- /b.md\n//- /c.md\n[[b]]\n")
    async with editor(root, tmp_path) as ed:
        # VS Code watches, and has not told yet
        (root / "a.md").write_text("a new line\n\n[[b]]\n")
        (root / "c.md").unlink()
        edit = await moving.will_rename(ed, {"b.md": "d.md"})
        assert moving.edited(ed, edit) == {"a.md": "a new line\n\n[[d]]\n"}


async def test_two_vaults(tmp_path: Path) -> None:
    """A note that leaves its vault takes no links along; what stays is right in both."""
    for name in ("one", "two"):
        write(tmp_path / name, "//- /a.md\n[[b]] [[c]]\n//- /b.md\n[a](a.md)\n//- /c.md\n")
    folders = [types.WorkspaceFolder((tmp_path / n).as_uri(), n) for n in ("one", "two")]
    params = types.InitializeParams(capabilities("vscode"), workspace_folders=folders)
    async with editor(tmp_path, tmp_path, params=params, ready=False) as ed:
        await ed.until_ready(folders=2)
        moves = {"one/b.md": "two/x.md", "one/c.md": "one/d.md", "two/c.md": "two/e.md"}
        edit = await moving.will_rename(ed, {**moves, "nowhere/q.md": "one/q.md"})
        assert moving.edited(ed, edit) == {
            "one/a.md": "[[b]] [[d]]\n",
            "two/a.md": "[[b]] [[e]]\n",
        }
        moving.make(ed, edit)
        moving.rename(ed, moves)
        ed.open("one/a.md")
        ed.open("two/a.md")
        await ed.until_codes("one/a.md", ["unresolved-link"])
        await ed.until_codes("two/a.md", [])
        # what says that the new text is looked at: the old one had no finding either
        ed.change("two/a.md", "[[x]] [[gone]]\n")
        await ed.until_codes("two/a.md", ["unresolved-link"])
        assert await definition(ed, "two/a.md", 0, 2) == ed.uri("two/x.md")


async def test_hidden_and_ignored_places(tmp_path: Path) -> None:
    """There a note is none, so its links cannot follow; nothing is edited."""
    root = write(
        tmp_path / "vault", "//- /.gitignore\nout/\n//- /a.md\n[[b]] [[c]]\n//- /b.md\n//- /c.md\n"
    )
    async with editor(root, tmp_path) as ed:
        moves = {"b.md": ".trash/b.md", "c.md": "out/c.md"}
        assert await moving.will_rename(ed, moves) is None
        moving.rename(ed, moves)
        ed.open("a.md")
        await ed.until_codes("a.md", ["unresolved-link", "unresolved-link"])
        moving.rename(ed, {"out/c.md": "c.md"})
        await ed.until_codes("a.md", ["unresolved-link"])


async def test_edits_of_a_rename_are_not_made_twice(tmp_path: Path) -> None:
    """VS Code asks for edits also when it makes the file operations of a rename, whose edits it
    has made before."""
    root = write(
        tmp_path / "vault",
        "//- /a/b/n.md\n# N\n\n[y](../y.md)\n//- /a/y.md\n//- /a/b/y.md\n//- /s.md\n[[a/b/n]]\n",
    )
    async with editor(root, tmp_path) as ed:
        ed.open("s.md")
        ed.open("a/b/n.md")
        at = ed.at("s.md", 4)
        params = types.RenameParams(new_name="a/n", **at)
        edit = await ed.client.text_document_rename_async(params)
        assert edit is not None
        texts = [c for c in edit.document_changes or () if isinstance(c, types.TextDocumentEdit)]
        moving.make(ed, types.WorkspaceEdit(document_changes=texts))
        assert ed.texts["a/b/n.md"] == "# N\n\n[y](y.md)\n"
        # there is such a note beside it as well, until it moves
        assert await moving.will_rename(ed, {"a/b/n.md": "a/n.md"}) is None
        moving.rename(ed, {"a/b/n.md": "a/n.md"})
        assert await definition(ed, "a/n.md", 2, 5) == ed.uri("a/y.md")
        assert await definition(ed, "s.md", 0, 3) == ed.uri("a/n.md")
        # by hand it works again
        edit = await moving.will_rename(ed, {"a/n.md": "a/b/n.md"})
        assert moving.edited(ed, edit)["a/n.md"] == "# N\n\n[y](../y.md)\n"


async def test_before_the_vault_is_read(tmp_path: Path) -> None:
    """Half an index would give half of the edits: none, and the user hears why."""
    notes = "".join(f"//- /n{number}.md\n{'[[x]] ' * 300}\n" for number in range(1500))
    root = write(tmp_path / "vault", f"//- /x.md\n{notes}")
    async with editor(root, tmp_path, ready=False) as ed:
        assert await moving.will_rename(ed, {"x.md": "y.md"}) is None
        assert any("being read" in message.message for message in ed.client.messages)
        await ed.until_ready()
        edit = await moving.will_rename(ed, {"x.md": "y.md"})
        assert len(moving.edited(ed, edit)) == 1500
