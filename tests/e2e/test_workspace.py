"""Several folders, files outside of them, and edits in the form that the client takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.e2e.editor import Editor, capabilities, editor
from tests.e2e.test_sync import definition, symbols, vault
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e


def folder(root: Path) -> types.WorkspaceFolder:
    return types.WorkspaceFolder(root.as_uri(), root.name)


async def test_two_folders_are_two_vaults(tmp_path: Path) -> None:
    for name in ("one", "two"):
        parse_fixture(f"//- /a.md\n[[b]]\n//- /b.md\n# B in {name}\n").write(tmp_path / name)
    folders = [folder(tmp_path / "one"), folder(tmp_path / "two")]
    params = types.InitializeParams(capabilities("vscode"), workspace_folders=folders)
    async with editor(tmp_path, tmp_path, params=params, ready=False) as ed:
        await ed.until_ready(folders=2)
        for name in ("one", "two"):
            ed.open(f"{name}/a.md")
            assert await definition(ed, f"{name}/a.md", 0, 3) == ed.uri(f"{name}/b.md")
            await ed.until_codes(f"{name}/a.md", [])


async def test_the_longest_enclosing_folder_wins(tmp_path: Path) -> None:
    root = parse_fixture("//- /x.md\n# Outer\n//- /in/x.md\n# Inner\n//- /in/a.md\n[[x]] [[y]]\n")
    outer = root.write(tmp_path / "outer")
    (outer / "y.md").write_text("# Y\n")
    folders = [folder(outer), folder(outer / "in")]
    params = types.InitializeParams(capabilities("vscode"), workspace_folders=folders)
    async with editor(outer, tmp_path, params=params, ready=False) as ed:
        await ed.until_ready(folders=2)
        ed.open("in/a.md")
        await ed.until_codes("in/a.md", ["unresolved-link"])
        # without the inner folder the note belongs to the outer one
        gone = types.WorkspaceFoldersChangeEvent([], [folder(outer / "in")])
        ed.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(gone)
        )
        await ed.until_codes("in/a.md", [])
        assert await definition(ed, "in/a.md", 0, 9) == ed.uri("y.md")


async def test_a_folder_that_is_added_later(tmp_path: Path) -> None:
    root = vault(tmp_path, a="[[b]]\n", b="# B\n")
    params = types.InitializeParams(capabilities("vscode"))
    async with editor(root, tmp_path, params=params, ready=False) as ed:
        ed.open("a.md")
        # alone, nothing is known of what a link may mean
        await ed.until_codes("a.md", [])
        assert await definition(ed, "a.md", 0, 3) is None
        event = types.WorkspaceFoldersChangeEvent([folder(root)], [])
        ed.client.workspace_did_change_workspace_folders(
            types.DidChangeWorkspaceFoldersParams(event)
        )
        await wait_until(lambda: any(status.notes == 2 for status in ed.statuses))
        assert await definition(ed, "a.md", 0, 3) == ed.uri("b.md")


async def test_the_vault_may_be_another_folder(tmp_path: Path) -> None:
    """`vault.root`, also while the server runs."""
    root = vault(tmp_path, a="[[b]]\n")
    (root / "notes").mkdir()
    (root / "notes" / "b.md").write_text("[[a]]\n")
    async with editor(root, tmp_path, settings={"vault": {"root": "notes"}}) as ed:
        await wait_until(lambda: ed.statuses[-1].vault == str(root / "notes"))
        ed.open("notes/b.md")
        await ed.until_codes("notes/b.md", ["unresolved-link"])
        ed.client.set_configuration({"mindnet": {}})
        ed.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        await wait_until(lambda: any(status.vault == str(root) for status in ed.statuses))
        await ed.until_ready(folders=2)
        assert await definition(ed, "notes/b.md", 0, 3) == ed.uri("a.md")
        await ed.until_codes("notes/b.md", [])


async def test_an_untitled_document(tmp_path: Path) -> None:
    root = vault(tmp_path, a="# A\n")
    async with editor(root, tmp_path) as ed:
        item = types.TextDocumentItem("untitled:Untitled-1", "markdown", 1, "# New\n\n[[#New]]\n")
        ed.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        identifier = types.TextDocumentIdentifier(item.uri)
        found = await ed.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(identifier)
        )
        assert [symbol.name for symbol in found or ()] == ["New"]
        ed.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
        assert await symbols(ed, "a.md") == [("A", 0)]


async def test_a_folder_behind_a_symbolic_link(tmp_path: Path) -> None:
    root = vault(tmp_path, a="[[b]]\n", b="# B\n")
    link = tmp_path / "link"
    link.symlink_to(root)
    async with editor(link, tmp_path, "neovim") as ed:
        ed.open("a.md")
        assert await definition(ed, "a.md", 0, 3) == ed.uri("b.md")
        # the editor may resolve the link for some of its documents
        uri = (root / "b.md").as_uri()
        item = types.TextDocumentItem(uri, "markdown", 1, "# B\n\n[[a]]\n")
        ed.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        found = await ed.client.text_document_references_async(
            types.ReferenceParams(
                types.ReferenceContext(False),
                types.TextDocumentIdentifier(uri),
                types.Position(0, 3),
            )
        )
        assert [place.uri for place in found or ()] == [ed.uri("a.md")]


@pytest.mark.parametrize(
    ("text", "applied"),
    [
        ("[[Ha$0]]\n", "[[Harbour]]\n"),
        ("[[Ha$0", "[[Harbour]]"),
        ("[[Ha$0|port]]\n", "[[Harbour|port]]\n"),
        ("🚢 [[Ha$0rb]] x\n", "🚢 [[Harbour]] x\n"),
    ],
)
@pytest.mark.parametrize("profile", ["vscode", "eglot"])
async def test_ed_01_brackets_are_never_doubled(
    tmp_path: Path, profile: str, text: str, applied: str
) -> None:
    root = vault(tmp_path, c="", Harbour="# Harbour\n")
    async with editor(root, tmp_path, profile) as ed:
        at = ed.mark("c.md", text)
        listed = await ed.client.text_document_completion_async(types.CompletionParams(**at))
        assert isinstance(listed, types.CompletionList)
        item = next(item for item in listed.items if item.label == "Harbour")
        edit = item.text_edit
        if isinstance(edit, types.InsertReplaceEdit):
            assert edit.insert.end == at["position"]
            edit = types.TextEdit(edit.replace, edit.new_text)
        assert isinstance(edit, types.TextEdit)
        assert edit.range.start.line == edit.range.end.line
        assert edit.range.start <= at["position"] <= edit.range.end
        assert ed.apply("c.md", [edit]) == applied


async def test_ed_02_what_was_typed_finds_the_item(tmp_path: Path) -> None:
    crew = "---\naliases: [⚓ Harbour round]\n---\n# Crew\n"
    root = vault(tmp_path, c="", **{"2032-05-17 Dredge crew": crew})
    async with editor(root, tmp_path) as ed:
        at = ed.mark("c.md", "[[2032-05 dredge c$0")
        listed = await ed.client.text_document_completion_async(types.CompletionParams(**at))
        assert isinstance(listed, types.CompletionList)
        item = listed.items[0]
        edit = item.text_edit
        assert isinstance(edit, types.TextEdit | types.InsertReplaceEdit)
        start = edit.range.start if isinstance(edit, types.TextEdit) else edit.insert.start
        assert start == types.Position(0, 2)
        letters = iter((item.filter_text or "").lower())
        assert all(letter in letters for letter in "2032-05 dredge c")


async def test_actions_are_asked_for_by_kind(tmp_path: Path) -> None:
    root = vault(tmp_path, a="[[Gone]]\n")
    async with editor(root, tmp_path) as ed:
        ed.open("a.md")
        (found,) = await ed.until_codes("a.md", ["unresolved-link"])
        for kind, some in (("quickfix", True), ("source.organizeImports", False), ("", True)):
            context = types.CodeActionContext([found], only=[kind])
            identifier = types.TextDocumentIdentifier(ed.uri("a.md"))
            params = types.CodeActionParams(identifier, found.range, context)
            actions = await ed.client.text_document_code_action_async(params)
            assert bool(actions) is some


async def test_an_edit_of_another_note_that_is_open(tmp_path: Path) -> None:
    """The missing heading is added to the buffer as it is, at its own version."""
    root = vault(tmp_path, log="Passed [[ships#Heron]] at noon.\n", ships="# Ships\n\n## Petrel\n")
    async with editor(root, tmp_path) as ed:
        ed.open("log.md")
        ed.open("ships.md", version=7)
        ed.change("ships.md", "# Ships\n\n## Petrel\n\nunsaved 🚢\n")
        (found,) = await ed.until_codes("log.md", ["unresolved-heading"])
        action = await _action(ed, found, "Heron")
        assert action.edit.changes is None
        (change,) = action.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert (change.text_document.uri, change.text_document.version) == (ed.uri("ships.md"), 8)
        added = ed.apply("ships.md", list(change.edits))
        assert added.startswith("# Ships\n\n## Petrel\n\nunsaved 🚢\n")
        assert "## Heron" in added


async def _action(ed: Editor, found: types.Diagnostic, word: str) -> types.CodeAction:
    actions = await ed.actions("log.md", found.range)
    return next(item for item in actions if word in item.title)


async def test_requests_before_the_index_is_ready(tmp_path: Path) -> None:
    """Open documents answer at once; nothing waits, nothing fails, nothing is published."""
    notes = {f"n{number}": "[[x]] " * 300 for number in range(1500)}
    root = vault(tmp_path, a="# A\n\n[[#A]] [[n7]]\n", **notes)
    async with editor(root, tmp_path, ready=False) as ed:
        ed.open("a.md")
        assert await symbols(ed, "a.md") == [("A", 0)]
        assert await definition(ed, "a.md", 2, 4) == ed.uri("a.md")
        early = [status.index.state for status in ed.statuses]
        assert "ready" not in early
        assert not ed.published
        await ed.until_ready()
        assert await definition(ed, "a.md", 2, 11) == ed.uri("n7.md")
        await ed.until_codes("a.md", [])
        (reports,) = ed.client.progress_reports.values()
        kinds = [type(report).__name__ for report in reports]
        assert (kinds[0], kinds[-1]) == ("WorkDoneProgressBegin", "WorkDoneProgressEnd")
