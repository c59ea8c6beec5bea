"""Code actions and new notes through a real server, as real editors ask for them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.text import LineIndex
from tests.e2e.editor import PROFILES, Editor, capabilities, editor
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]

VAULT = """\
//- /start.md
# Start
//- /Harbour.md
---
type: concept
---
# Harbour

See [[start]].
//- /Garden.md
# Garden

## Trees ñ

Old.

## Roses
//- /sub/use.md
🚢🚢 [[Garden#Trees ñ|t]]
//- /people/Anna.md
---
type: person
---
//- /.mindnet/types.yaml
# mine
types:
  person: {paths: [people/]}
"""
CRLF = "//- /win.md\n# W\n\n## 🚢 Deck\n\nplank\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=[*PROFILES, "commands"])
async def ed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """One editor for all tests, so each has notes of its own."""
    tmp_path = tmp_path_factory.mktemp("actions")
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    parse_fixture(CRLF.replace("\n", "\r\n").replace(".md\r", ".md")).write(root)
    params = None
    if request.param == "commands":  # no literals, only edits on demand
        able = types.ClientCapabilities(
            workspace=types.WorkspaceClientCapabilities(apply_edit=True)
        )
        folder = types.WorkspaceFolder(root.as_uri(), "vault")
        params = types.InitializeParams(able, workspace_folders=[folder])
    profile = request.param if params is None else "bare"
    async with editor(root, tmp_path, profile, params=params) as found:
        yield found


async def offered(
    ed: Editor, path: str, marked: str, only: list[str] | None = None, automatic: bool = False
) -> list[Any]:
    """The actions at the selection between the marks of a text."""
    fixture = parse_fixture(f"//- /{path}\n{marked}")
    text = fixture.text
    if path in ed.texts:
        ed.change(path, text)
    else:
        ed.open(path, text)
    lines = LineIndex(text)
    ends = [ed.convert.position(lines, offset) for offset in (fixture.start, fixture.end)]
    kind = types.CodeActionTriggerKind
    trigger = kind.Automatic if automatic else kind.Invoked
    context = types.CodeActionContext([], only, trigger)  # type: ignore[arg-type]
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(ed.uri(path)), types.Range(*ends), context
    )
    return list(await ed.client.text_document_code_action_async(params) or ())


async def accepted(ed: Editor, action: Any) -> tuple[types.WorkspaceEdit | None, Any]:
    """The edit that a chosen action gives, resolved or by its command, and what that answers."""
    if isinstance(action, types.CodeAction):
        assert not action.disabled
        if action.edit is None and action.command is None:
            action = await ed.client.code_action_resolve_async(action)
        assert (action.edit is None) != (action.command is None)
        if action.edit is not None:
            return action.edit, None
    command = action if isinstance(action, types.Command) else action.command
    ed.applied.clear()
    params = types.ExecuteCommandParams(command.command, command.arguments)
    answer = await ed.client.workspace_execute_command_async(params)
    return ed.applied[0] if ed.applied else None, answer


async def chosen(ed: Editor, actions: list[Any], title: str) -> dict[str, str]:
    """Do as an editor does when an action is chosen; the files that are others afterwards."""
    (action,) = [item for item in actions if item.title == title]
    before = {path: path.read_bytes() for path in ed.root.rglob("*.*") if path.is_file()}
    edit, answer = await accepted(ed, action)
    assert answer in (None, {"applied": True})
    files = {
        str(path.relative_to(ed.root)): path.read_bytes().decode()
        for path in ed.root.rglob("*.*")
        if path.is_file() and before.get(path) != path.read_bytes()
    }
    return files | (outcome(ed, edit) if edit else {})


def outcome(ed: Editor, edit: types.WorkspaceEdit) -> dict[str, str]:
    """What the edit makes of the files."""
    texts: dict[str, str] = {}

    def apply(uri: str, edits: list[Any]) -> None:
        path = next(p for p in [*ed.texts, *_paths(ed), *texts] if ed.uri(p) == uri)
        if path not in texts:
            opened = ed.texts.get(path)
            texts[path] = (ed.root / path).read_bytes().decode() if opened is None else opened
        known, ed.texts = ed.texts, {path: texts[path]}
        texts[path] = ed.apply(path, edits)
        ed.texts = known

    for uri, edits in (edit.changes or {}).items():
        apply(uri, list(edits))
    for change in edit.document_changes or ():
        if isinstance(change, types.CreateFile):
            path = next(p for p in _new_paths(ed) if ed.uri(p) == change.uri)
            assert change.options
            assert (change.options.overwrite, change.options.ignore_if_exists) == (False, True)
            assert not (ed.root / path).exists()
            texts[path] = ""
        else:
            assert isinstance(change, types.TextDocumentEdit)
            apply(change.text_document.uri, list(change.edits))
    return texts


def _paths(ed: Editor) -> list[str]:
    return [str(path.relative_to(ed.root)) for path in ed.root.rglob("*.*")]


def _new_paths(ed: Editor) -> list[str]:
    return ["Trees ñ.md", "people/Bo.md", "Deck.md", "🚢 Deck.md", "Old Gate.md",
            ".mindnet/relations.yaml"]  # fmt: skip


async def test_the_missing_note_with_a_template(ed: Editor) -> None:
    actions = await offered(ed, "start.md", "# Start\n\n🚢 [[people/B$0o]]\n")
    made = (await chosen(ed, actions, "Create note “people/Bo.md”"))["people/Bo.md"]
    assert made.startswith("---\ntype: person\ntitle: Bo\nstatus: draft\ncreated: 20")
    assert made.endswith("# Bo\n\n## Who\n\n## How we know each other\n\n## Notes\n")


async def test_a_relation_and_its_kind_in_the_vaults_file(ed: Editor) -> None:
    actions = await offered(ed, "start.md", "# Start\n\n🚢 [[Har$0bour|h]]\n")
    title = "Turn into a relation: is related to (related_to)"
    assert await chosen(ed, actions, title) == {
        "start.md": "# Start\n\n🚢 [[rel:related_to Harbour|h]]\n"
    }
    actions = await offered(ed, "start.md", "[[rel:up$0holds Harbour]]\n")
    found = await chosen(ed, actions, "Add “upholds” to .mindnet/relations.yaml")
    assert found == {".mindnet/relations.yaml": "relations:\n  upholds:\n    label: upholds\n"}


async def test_a_type_in_a_file_that_is_there(ed: Editor) -> None:
    actions = await offered(ed, "start.md", "---\ntype: rec$0ipe\n---\n")
    found = await chosen(ed, actions, "Add “recipe” to .mindnet/types.yaml")
    assert found == {
        ".mindnet/types.yaml": "# mine\ntypes:\n  person: {paths: [people/]}\n  recipe: {}\n"
    }


async def test_extract_a_section(ed: Editor) -> None:
    text = "# Garden\n\nunsaved\n\n## Trees ñ$0\n\nOld.\n\n## Roses\n"
    actions = await offered(ed, "Garden.md", text, ["refactor.extract"])
    assert await chosen(ed, actions, "Extract to new note “Trees ñ”") == {
        "Garden.md": "# Garden\n\nunsaved\n\n[[Trees ñ]]\n\n## Roses\n",
        "Trees ñ.md": "# Trees ñ\n\nOld.\n",
        "sub/use.md": "🚢🚢 [[Trees ñ#Trees ñ|t]]\n",
    }


async def test_extract_keeps_line_ends(ed: Editor) -> None:
    actions = await offered(ed, "win.md", "# W\r\n\r\n## 🚢 Deck$0\r\n\r\nplank\r\n")
    assert await chosen(ed, actions, "Extract to new note “🚢 Deck”") == {
        "win.md": "# W\r\n\r\n[[🚢 Deck]]\r\n",
        "🚢 Deck.md": "# 🚢 Deck\r\n\r\nplank\r\n",
    }


async def test_inline_a_note(ed: Editor) -> None:
    actions = await offered(ed, "start.md", "# Start\n\n![[Har$0bour]]\n", ["refactor.inline"])
    assert await chosen(ed, actions, "Insert the text of “Harbour” here") == {
        "start.md": "# Start\n\n## Harbour\n\nSee [[start]].\n"
    }


async def test_mentions(ed: Editor) -> None:
    actions = await offered(ed, "start.md", "🚢 The har$0bour, Harbour\n\nharbour\n")
    assert await chosen(ed, actions, "Link to “Harbour”") == {
        "start.md": "🚢 The [[Harbour|harbour]], Harbour\n\nharbour\n"
    }
    actions = await offered(ed, "start.md", "🚢 The har$0bour, Harbour\n\nharbour\n")
    assert await chosen(ed, actions, "Link all 3 mentions of “Harbour” in this file") == {
        "start.md": "🚢 The [[Harbour|harbour]], [[Harbour]]\n\n[[Harbour|harbour]]\n"
    }
    actions = await offered(ed, "start.md", "The $0Old: Gate$0 is shut\n")
    assert await chosen(ed, actions, "Create note “Old: Gate” and link it") == {
        "start.md": "The [[Old Gate|Old: Gate]] is shut\n",
        "Old Gate.md": "# Old: Gate\n",
    }


@pytest.mark.parametrize("only", [["source.fixAll"], ["source"], ["source.fixAll.mindnet"]])
async def test_fix_all_on_save(ed: Editor, only: list[str]) -> None:
    """VS Code asks for it as if nobody had."""
    text = "---\ntitle: Dams: a start\nup: [[Foo]]$0\n---\n[[Har-bour]]\n"
    actions = await offered(ed, "start.md", text, only, automatic=True)
    kinds = {a.kind for a in actions if isinstance(a, types.CodeAction)}
    assert all(str(kind).startswith("source") for kind in kinds)
    found = await chosen(ed, actions, "Fix all that is certain (mindnet)")
    assert found["start.md"].startswith('---\ntitle: "Dams: a start"\nup: ')
    assert await offered(ed, "start.md", text, ["source.organizeImports"]) == []


async def test_the_text_has_changed_since(ed: Editor) -> None:
    """Nothing is done to a text that the action was not made for."""
    text = "# Garden\n\n## Roses$0\n\nOld.\n"
    actions = await offered(ed, "Garden.md", text, ["refactor.extract"])
    (action,) = [item for item in actions if item.title == "Extract to new note “Roses”"]
    ed.applied.clear()
    ed.change("Garden.md", "# Other\n\n" + ed.texts["Garden.md"])
    with pytest.raises(JsonRpcException) as caught:
        await accepted(ed, action)
    assert caught.value.code == -32801
    assert not (ed.root / "Roses.md").exists()
    assert not ed.applied


async def test_dg_02_a_file_that_came_first_is_left_alone(ed: Editor) -> None:
    actions = await offered(ed, "start.md", "[[people/C$0y]]\n")
    (action,) = [item for item in actions if item.title == "Create note “people/Cy.md”"]
    (ed.root / "people" / "cy.md").write_text("precious\n")
    with pytest.raises(JsonRpcException) as caught:
        await accepted(ed, action)
    assert caught.value.code in (-32803, -32801)
    assert (ed.root / "people" / "cy.md").read_text() == "precious\n"
    assert not (ed.root / "people" / "Cy.md").exists()


async def test_fm_02_what_cannot_be_done_says_why(tmp_path: Path) -> None:
    root = parse_fixture("//- /a.md\n---\ntags: [a\n---\n").write(tmp_path / "vault")
    for profile, shown in (("vscode", True), ("neovim", False)):
        async with editor(root, tmp_path / profile, profile) as ed:
            actions = await offered(ed, "a.md", "---\n$0tags: [a\n---\n", ["source"])
            reasons = [a.disabled.reason for a in actions if a.disabled]
            assert reasons == ["The frontmatter is not valid YAML; mend it first"] * shown


async def new_note(ed: Editor, **arguments: Any) -> Any:
    params = types.ExecuteCommandParams("mindnet.newNote", [arguments])
    return await ed.client.workspace_execute_command_async(params)


@pytest.mark.parametrize("profile", ["vscode", "bare"])
async def test_new_note(tmp_path: Path, profile: str) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    (root / "tpl").mkdir()
    (root / "tpl" / "Task.md").write_text("---\ntitle: {{title}}\n---\n# {{title}}\n")
    settings = {"templates": {"folder": "tpl"}}
    params = types.InitializeParams(
        capabilities(profile),
        workspace_folders=[types.WorkspaceFolder(root.as_uri(), "vault")],
        initialization_options={"mindnet": settings},
    )
    async with editor(root, tmp_path, params=params, settings=settings) as ed:
        title = 'Re: budget #2 & "why" — it\'s [[Plan]]?'
        made = await new_note(ed, title=title, type="task")
        path = root / "Re budget 2 & why — it's Plan.md"
        assert made["uri"] == path.as_uri()
        quoted = title.replace('"', '\\"')
        assert path.read_text() == f'---\ntitle: "{quoted}"\n---\n# {title}\n'
        if profile == "vscode":
            await wait_until(lambda: ed.client.shown_documents)
            assert ed.client.shown_documents[0].uri == made["uri"]
        error = (await new_note(ed, title=title.upper(), open=False))["error"]
        assert error["code"] == "already_exists"
        assert error["hint"]
        assert path.read_text().startswith("---\ntitle:")
        bo = await new_note(ed, title="Bo", type="person", open=False)
        assert (bo["uri"], bo["note_id"][:10]) == ((root / "people/Bo.md").as_uri(), "people-bo-")
        plain = await new_note(ed, title="..", folder="new/deep", open=False)
        assert (root / "new/deep/untitled.md").read_text() == "# ..\n"
        assert plain["uri"].endswith("new/deep/untitled.md")
        for arguments, code in (
            ({"title": " "}, None),
            ({"title": "x", "folder": ".git"}, None),
            ({"title": "x", "folder": "a:b"}, None),
            ({"title": "x", "folder": 3}, None),
            ({"title": "x", "folder": "../up"}, "outside_vault"),
        ):
            if code is None:
                with pytest.raises(JsonRpcException) as caught:
                    await new_note(ed, **arguments)
                assert caught.value.code == -32602
            else:
                assert (await new_note(ed, **arguments))["error"]["code"] == code
        assert len(ed.client.shown_documents) == (profile == "vscode")
        # the index knows them without any event of the client
        await wait_until(lambda: ed.statuses[-1].notes == 9)
    assert not list(root.rglob(".mindnet-*"))
