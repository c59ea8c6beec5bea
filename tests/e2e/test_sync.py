"""Text as the editor has it: changes, encodings, line ends, positions out of range."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.e2e.editor import PROFILES, Editor, capabilities, editor
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e


def vault(tmp_path: Path, **notes: str) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    for name, text in notes.items():
        (root / f"{name}.md").write_bytes(text.encode())
    return root


def change(
    start: tuple[int, int], end: tuple[int, int], text: str
) -> types.TextDocumentContentChangePartial:
    span = types.Range(types.Position(*start), types.Position(*end))
    return types.TextDocumentContentChangePartial(span, text)


def span(item: types.Diagnostic) -> tuple[int, int, int, int]:
    start, end = item.range.start, item.range.end
    return start.line, start.character, end.line, end.character


async def symbols(ed: Editor, path: str) -> list[tuple[str, int]]:
    identifier = types.TextDocumentIdentifier(ed.uri(path))
    found = await ed.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(identifier)
    )
    return [
        (item.name, item.selection_range.start.line)
        for item in found or ()
        if isinstance(item, types.DocumentSymbol)
    ]


async def test_changes_are_sent_as_they_are_typed(tmp_path: Path) -> None:
    """A client that is asked for whole texts puts them off (VS Code), and a request gets one with
    letters typed after it: completion then took closing brackets for typed ones."""
    async with editor(vault(tmp_path, sea="# Sea\n"), tmp_path) as ed:
        sync = ed.result.capabilities.text_document_sync
        assert isinstance(sync, types.TextDocumentSyncOptions)
        assert sync.change is types.TextDocumentSyncKind.Incremental


async def test_ps_01_ranges_behind_emoji(tmp_path: Path) -> None:
    root = vault(tmp_path, sea="🚢🚢 see [[Pump]] and [[Gone]]\n", Pump="# Pump\n")
    async with editor(root, tmp_path) as ed:
        ed.open("sea.md")
        (found,) = await ed.until_codes("sea.md", ["unresolved-link"])
        assert span(found) == (0, 24, 0, 28)
        assert await definition(ed, "sea.md", 0, 11) == ed.uri("Pump.md")
        ed.send_changes("sea.md", [change((0, 11), (0, 15), "Tide")])
        found = await ed.until_codes("sea.md", ["unresolved-link", "unresolved-link"])
        assert [span(item) for item in found] == [(0, 11, 0, 15), (0, 24, 0, 28)]


@pytest.mark.parametrize(
    ("wanted", "encoding", "start", "insert"),
    [
        (["utf-8", "utf-32", "utf-16"], "utf-8", 8, 7),
        (["utf-32", "utf-8"], "utf-32", 6, 6),
        (None, "utf-16", 6, 6),
    ],
    ids=["utf-8", "utf-32", "default"],
)
async def test_ps_02_the_negotiated_encoding_is_used_everywhere(
    tmp_path: Path, wanted: list[str] | None, encoding: str, start: int, insert: int
) -> None:
    root = vault(tmp_path, bird="ñandú [[Pump]]")
    declared = capabilities("vscode")
    declared.general = None
    if wanted:
        declared.general = types.GeneralClientCapabilities(position_encodings=wanted)
    folder = types.WorkspaceFolder(root.as_uri(), "vault")
    params = types.InitializeParams(declared, workspace_folders=[folder])
    async with editor(root, tmp_path, params=params) as ed:
        assert str(ed.result.capabilities.position_encoding or "utf-16") == encoding
        ed.open("bird.md")
        (found,) = await ed.until_codes("bird.md", ["unresolved-link"])
        assert found.range.start.character == start + 2
        at = insert + (encoding == "utf-8")
        ed.send_changes("bird.md", [change((0, at), (0, at), "x")])
        await wait_until(
            lambda: (ed.found("bird.md") or [found])[0].range.start.character == start + 3
        )


async def test_ps_03_several_changes_apply_in_order(tmp_path: Path) -> None:
    root = vault(tmp_path, seq="[[A]]\n[[B]]\n")
    async with editor(root, tmp_path) as ed:
        ed.open("seq.md")
        ed.send_changes("seq.md", [change((0, 0), (0, 0), "x\n"), change((2, 2), (2, 3), "C")])
        ed.send_changes("seq.md", [change((3, 0), (3, 0), "[[D]]")])
        found = await ed.until_codes("seq.md", ["unresolved-link"] * 3)
        assert [(item.range.start.line, item.data["target"]) for item in found] == [
            (1, "A"),
            (2, "C"),
            (3, "D"),
        ]


async def test_ps_04_the_last_version_is_what_is_published(tmp_path: Path) -> None:
    root = vault(tmp_path, Pump="# Pump\n", new="")
    async with editor(root, tmp_path) as ed:
        ed.open("new.md")
        text, version = "", 1
        for key in "[[Pump]] an<<d more, # x":
            text = text[:-1] if key == "<" else text + key
            version = ed.change("new.md", text)
        version = ed.change("new.md", f"{text}\n# Heading\n")
        assert await symbols(ed, "new.md") == [("Heading", 1)]
        await wait_until(lambda: ed.published and ed.published[-1].version == version)


@pytest.mark.parametrize("profile", PROFILES)
async def test_ps_05_windows_line_ends(tmp_path: Path, profile: str) -> None:
    text = "# T\r\n\r\n[[Pump]]\r\n[[Gone]]\r\n"
    root = vault(tmp_path, win=text, Pump="# Pump\r\n\r\nText\r\n", other="[[win#T]]\r\n")
    async with editor(root, tmp_path, profile) as ed:
        ed.open("win.md")
        (found,) = await ed.until_codes("win.md", ["unresolved-link"])
        assert span(found) == (3, 2, 3, 6)
        assert await symbols(ed, "win.md") == [("T", 0)]
        shown = await ed.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(ed.uri("win.md")), types.Position(2, 3))
        )
        assert shown is not None
        assert isinstance(shown.contents, types.MarkupContent)
        assert "\r" not in shown.contents.value


async def test_ps_06_frontmatter_shifts_nothing(tmp_path: Path) -> None:
    front = "---\ntitle: Gauge\n# reviewed in spring\n---\n# Gauge room\n\n[[Gone]]\n"
    root = vault(tmp_path, front=front, empty="---\n---\n# Test\n\n[[Gone]]\n")
    async with editor(root, tmp_path) as ed:
        for path, symbol, line in (
            ("front.md", ("Gauge room", 4), 6),
            ("empty.md", ("Test", 2), 4),
        ):
            ed.open(path)
            (found,) = await ed.until_codes(path, ["unresolved-link"])
            assert found.range.start.line == line
            assert await symbols(ed, path) == [symbol]


async def test_ps_07_positions_out_of_range(tmp_path: Path) -> None:
    root = vault(tmp_path, edge="ab\n[[Pump]]\n", Pump="# Pump\n")
    async with editor(root, tmp_path) as ed:
        ed.open("edge.md")
        for line, character in ((0, 999), (7, 0), (1, 8), (2, 0)):
            for path in ("edge.md", "Pump.md", "no such.md"):
                await every_request(ed, path, types.Position(line, character))
        ed.send_changes("edge.md", [change((0, 999), (0, 999), "Z [[Gone]]")])
        (found,) = await ed.until_codes("edge.md", ["unresolved-link"])
        assert span(found) == (0, 6, 0, 10)
        await every_request(ed, "/outside.md", types.Position(0, 0))
        ed.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(5, ed.uri("Pump.md")),
                [types.TextDocumentContentChangeWholeDocument("never opened")],
            )
        )
        assert await definition(ed, "edge.md", 1, 3) == ed.uri("Pump.md")
        assert not ed.client.messages


async def test_saved_and_unsaved_text_of_one_note(tmp_path: Path) -> None:
    """Unsaved text counts while a note is open, what is on disk afterwards."""
    root = vault(tmp_path, a="[[b#New]]\n", b="# B\n")
    async with editor(root, tmp_path, "neovim") as ed:
        ed.open("a.md")
        await ed.until_codes("a.md", ["unresolved-heading"])
        ed.open("b.md", "# B\n\n## New\n")
        await ed.until_codes("a.md", [])
        ed.close("b.md")
        await ed.until_codes("a.md", ["unresolved-heading"])


async def definition(ed: Editor, path: str, line: int, character: int) -> str | None:
    found = await ed.client.text_document_definition_async(
        types.DefinitionParams(
            types.TextDocumentIdentifier(ed.uri(path)), types.Position(line, character)
        )
    )
    for item in found if isinstance(found, list) else ():
        return item.target_uri if isinstance(item, types.LocationLink) else item.uri
    return None


async def every_request(ed: Editor, path: str, position: types.Position) -> None:
    """No request may fail, whatever the place."""
    document = types.TextDocumentIdentifier(ed.uri(path))
    client, here = ed.client, types.Range(position, position)
    await client.text_document_hover_async(types.HoverParams(document, position))
    await client.text_document_definition_async(types.DefinitionParams(document, position))
    await client.text_document_completion_async(types.CompletionParams(document, position))
    await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, position)
    )
    await client.text_document_code_action_async(
        types.CodeActionParams(document, here, types.CodeActionContext([]))
    )
