"""Renames as editors ask for them: ranges, versions, file operations, refusals."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.text import LineIndex
from tests.e2e.editor import Editor, capabilities, editor
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.e2e

PROFILES = ("vscode", "neovim", "eglot", "bare")
MOVES_FILES = ("vscode", "neovim")
"""The profiles that rename files as part of an edit."""
INVALID_PARAMS, REQUEST_FAILED = -32602, -32803


def write(tmp: Path, source: str) -> Path:
    return parse_fixture(source).write(tmp / "vault")


async def prepare(ed: Editor, at: dict[str, Any]) -> Any:
    return await ed.client.text_document_prepare_rename_async(types.PrepareRenameParams(**at))


async def rename(ed: Editor, at: dict[str, Any], name: str) -> types.WorkspaceEdit | None:
    params = types.RenameParams(new_name=name, **at)
    return await ed.client.text_document_rename_async(params)


def after(ed: Editor, edit: types.WorkspaceEdit | None) -> dict[str, str]:
    """The texts of the notes that the edit touches, by their path after it. Asserts that the
    edit is in the one form that the client takes, sorted and without overlaps."""
    assert edit is not None
    assert (edit.changes is None) != (edit.document_changes is None), "one of the two forms"
    texts: dict[str, str] = {}
    moved = False
    for uri, edits in (edit.changes or {}).items():
        texts |= _edited(ed, uri, None, list(edits))
    for change in edit.document_changes or ():
        if isinstance(change, types.RenameFile):
            moved = True
            old, new = _path(ed, change.old_uri), _path(ed, change.new_uri)
            assert change.options == types.RenameFileOptions(False, False)
            texts[new] = texts.pop(old, (ed.root / old).read_bytes().decode())
            continue
        assert isinstance(change, types.TextDocumentEdit)
        assert not moved, "edits address the old path, so they come first"
        texts |= _edited(ed, change.text_document.uri, change, list(change.edits))
    return texts


def _edited(
    ed: Editor, uri: str, change: types.TextDocumentEdit | None, edits: list[Any]
) -> dict[str, str]:
    path = _path(ed, uri)
    if change is not None:
        assert change.text_document.version == ed._versions.get(path)
    text = ed.texts.get(path) or (ed.root / path).read_bytes().decode()
    lines, last = LineIndex(text), 0
    parts: list[str] = []
    for item in edits:
        span = ed.convert.span(lines, item.range)
        assert last <= span.start
        parts += [text[last : span.start], item.new_text]
        last = span.end
    return {path: "".join([*parts, text[last:]])}


def _path(ed: Editor, uri: str) -> str:
    prefix = ed.uri("")
    assert uri.startswith(prefix)
    return unquote(uri[len(prefix) :].lstrip("/"))


async def refused(ed: Editor, at: dict[str, Any], name: str, code: int, words: str) -> None:
    with pytest.raises(JsonRpcException) as caught:
        await rename(ed, at, name)
    assert caught.value.code == code
    assert words in str(caught.value.message)


@pytest.mark.parametrize("profile", PROFILES)
async def test_rn_02_a_heading_from_its_link_and_from_its_line(
    tmp_path: Path, profile: str
) -> None:
    root = write(
        tmp_path,
        "//- /one.md\n[[two#Old part|see]]\n//- /two.md\n# Two\n\n## Old part\n"
        "//- /three.md\n🚢 [m](two.md#old-part) | [[two#Old part]]\n",
    )
    wanted = {
        "one.md": "[[two#New part|see]]\n",
        "two.md": "# Two\n\n## New part\n",
        "three.md": "🚢 [m](two.md#new-part) | [[two#New part]]\n",
    }
    async with editor(root, tmp_path, profile) as ed:
        ed.open("one.md")
        ed.open("two.md")
        at = ed.at("one.md", 6)
        found = await prepare(ed, at)
        assert found == types.PrepareRenamePlaceholder(
            types.Range(types.Position(0, 6), types.Position(0, 14)), "Old part"
        )
        edit = await rename(ed, at, "New part")
        assert after(ed, edit) == wanted
        workspace = capabilities(profile).workspace
        declared = workspace.workspace_edit if workspace else None
        versioned = bool(declared and declared.document_changes)
        assert edit is not None
        assert (edit.document_changes is not None) == versioned
        line = ed.at("two.md", len("# Two\n\n## Ol"))
        found = await prepare(ed, line)
        assert ed.range_text("two.md", found.range) == "Old part"
        assert after(ed, await rename(ed, line, "New part")) == wanted


@pytest.mark.parametrize("profile", PROFILES)
async def test_ed_04_unsaved_text_versions_and_closed_files(tmp_path: Path, profile: str) -> None:
    root = write(
        tmp_path, "//- /ref.md\n[[old]] saved text\n//- /other.md\nsee [[old]]\n//- /old.md\n# O\n"
    )
    async with editor(root, tmp_path, profile) as ed:
        ed.open("ref.md", version=6)
        assert ed.change("ref.md", "plus [[old]] saved text plus\n") == 7
        at = ed.at("ref.md", len("plus [[o"))
        assert (await prepare(ed, at)).placeholder == "old"
        if profile not in MOVES_FILES:
            await refused(ed, at, "new", REQUEST_FAILED, "cannot rename files")
            return
        edit = await rename(ed, at, "new")
        assert edit is not None
        assert edit.changes is None
        versions = {
            _path(ed, change.text_document.uri): change.text_document.version
            for change in edit.document_changes or ()
            if isinstance(change, types.TextDocumentEdit)
        }
        assert versions == {"ref.md": 7, "other.md": None}
        assert after(ed, edit) == {
            "ref.md": "plus [[new]] saved text plus\n",
            "other.md": "see [[new]]\n",
            "new.md": "# O\n",
        }


async def test_ed_04_document_changes_without_file_operations(tmp_path: Path) -> None:
    root = write(tmp_path, "//- /a.md\n[[b#H]] #t\n//- /b.md\n# H\n")
    declared = capabilities("vscode")
    assert declared.workspace is not None
    assert declared.workspace.workspace_edit is not None
    declared.workspace.workspace_edit.resource_operations = [types.ResourceOperationKind.Create]
    folder = types.WorkspaceFolder(root.as_uri(), root.name)
    params = types.InitializeParams(declared, workspace_folders=[folder], locale="de")
    async with editor(root, tmp_path, params=params, MINDNET_LOCALE="auto") as ed:
        ed.open("a.md")
        await refused(ed, ed.at("a.md", 3), "c", REQUEST_FAILED, "Dieser Editor kann Dateien nicht")
        edit = await rename(ed, ed.at("a.md", 5), "I")
        assert after(ed, edit) == {"a.md": "[[b#I]] #t\n", "b.md": "# I\n"}
        edit = await rename(ed, ed.at("a.md", 9), "u/v")
        assert after(ed, edit) == {"a.md": "[[b#H]] #u/v\n"}


@pytest.mark.parametrize("profile", MOVES_FILES)
async def test_rn_01_a_note_from_a_link_to_it(tmp_path: Path, profile: str) -> None:
    root = write(tmp_path, "//- /one.md\n# One\n\n[[two]] text\n//- /two.md\n# Two\n")
    async with editor(root, tmp_path, profile) as ed:
        ed.open("one.md")
        at = ed.at("one.md", len("# One\n\n[[t"))
        assert await prepare(ed, at) == types.PrepareRenamePlaceholder(
            types.Range(types.Position(2, 2), types.Position(2, 5)), "two"
        )
        edit = await rename(ed, at, "three")
        assert after(ed, edit) == {"one.md": "# One\n\n[[three]] text\n", "three.md": "# Two\n"}
        plain = ed.at("one.md", len("# One\n\n[[two]] te"))
        assert await prepare(ed, plain) is None
        await refused(ed, plain, "x", INVALID_PARAMS, "nothing to rename")


async def test_rn_03_each_link_keeps_its_path(tmp_path: Path) -> None:
    text = "a [[reed]] b [[herbs/reed]] c [m](herbs/reed.md)\n"
    root = write(tmp_path, f"//- /index.md\n{text}//- /herbs/reed.md\n# Reed\n")
    async with editor(root, tmp_path, "vscode") as ed:
        ed.open("index.md")
        for at in (text.index("reed"), text.index("s/reed") + 3, text.index("reed.md")):
            edit = await rename(ed, ed.at("index.md", at), "sedge")
            assert after(ed, edit) == {
                "index.md": "a [[sedge]] b [[herbs/sedge]] c [m](herbs/sedge.md)\n",
                "herbs/sedge.md": "# Reed\n",
            }


async def test_rn_04_names_are_no_patterns(tmp_path: Path) -> None:
    text = "[[a.b-c]] and [[a.b-c]] not [[a.b-c more]] nor a.b-c\n"
    root = write(tmp_path, f"//- /line.md\n{text}//- /a.b-c.md\n//- /a.b-c more.md\n")
    async with editor(root, tmp_path, "neovim") as ed:
        ed.open("line.md")
        edit = await rename(ed, ed.at("line.md", 3), "港")
        found = after(ed, edit)
        assert found["line.md"] == "[[港]] and [[港]] not [[a.b-c more]] nor a.b-c\n"
        assert edit is not None
        [change] = [c for c in edit.document_changes or () if isinstance(c, types.TextDocumentEdit)]
        places = [(e.range.start.character, e.range.end.character) for e in change.edits]
        assert places == [(2, 7), (16, 21)]


async def test_rn_05_links_of_a_note_to_itself(tmp_path: Path) -> None:
    text = "# Self\n\n[[self]] [[#Self]] [[self#Self]] [x](self.md)\n"
    root = write(tmp_path, f"//- /self.md\n{text}")
    async with editor(root, tmp_path, "vscode") as ed:
        ed.open("self.md")
        edit = await rename(ed, ed.at("self.md", len("# Self\n\n[[s")), "me")
        wanted = "# Self\n\n[[me]] [[#Self]] [[me#Self]] [x](me.md)\n"
        assert after(ed, edit) == {"me.md": wanted}


async def test_rn_06_only_the_target_changes(tmp_path: Path) -> None:
    text = '---\nrelated: "[[{0}]]"\n---\n[[{0}|old]] ![[{0}]] ![[{0}#^b1]] [[{0}#H|the old one]] '
    root = write(
        tmp_path, f"//- /ref.md\n{text.format('old')}`[[old]]`\n//- /old.md\n# H\n\ntext ^b1\n"
    )
    async with editor(root, tmp_path, "neovim") as ed:
        ed.open("ref.md")
        edit = await rename(ed, ed.at("ref.md", ed.texts["ref.md"].index("old|") + 1), "new")
        assert after(ed, edit)["ref.md"] == f"{text.format('new')}`[[old]]`\n"


KINDS = """//- /a.md
---
tags: [area, "area/x"]
id: id-1
aliases: [Alpha]
title: "The title"
depends_on: ["[[b]]"]
---
ñ 🚢 #area/y [[b#^b1]] [[Gone]] (depends on:: [[b]])
//- /b.md
---
tags:
  - area
---
text ^b1

[[id-1]] [[Alpha]] [[The title|x]] [t](Gone.md) #Area [[rel:depends_on a]]
"""


OTHERS: list[tuple[str, str, str, dict[str, str]]] = [
    ("#are", "area", "zone", {"a.md": 'tags: [zone, "zone/x"]', "b.md": "#zone "}),
    ("#^b", "b1", "^b2", {"a.md": "[[b#^b2]]", "b.md": "text ^b2"}),
    ("[[Go", "Gone", "Here", {"a.md": "[[Here]]", "b.md": "[t](Here.md)"}),
    ("depends o", "depends on", "needs", {"a.md": "(needs:: ", "b.md": "[[rel:needs a]]"}),
    ("id: i", "id-1", "id-2", {"a.md": "id: id-2\n", "b.md": "[[id-2]]"}),
    ("[Alph", "Alpha", "Beta", {"a.md": "aliases: [Beta]", "b.md": "[[Beta]]"}),
    ("The t", "The title", "A: b", {"a.md": 'title: "A: b"', "b.md": "[[A: b|x]]"}),
]


@pytest.mark.parametrize("profile", PROFILES)
async def test_everything_else_in_every_editor(tmp_path: Path, profile: str) -> None:
    root = write(tmp_path, KINDS.replace("\n", "\r\n"))
    async with editor(root, tmp_path, profile) as ed:
        ed.open("a.md")
        for at, placeholder, name, expected in OTHERS:
            where = ed.at("a.md", ed.texts["a.md"].index(at) + len(at))
            found = await prepare(ed, where)
            assert found.placeholder == placeholder
            assert ed.range_text("a.md", found.range) == placeholder
            texts = after(ed, await rename(ed, where, name))
            for path, words in expected.items():
                assert words.replace("\n", "\r\n") in texts[path], at
            assert all("\n" not in text.replace("\r\n", "") for text in texts.values())


async def test_refusals_say_why(tmp_path: Path) -> None:
    root = write(tmp_path, "//- /a.md\n# A #t\n\nx ^b1\n\ny ^b2\n//- /b.md\n[[a#A t]]\n")
    async with editor(root, tmp_path) as ed:
        text = (root / "a.md").read_text()
        ed.open("a.md")
        block, tag = ed.at("a.md", text.index("b1")), ed.at("a.md", text.index("t\n"))
        await refused(ed, block, "b2", REQUEST_FAILED, "^b2")
        await refused(ed, block, "b_3", INVALID_PARAMS, "block id")
        await refused(ed, tag, "12", INVALID_PARAMS, "cannot be a tag")
        await refused(ed, ed.at("a.md", 2), "a\nb", INVALID_PARAMS, "one line")
        # the same name again is nothing to do
        assert await rename(ed, tag, "t") is None


async def test_a_file_that_is_in_no_folder(tmp_path: Path) -> None:
    root = write(tmp_path, "//- /a.md\n# A\n\n## B\n\n[[#B]] #t\n")
    params = types.InitializeParams(capabilities("vscode"))
    async with editor(root, tmp_path, params=params, ready=False) as ed:
        ed.open("a.md")
        edit = await rename(ed, ed.at("a.md", len("# A\n\n## B")), "C")
        assert after(ed, edit) == {"a.md": "# A\n\n## C\n\n[[#C]] #t\n"}


async def test_a_rename_before_the_vault_is_read_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path, "//- /a.md\n#tag\n")
    for number in range(400):
        (root / f"n{number}.md").write_text("#tag\n" * 50)
    async with editor(root, tmp_path, ready=False) as ed:
        ed.open("a.md")
        reason = None
        try:
            edit = await rename(ed, ed.at("a.md", 2), "other")
        except JsonRpcException as error:
            reason = str(error.message)
        # a fast machine may have read them all
        assert reason.startswith("The notes are still") if reason else len(after(ed, edit)) == 401
        await ed.until_ready()
        assert len(after(ed, await rename(ed, ed.at("a.md", 2), "other"))) == 401


async def test_a_file_changed_outside_is_read_before_it_is_edited(tmp_path: Path) -> None:
    root = write(tmp_path, "//- /a.md\n#tag\n//- /b.md\n#tag\n")
    async with editor(root, tmp_path, "neovim") as ed:
        ed.open("a.md")
        (root / "b.md").write_text("more than before\n\ntext #tag and #tag/sub\n")
        edit = await rename(ed, ed.at("a.md", 2), "other")
        assert after(ed, edit) == {
            "a.md": "#other\n",
            "b.md": "more than before\n\ntext #other and #other/sub\n",
        }


async def test_typing_while_a_rename_is_worked_out(tmp_path: Path) -> None:
    """The answer fits the text of the version that it names."""
    root = write(tmp_path, "//- /a.md\n#tag\n")
    async with editor(root, tmp_path) as ed:
        ed.open("a.md")
        asked = asyncio.ensure_future(rename(ed, ed.at("a.md", 2), "other"))
        await asyncio.sleep(0)
        ed.change("a.md", "#tag more #tag\n")
        edit = await asked
        assert edit is not None
        [change] = edit.document_changes or ()
        assert isinstance(change, types.TextDocumentEdit)
        places = [item.range.start.character for item in change.edits]
        assert places == {1: [1], 2: [1, 11]}[change.text_document.version or 0]
