"""Every feature once, in a real server process, as three real editors ask for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.e2e.editor import PROFILES, Editor, editor
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.e2e

VAULT = """\
//- /start.md
# Start

🚢 See [[Harbour]] and [[Gone]].
//- /Harbour.md
# Harbour

Ships rest here: [[start]], [[Crew#Cook]].

## Quay ñ

On the quay.
//- /Crew.md
# Crew

## Cook

[[Harbour|the port]] [[Harbour#Quay ñ]]
//- /port/Harbour master.md
---
aliases: [Hafenmeister]
---
# Harbour master
"""


@pytest_asyncio.fixture(params=PROFILES)
async def ed(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Editor]:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    async with editor(root, tmp_path, request.param) as found:
        yield found


async def test_completion_writes_the_whole_link(ed: Editor) -> None:
    at = ed.mark("start.md", "[[Harb$0]]\n")
    found = await ed.client.text_document_completion_async(types.CompletionParams(**at))
    assert isinstance(found, types.CompletionList)
    assert [item.label for item in found.items][:2] == ["Harbour", "Harbour master"]
    edit = found.items[0].text_edit
    if isinstance(edit, types.InsertReplaceEdit):
        assert edit.insert.start == edit.replace.start
        edit = types.TextEdit(edit.replace, edit.new_text)
    assert isinstance(edit, types.TextEdit)
    assert ed.apply("start.md", [edit]) == "[[Harbour]]\n"
    resolved = await ed.client.completion_item_resolve_async(found.items[0])
    text = resolved.documentation
    assert "Ships rest here" in (text if isinstance(text, str) else text.value if text else "")


async def test_hover_shows_the_note_and_its_backlinks(ed: Editor) -> None:
    at = ed.mark("start.md", "# Start\n\n🚢🚢 [[Har$0bour]]\n")
    found = await ed.client.text_document_hover_async(types.HoverParams(**at))
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "Ships rest here" in found.contents.value
    assert "Crew" in found.contents.value
    assert found.range is not None
    assert ed.range_text("start.md", found.range) == "[[Harbour]]"


async def test_definition_of_a_heading(ed: Editor) -> None:
    at = ed.mark("start.md", "ñandú 🚢 [[Harbour#Quay ñ$0]]\n")
    found = await ed.client.text_document_definition_async(types.DefinitionParams(**at))
    assert found
    target = next(iter(found)) if not isinstance(found, types.Location) else found
    uri = target.target_uri if isinstance(target, types.LocationLink) else target.uri
    shown = (
        target.target_selection_range if isinstance(target, types.LocationLink) else target.range
    )
    assert uri == ed.uri("Harbour.md")
    assert shown.start == types.Position(4, 3)
    if isinstance(target, types.LocationLink):
        assert target.origin_selection_range is not None
        origin = ed.range_text("start.md", target.origin_selection_range)
        assert origin == "[[Harbour#Quay ñ]]"


async def test_references_in_closed_notes(ed: Editor) -> None:
    at = ed.mark("start.md", "[[Harbour$0]]\n")
    context = types.ReferenceContext(include_declaration=True)
    found = await ed.client.text_document_references_async(
        types.ReferenceParams(context=context, **at)
    )
    assert found is not None
    places = [(item.uri, item.range.start.line, item.range.start.character) for item in found]
    assert places == [
        (ed.uri("Crew.md"), 4, 2),
        (ed.uri("Crew.md"), 4, 23),
        (ed.uri("Harbour.md"), 0, 2),
        (ed.uri("start.md"), 0, 2),
    ]


async def test_symbols(ed: Editor) -> None:
    uri = ed.open("Harbour.md")
    found = await ed.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
    )
    assert found
    top = found[0]
    assert isinstance(top, types.DocumentSymbol)
    assert top.name == "Harbour"
    assert [child.name for child in top.children or ()] == ["Quay ñ"]
    assert ed.range_text("Harbour.md", top.selection_range) == "Harbour"


async def test_a_diagnostic_and_its_fixes(ed: Editor) -> None:
    ed.open("start.md", "# Start\n\n🚢 See [[Harbor]] and [[Gone]].\n")
    found = await ed.until_codes("start.md", ["unresolved-link", "unresolved-link"])
    assert {item.source for item in found} == {"mindnet"}
    assert [ed.range_text("start.md", item.range) for item in found] == ["Harbor", "Gone"]

    nearest, *_ = await ed.actions("start.md", found[0].range)
    edits = _text_edits(nearest.edit)
    assert ed.apply("start.md", edits) == "# Start\n\n🚢 See [[Harbour]] and [[Gone]].\n"

    actions = await ed.actions("start.md", found[1].range)
    create = next(action for action in actions if "Gone" in action.title)
    if create.edit is None:  # Eglot cannot create files, so the server does
        await ed.client.workspace_execute_command_async(
            types.ExecuteCommandParams(create.command.command, create.command.arguments)
        )
        assert (ed.root / "Gone.md").is_file()
        return
    new = create.edit.document_changes[0]
    assert isinstance(new, types.CreateFile)
    assert new.uri == ed.uri("Gone.md")
    assert new.options == types.CreateFileOptions(overwrite=False, ignore_if_exists=True)


def _text_edits(edit: types.WorkspaceEdit) -> list[types.TextEdit]:
    assert (edit.changes is None) != (edit.document_changes is None), "one of the two forms"
    if edit.changes is not None:
        return [item for items in edit.changes.values() for item in items]
    found: list[types.TextEdit] = []
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.version == 1
        found += [item for item in change.edits if isinstance(item, types.TextEdit)]
    return found
