"""Going from place to place in a real server, as four kinds of client ask for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.e2e.editor import PROFILES, Editor, editor
from tests.support.fixture import parse_fixture

pytestmark = pytest.mark.e2e

VAULT = """\
//- /Übersicht.md
---
id: start
type: task
---
# Übersicht

🚢 [[Hafen]] [[rel:depends_on Hafen]] [[Hafen#Kai ñ|Kai]] #wasser/tief
[[Gone]] ![[karte.png]] [text][r] note[^1]

[r]: Hafen.md

[^1]: Fußnote
//- /Hafen.md
# Hafen

Schiffe liegen hier.

## Kai ñ

🚢 Am Kai: [[#Kai ñ]] ^b1

## Ende
//- /sub/Crew.md
---
aliases: [Mannschaft]
depends_on: [Hafen]
---
# Crew

| a |
|---|
| [[Hafen\\|Port]] 🚢 [[gone]] |
//- /karte.png
png
//- /.mindnet/relations.yaml
relations:
  depends_on:
    label: {en: needs}
"""


@pytest_asyncio.fixture(params=[*PROFILES, "bare"])
async def ed(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Editor]:
    root = parse_fixture(VAULT.replace("\n", "\r\n")).write(tmp_path / "vault")
    async with editor(root, tmp_path, request.param) as found:
        found.open("Übersicht.md")
        found.profile_name = request.param  # type: ignore[attr-defined]
        yield found


def _profile(ed: Editor) -> str:
    return str(getattr(ed, "profile_name", ""))


def _at(ed: Editor, text: str, inside: int = 3, path: str = "Übersicht.md") -> dict[str, Any]:
    return ed.at(path, ed.texts[path].index(text) + inside)


def _locations(found: Any) -> list[tuple[str, types.Range]]:
    """As `(uri, where to go)`, of either form."""
    items = [found] if isinstance(found, types.Location) else list(found or ())
    return [
        (item.target_uri, item.target_selection_range)
        if isinstance(item, types.LocationLink)
        else (item.uri, item.range)
        for item in items
    ]


async def _definition(ed: Editor, text: str, inside: int = 3) -> list[tuple[str, types.Range]]:
    at = _at(ed, text, inside)
    found = await ed.client.text_document_definition_async(types.DefinitionParams(**at))
    return _locations(found)


async def test_definition_of_each_kind_of_thing(ed: Editor) -> None:
    ((uri, where),) = await _definition(ed, "[[Hafen#Kai", 9)
    assert uri == ed.uri("Hafen.md")
    assert where.start == types.Position(4, 3)
    ((uri, where),) = await _definition(ed, "depends_on Hafen]]")
    assert uri == ed.uri(".mindnet/relations.yaml")
    assert where.start == types.Position(1, 0)
    ((uri, _),) = await _definition(ed, "karte.png")
    assert uri == ed.uri("karte.png")
    ((uri, where),) = await _definition(ed, "note[^1]", 6)
    assert ed.range_text("Übersicht.md", where) == "1"
    assert where.start.line > 10
    assert await _definition(ed, "[[Gone]]") == []
    ((uri, where),) = await _definition(ed, "# Übersicht")
    assert ed.range_text("Übersicht.md", where) == "Übersicht"


async def test_declaration_is_the_line_that_defines_a_label(ed: Editor) -> None:
    at = _at(ed, "[r] note", 1)
    found = await ed.client.text_document_declaration_async(types.DeclarationParams(**at))
    ((uri, where),) = _locations(found)
    assert uri == ed.uri("Übersicht.md")
    assert ed.range_text("Übersicht.md", where) == "r"
    assert where.start.character == 1


async def test_location_links_hold_the_whole_section(ed: Editor) -> None:
    at = _at(ed, "[[Hafen#Kai", 9)
    found = await ed.client.text_document_definition_async(types.DefinitionParams(**at))
    assert found is not None
    (item,) = [found] if isinstance(found, types.Location) else found
    if isinstance(item, types.LocationLink):
        assert item.target_range == types.Range(types.Position(4, 0), types.Position(8, 0))
        inner = item.target_selection_range
        assert item.target_range.start.line <= inner.start.line <= item.target_range.end.line


async def test_references_with_and_without_the_declaration(ed: Editor) -> None:
    for wanted in (False, True):
        params = types.ReferenceParams(
            context=types.ReferenceContext(wanted), **_at(ed, "[[Hafen]]")
        )
        found = await ed.client.text_document_references_async(params)
        assert found is not None
        places = [(item.uri, item.range.start.line) for item in found]
        title = [(ed.uri("Hafen.md"), 0)] if wanted else []
        assert places == [
            *title,
            (ed.uri("sub/Crew.md"), 2),
            (ed.uri("sub/Crew.md"), 8),
            *[(ed.uri("Übersicht.md"), 6)] * 3,
            (ed.uri("Übersicht.md"), 7),
            (ed.uri("Übersicht.md"), 9),
        ]


async def test_references_of_a_missing_note(ed: Editor) -> None:
    context = types.ReferenceContext(include_declaration=True)
    params = types.ReferenceParams(context=context, **_at(ed, "[[Gone]]"))
    found = await ed.client.text_document_references_async(params)
    assert [item.uri for item in found or ()] == [ed.uri("sub/Crew.md"), ed.uri("Übersicht.md")]


async def test_hover_in_the_clients_markup(ed: Editor) -> None:
    async def hover(text: str, inside: int = 3) -> str:
        params = types.HoverParams(**_at(ed, text, inside))
        found = await ed.client.text_document_hover_async(params)
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        assert "\r" not in found.contents.value
        assert (found.contents.kind == types.MarkupKind.Markdown) == ("**" in found.contents.value)
        return found.contents.value

    text = await hover("[[Hafen]]")
    assert "Schiffe liegen hier." in text
    assert "← needs (2): " in text
    assert "2 links to this section" in await hover("[[Hafen#Kai", 9)
    assert "Übersicht" in await hover("[[Gone]]")


async def test_hover_shows_an_image_where_it_can_be_seen(ed: Editor) -> None:
    params = types.HoverParams(**_at(ed, "karte.png"))
    found = await ed.client.text_document_hover_async(params)
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "karte.png" in found.contents.value
    assert "5 B" in found.contents.value
    shown = f"![]({ed.uri('karte.png')}|width=300)" in found.contents.value
    assert shown == (_profile(ed) == "vscode")


async def test_highlights(ed: Editor) -> None:
    params = types.DocumentHighlightParams(**_at(ed, "[[Hafen]]"))
    found = await ed.client.text_document_document_highlight_async(params)
    texts = [ed.range_text("Übersicht.md", item.range) for item in found or ()]
    assert texts == ["Hafen", "Hafen", "Hafen", "[text][r]", "Hafen.md"]
    assert {item.kind for item in found or ()} == {types.DocumentHighlightKind.Read}
    params = types.DocumentHighlightParams(**_at(ed, "[r] note", 1))
    found = await ed.client.text_document_document_highlight_async(params)
    assert [item.kind for item in found or ()] == [
        types.DocumentHighlightKind.Read,
        types.DocumentHighlightKind.Write,
    ]
    params = types.DocumentHighlightParams(**_at(ed, "note[^1]", 1))
    assert await ed.client.text_document_document_highlight_async(params) is None


async def test_linked_editing(ed: Editor) -> None:
    ed.open("Hafen.md")
    params = types.LinkedEditingRangeParams(**_at(ed, "## Kai", 4, "Hafen.md"))
    found = await ed.client.text_document_linked_editing_range_async(params)
    assert found is not None
    assert [ed.range_text("Hafen.md", where) for where in found.ranges] == ["Kai ñ", "Kai ñ"]
    assert found.word_pattern
    params = types.LinkedEditingRangeParams(**_at(ed, "Schiffe", 2, "Hafen.md"))
    assert await ed.client.text_document_linked_editing_range_async(params) is None


async def test_document_links(ed: Editor) -> None:
    params = types.DocumentLinkParams(types.TextDocumentIdentifier(ed.uri("Übersicht.md")))
    found = await ed.client.text_document_document_link_async(params)
    assert found is not None
    lazy = _profile(ed) == "vscode"
    assert all((link.target is None) == lazy for link in found)
    if lazy:
        found = [await ed.client.document_link_resolve_async(link) for link in found]
        assert [link.tooltip for link in found][:3] == ["Hafen", "Hafen", "Hafen › Kai ñ"]
    assert [ed.range_text("Übersicht.md", link.range) for link in found] == [
        "Hafen", "rel:depends_on Hafen", "Hafen#Kai ñ|Kai", "karte.png", "[text][r]", "Hafen.md",
    ]  # fmt: skip
    assert [link.target for link in found] == [
        ed.uri("Hafen.md"), ed.uri("Hafen.md"), f"{ed.uri('Hafen.md')}#L5,1",
        ed.uri("karte.png"), ed.uri("Hafen.md"), ed.uri("Hafen.md"),
    ]  # fmt: skip


async def _symbols(ed: Editor, query: str) -> list[tuple[str, str, int]]:
    params = types.WorkspaceSymbolParams(query)
    found = await ed.client.workspace_symbol_async(params)
    result = []
    for item in found or ():
        if isinstance(item.location, types.LocationUriOnly):
            assert _profile(ed) == "vscode"
            assert isinstance(item, types.WorkspaceSymbol)
            item = await ed.client.workspace_symbol_resolve_async(item)
        assert isinstance(item.location, types.Location)
        result.append((item.name, item.location.uri, item.location.range.start.line))
    return result


async def test_workspace_symbols(ed: Editor) -> None:
    assert await _symbols(ed, "kai") == [("Hafen › Kai ñ", ed.uri("Hafen.md"), 4)]
    assert await _symbols(ed, "uebersicht") == [("Übersicht", ed.uri("Übersicht.md"), 0)]
    assert await _symbols(ed, "mannsch") == [("Mannschaft (Crew)", ed.uri("sub/Crew.md"), 0)]
    assert await _symbols(ed, "#wasser") == [("#wasser/tief", ed.uri("Übersicht.md"), 6)]
    assert (await _symbols(ed, ""))[:2] == [
        ("Übersicht", ed.uri("Übersicht.md"), 0),
        ("Hafen", ed.uri("Hafen.md"), 0),
    ]
    ed.change("Übersicht.md", "# Übersicht\n\n## Kaimauer\n")
    assert await _symbols(ed, "kai") == [
        ("Hafen › Kai ñ", ed.uri("Hafen.md"), 4),
        ("Übersicht › Kaimauer", ed.uri("Übersicht.md"), 2),
    ]


async def test_document_symbols_in_both_forms(ed: Editor) -> None:
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(ed.uri("Übersicht.md")))
    found = await ed.client.text_document_document_symbol_async(params)
    assert found
    if _profile(ed) == "bare":
        assert [(item.name, item.container_name) for item in found] == [  # type: ignore[union-attr]
            ("Übersicht", None), ("Hafen", "Übersicht"),
        ]  # fmt: skip
        return
    (top,) = found
    assert isinstance(top, types.DocumentSymbol)
    assert [(child.name, child.detail) for child in top.children or ()] == [("Hafen", "needs")]


async def _command(ed: Editor, name: str, arguments: dict[str, Any]) -> Any:
    params = types.ExecuteCommandParams(name, [arguments])
    return await ed.client.workspace_execute_command_async(params)


async def test_backlinks_command(ed: Editor) -> None:
    found = await _command(ed, "mindnet.backlinks", {"uri": ed.uri("Hafen.md")})
    shown = [
        (item["title"], item["kind"], item["rule_id"], item["confidence"], item["context"])
        for item in found["backlinks"]
    ]
    line = "🚢 [[Hafen]] [[rel:depends_on Hafen]] [[Hafen#Kai ñ|Kai]] #wasser/tief"
    other = "[[Gone]] ![[karte.png]] [text][r] note[^1]"
    assert shown == [
        ("Crew", "depends_on", "frontmatter:depends_on", 1.0, "depends_on: [Hafen]"),
        ("Crew", "references", "explicit:wikilink", 1.0, "| [[Hafen\\|Port]] 🚢 [[gone]] |"),
        ("Übersicht", "references", "explicit:wikilink", 1.0, line),
        ("Übersicht", "depends_on", "inline:rel", 0.95, line),
        ("Übersicht", "references", "explicit:wikilink", 1.0, line),
        ("Übersicht", "references", "explicit:mdlink", 1.0, other),
    ]
    assert {item["provenance"] for item in found["backlinks"]} == {"explicit"}
    last = found["backlinks"][2]
    where = types.Range(
        types.Position(**last["range"]["start"]), types.Position(**last["range"]["end"])
    )
    assert ed.range_text("Übersicht.md", where) == "[[Hafen]]"
    error = await _command(ed, "mindnet.backlinks", {"uri": "file:///nowhere/x.md"})
    assert error["error"]["code"] == "not_a_note"


async def test_unresolved_command(ed: Editor) -> None:
    found = await _command(ed, "mindnet.resolveUnresolved", {})
    shown = [(item["target"], item["uri"]) for item in found["unresolved"]]
    assert shown == [("gone", ed.uri("sub/Crew.md")), ("Gone", ed.uri("Übersicht.md"))]
    where = found["unresolved"][0]["range"]
    assert where["start"]["line"] == 8
    ed.change("Übersicht.md", "[[Haffen]]\n")
    found = await _command(ed, "mindnet.resolveUnresolved", {"uri": ed.uri("Übersicht.md")})
    assert [(item["target"], item["nearest"]) for item in found["unresolved"]] == [
        ("Haffen", ["Hafen"])
    ]
