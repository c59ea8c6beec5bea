"""Completion in a real server process, as editors of different abilities ask for it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.e2e.editor import CLIENTS, Editor, capabilities, editor
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.e2e

VAULT = """\
//- /start.md
# Start
//- /Harbour.md
---
type: place
aliases: [Hafen]
---
# Harbour

Ships rest here. [[Gone]] #water/salt

## Quay ñ

A long paragraph
on the quay.
//- /Crew.md
[[rel:depends_on Harbour]] [[Gone]]
//- /pics/map.png
"""

FORMS = {
    "note": ("🚢🚢 [[Harb$0]] ñ", "Harbour", "🚢🚢 [[Harbour]] ñ"),
    "alias": ("| 🚢 [[Haf$0 |", "Hafen", r"| 🚢 [[Harbour\\|Hafen]] |".replace("\\\\", "\\")),
    "missing": ("[[Go$0", "Gone", "[[Gone]]"),
    "embed": ("![[ma$0]]", "map.png", "![[map.png]]"),
    "heading": ("🚢 [[Harbour#Qu$0", "Quay ñ", "🚢 [[Harbour#Quay ñ]]"),
    "path": ("ñ [x](Har$0)", "Harbour", "ñ [x](Harbour.md)"),
    "slug": ("[x](Harbour.md#$0)", "Quay ñ", "[x](Harbour.md#quay-ñ)"),
    "kind": ("rel: dep$0", "depends_on", "rel: depends_on "),
    "target": ("rel: depends_on $0", "Harbour", "rel: depends_on [[Harbour]]"),
    "field": ("🚢\n- dep:$0", "depends_on::", "🚢\n- depends_on:: "),
    "callout": ("> [!ti$0]", "[!tip]", "> [!tip] "),
    "edge": ("> [!edge]\n> dep$0", "depends_on", "> [!edge]\n> depends_on: "),
    "tag": ("ñ #wa$0", "#water/salt", "ñ #water/salt"),
    "key": ("---\nsta$0\n---\n", "status", "---\nstatus: \n---\n"),
    "value": ("---\ntype: pl$0\n---\n", "place", "---\ntype: place\n---\n"),
    "tag in frontmatter": (
        "---\ntags: [🚢, wa$0]\n---\n", "water/salt", "---\ntags: [🚢, water/salt]\n---\n",
    ),
    "note in frontmatter": (
        "---\ndepends_on: har$0\n---\n", "Harbour", '---\ndepends_on: "[[Harbour]]"\n---\n',
    ),
    "block here": (
        "🚢 [[#^wor$0]]\n\nOther ñ words", "Other ñ words",
        "🚢 [[#^ID]]\n\nOther ñ words ^ID",
    ),
}  # fmt: skip


@asynccontextmanager
async def opened(tmp_path: Path, profile: str) -> AsyncIterator[Editor]:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    info = None
    if profile != "bare":
        recorded = json.loads((CLIENTS / f"{profile}.json").read_text("utf-8"))
        info = types.ClientInfo(**recorded["clientInfo"])
    params = types.InitializeParams(
        capabilities(profile),
        workspace_folders=[types.WorkspaceFolder(root.as_uri(), "vault")],
        root_uri=root.as_uri(),
        client_info=info,
    )
    async with editor(root, tmp_path, params=params) as found:
        yield found


async def items(ed: Editor, path: str, marked: str) -> list[types.CompletionItem]:
    at = ed.mark(path, marked)
    found = await ed.client.text_document_completion_async(types.CompletionParams(**at))
    assert isinstance(found, types.CompletionList)
    return list(found.items)


async def item(ed: Editor, marked: str, label: str) -> types.CompletionItem:
    found = await items(ed, "start.md", marked)
    chosen = [item for item in found if item.label == label]
    assert chosen, [item.label for item in found]
    return chosen[0]


def edits(chosen: types.CompletionItem) -> list[types.TextEdit]:
    """What an editor in replace mode does when the item is accepted."""
    edit = chosen.text_edit
    if isinstance(edit, types.InsertReplaceEdit):
        assert edit.insert.start == edit.replace.start
        edit = types.TextEdit(edit.replace, edit.new_text)
    assert isinstance(edit, types.TextEdit)
    assert edit.range.start.line == edit.range.end.line
    return [edit, *(chosen.additional_text_edits or ())]


@pytest.mark.parametrize("profile", ["vscode", "neovim", "eglot", "bare"])
async def test_every_form_is_written(tmp_path: Path, profile: str) -> None:
    async with opened(tmp_path, profile) as ed:
        for name, (marked, label, expected) in FORMS.items():
            for eol in ("\n", "\r\n"):
                chosen = await item(ed, marked.replace("\n", eol), label)
                text = ed.apply("start.md", edits(chosen))
                if "ID" in expected:
                    mark = edits(chosen)[0].new_text.removeprefix("^").removesuffix("]]")
                    expected = expected.replace("ID", mark)
                assert text == expected.replace("\n", eol), name
                snippet = chosen.insert_text_format == types.InsertTextFormat.Snippet
                blanks = " " in edits(chosen)[0].new_text
                assert snippet == (profile == "neovim" and blanks), "it would stop at a blank"
                if profile != "vscode":
                    assert chosen.label_details is None
                    assert chosen.command is None
                    assert isinstance(chosen.text_edit, types.TextEdit)


@pytest.mark.parametrize("profile", ["vscode", "neovim", "eglot", "bare"])
async def test_the_documentation_of_each_kind(tmp_path: Path, profile: str) -> None:
    wanted = {
        "note": "Ships rest here", "missing": "Crew", "heading": "on the quay",
        "kind": "depends on", "callout": "hint", "tag": "Harbour", "key": "archived",
        "embed": "pics/map.png",
    }  # fmt: skip
    async with opened(tmp_path, profile) as ed:
        for name, words in wanted.items():
            marked, label, _ = FORMS[name]
            chosen = await item(ed, marked, label)
            resolved = await ed.client.completion_item_resolve_async(chosen)
            text = resolved.documentation
            assert isinstance(text, str) == (profile in ("eglot", "bare"))
            assert words in (text if isinstance(text, str) else text.value if text else ""), name
            assert resolved.text_edit == chosen.text_edit


@pytest.mark.parametrize("profile", ["vscode", "neovim", "eglot", "bare"])
async def test_a_block_of_another_note_gets_an_id(tmp_path: Path, profile: str) -> None:
    async with opened(tmp_path, profile) as ed:
        found = await items(ed, "start.md", "[[Harbour#^par$0]]")
        if profile in ("eglot", "bare"):
            assert not found, "nobody would write the id"
            return
        (chosen,) = found
        assert chosen.label == "A long paragraph on the quay."
        mark = edits(chosen)[0].new_text
        assert chosen.additional_text_edits is None
        assert chosen.command is not None
        await ed.client.workspace_execute_command_async(
            types.ExecuteCommandParams(chosen.command.command, chosen.command.arguments)
        )
        (edit,) = ed.applied
        change = _changes(edit)[ed.uri("Harbour.md")]
        ed.texts["Harbour.md"] = (ed.root / "Harbour.md").read_text("utf-8")
        assert f"A long paragraph\non the quay. {mark}\n" in ed.apply("Harbour.md", change)


def _changes(edit: types.WorkspaceEdit) -> dict[str, Any]:
    if edit.changes is not None:
        return dict(edit.changes)
    changes = [c for c in edit.document_changes or () if isinstance(c, types.TextDocumentEdit)]
    return {change.text_document.uri: change.edits for change in changes}


async def test_vscode_opens_the_list_again_behind_a_kind(tmp_path: Path) -> None:
    async with opened(tmp_path, "vscode") as ed:
        chosen = await item(ed, "rel: dep$0", "depends_on")
        assert chosen.command is not None
        assert chosen.command.command == "editor.action.triggerSuggest"
        assert (await item(ed, "[[Harb$0", "Harbour")).command is None
        details = (await item(ed, "[[Harb$0", "Harbour")).label_details
        assert details is not None
        assert details.detail == " place"


async def test_what_was_opened_last_goes_first(tmp_path: Path) -> None:
    async with opened(tmp_path, "neovim") as ed:
        before = [item.label for item in await items(ed, "start.md", "[[$0")]
        assert before == ["Harbour", "Crew", "Gone"]
        ed.open("Crew.md")
        assert (await items(ed, "start.md", "[[$0"))[0].label == "Crew"
        ed.open("Harbour.md")
        ed.close("Harbour.md")
        assert (await items(ed, "start.md", "[[$0"))[0].label == "Harbour"


async def test_dg_07_a_note_typed_letter_by_letter(tmp_path: Path) -> None:
    async with opened(tmp_path, "vscode") as ed:
        ed.open("start.md", "")
        text = "[[Quarry]]"
        for length in range(1, len(text) + 1):
            ed.change("start.md", text[:length])
            ed.save("start.md")
        found = [item.label for item in await items(ed, "Crew.md", "[[Q$0]]")]
        assert found[0] == "Quarry", "a missing note that another note wants"
        assert not {"Q", "Qu", "Qua", "Quar", "Quarr"} & set(found)
        found = [item.label for item in await items(ed, "start.md", "[[Quarry$0]]")]
        assert "Quarry" not in found


async def test_plain_text_costs_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path, "vscode") as ed:
        for marked in ("Just words$0", "10:30$0", "a > b$0", "(see$0", "https:/$0", "x | y|$0"):
            assert await items(ed, "start.md", marked) == []


async def test_triggers_are_those_of_the_contract(tmp_path: Path) -> None:
    async with opened(tmp_path, "bare") as ed:
        provider = ed.result.capabilities.completion_provider
        assert provider is not None
        assert {"[", "#", "^", ":", "|", "(", ">"} <= set(provider.trigger_characters or ())
        assert provider.resolve_provider
