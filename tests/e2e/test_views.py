"""Lenses, hints, tokens, folds, selections and the hierarchy, as real editors ask for them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from core.text import LineIndex
from tests.e2e.editor import PROFILES, Editor, editor
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e

VAULT = """\
//- /start.md
---
type: task
depends_on: [20240101-abc]
---
# Start 🚢

🚢 See [[20240101-abc]] and [[Gone]] #tag.

## Quay ñ

- one
  - two
- three
//- /20240101-abc.md
# Ships

[[start#Quay ñ]] [[rel:supports start|der Anfang]]
//- /Crew.md
# Crew

[[rel:related_to start]]
"""
EVERY = (*PROFILES, "bare")


@pytest.fixture(params=EVERY)
def profile(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture
async def ed(profile: str, tmp_path: Path) -> AsyncIterator[Editor]:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    async with editor(root, tmp_path, profile) as found:
        yield found


def document(ed: Editor, path: str = "start.md") -> t.TextDocumentIdentifier:
    return t.TextDocumentIdentifier(ed.uri(path))


def everything(ed: Editor, path: str = "start.md") -> t.Range:
    lines = LineIndex(ed.texts[path])
    return t.Range(t.Position(0, 0), ed.convert.position(lines, len(lines.text)))


async def lenses(ed: Editor) -> list[str]:
    found = await ed.client.text_document_code_lens_async(t.CodeLensParams(document(ed))) or ()
    shown = []
    for lens in found:
        assert lens.command is None, "the words come later"
        resolved = await ed.client.code_lens_resolve_async(lens)
        assert resolved.command is not None
        shown.append(f"{lens.range.start.line} {resolved.command.title}")
    return shown


async def hints(ed: Editor) -> list[t.InlayHint]:
    params = t.InlayHintParams(document(ed), everything(ed))
    return list(await ed.client.text_document_inlay_hint_async(params) or ())


async def test_lenses_and_what_they_open(ed: Editor) -> None:
    ed.open("start.md")
    assert await lenses(ed) == ["4 3 backlinks", "4 1 unresolved link", "8 1 link"]
    commands = ed.result.capabilities.execute_command_provider
    assert commands is not None
    assert "mindnet.showReferences" in commands.commands
    found = await ed.client.text_document_code_lens_async(t.CodeLensParams(document(ed)))
    opened = []
    for lens in found or ():
        command = (await ed.client.code_lens_resolve_async(lens)).command
        assert command is not None
        answer: Any = await ed.client.workspace_execute_command_async(
            t.ExecuteCommandParams(command.command, command.arguments)
        )
        opened.append(answer["locations"])
    assert [len(places) for places in opened] == [3, 1, 1]
    (place,) = opened[2]
    assert place["uri"] == ed.uri("20240101-abc.md")
    assert place["range"]["start"] == {"line": 2, "character": 8}


async def test_lenses_count_unsaved_text(ed: Editor) -> None:
    ed.open("start.md")
    ed.open("Crew.md", "[[start]] [[start#Quay ñ]] [[start#Quay ñ]]")
    assert await lenses(ed) == ["4 5 backlinks", "4 1 unresolved link", "8 3 links"]


async def test_hints_and_their_tooltips(ed: Editor) -> None:
    ed.open("start.md", ed_text(ed).replace("\n", "\r\n"))
    found = await hints(ed)
    assert [(hint.position.line, hint.label) for hint in found] == [
        (2, "Ships"), (6, "Ships"), (6, "→ belongs_to"),
    ]  # fmt: skip
    lines = LineIndex(ed.texts["start.md"])
    for hint, before in zip(found[:2], ("20240101-abc", "[[20240101-abc]]"), strict=True):
        at = ed.convert.offset(lines, hint.position)
        assert ed.texts["start.md"][:at].endswith(before)
    tooltip = found[1].tooltip
    if tooltip is None:
        tooltip = (await ed.client.inlay_hint_resolve_async(found[1])).tooltip
    assert "Ships" in (tooltip if isinstance(tooltip, str) else tooltip.value if tooltip else "")
    assert found[1].text_edits
    taken = ed.apply("start.md", list(found[1].text_edits))
    assert "🚢 See [[20240101-abc|Ships]] and" in taken


async def test_a_kind_that_the_type_adds(ed: Editor) -> None:
    ed.open("start.md", "---\ntype: task\n---\n[[Crew]]\n")
    assert [hint.label for hint in await hints(ed)] == ["→ depends_on, belongs_to"]


async def test_tokens_with_names_that_the_client_knows(ed: Editor, profile: str) -> None:
    ed.open("start.md")
    provider = ed.result.capabilities.semantic_tokens_provider
    if profile in ("eglot", "bare"):
        assert provider is None, "the client shows no tokens"
        with pytest.raises(JsonRpcException):
            await ed.client.text_document_semantic_tokens_full_async(
                t.SemanticTokensParams(document(ed))
            )
        return
    assert isinstance(provider, t.SemanticTokensOptions)
    assert bool(provider.range) == (profile == "vscode")
    first = await ed.client.text_document_semantic_tokens_full_async(
        t.SemanticTokensParams(document(ed))
    )
    assert first is not None
    assert shown(ed, first.data) == [
        "depends_on keyword", "20240101-abc class", "20240101-abc class", "Gone comment",
        "#tag decorator",
    ]  # fmt: skip
    text = ed.texts["start.md"]
    ed.change("start.md", text.replace("[[Gone]]", "[[Gone]] 🚢 [[start]]"))
    change = await ed.client.text_document_semantic_tokens_full_delta_async(
        t.SemanticTokensDeltaParams(document(ed), str(first.result_id))
    )
    assert isinstance(change, t.SemanticTokensDelta)
    (edit,) = change.edits
    data = list(first.data)
    data[edit.start : edit.start + edit.delete_count] = edit.data or ()
    assert len(edit.data or ()) == 10, "the new token, and the one behind it"
    assert "start class" in shown(ed, data)
    again = await ed.client.text_document_semantic_tokens_full_delta_async(
        t.SemanticTokensDeltaParams(document(ed), str(change.result_id))
    )
    assert isinstance(again, t.SemanticTokensDelta)
    assert list(again.edits) == []
    unknown = await ed.client.text_document_semantic_tokens_full_delta_async(
        t.SemanticTokensDeltaParams(document(ed), "no such result")
    )
    assert isinstance(unknown, t.SemanticTokens)
    assert list(unknown.data) == data


async def test_folds_in_the_clients_form(ed: Editor, profile: str) -> None:
    ed.open("start.md", ed_text(ed).replace("\n", "\r\n"))
    found = await ed.client.text_document_folding_range_async(t.FoldingRangeParams(document(ed)))
    assert [(fold.start_line, fold.end_line) for fold in found or ()] == [
        (0, 3), (4, 12), (8, 12), (10, 11),
    ]  # fmt: skip
    knows = profile in ("vscode", "neovim")
    for fold in found or ():
        assert (fold.start_character is None) == knows, "line folding only"
        assert (fold.collapsed_text is not None) == (profile == "neovim")
    assert found
    assert (found[0].kind is not None) == knows
    if not knows:
        lines = LineIndex(ed.texts["start.md"])
        assert found[1].start_character == ed.convert.position(lines, lines.end(4)).character


async def test_growing_selections(ed: Editor) -> None:
    text = ed_text(ed)
    ed.open("start.md", text)
    lines = LineIndex(text)
    places = [ed.convert.position(lines, text.index(word) + 1) for word in ("Gone", "two", "abc]")]
    found = await ed.client.text_document_selection_range_async(
        t.SelectionRangeParams(document(ed), places)
    )
    assert found is not None
    smallest = [ed.range_text("start.md", item.range) for item in found]
    assert smallest == ["Gone", "two", "20240101-abc"]
    for item, place in zip(found, places, strict=True):
        steps = chain(item)
        assert steps[0].start <= place <= steps[0].end
        assert steps[-1] == everything(ed)
        for inner, outer in pairwise(steps):
            assert outer.start <= inner.start <= inner.end <= outer.end
            assert inner != outer


async def test_the_hierarchy_follows_edits_and_deletions(ed: Editor) -> None:
    at = ed.mark("start.md", ed_text(ed).replace("[[20240101", "[[$020240101"))
    (item,) = (
        await ed.client.text_document_prepare_call_hierarchy_async(
            t.CallHierarchyPrepareParams(**at)
        )
        or ()
    )
    assert (item.name, item.uri) == ("Ships", ed.uri("20240101-abc.md"))
    outgoing = await ed.client.call_hierarchy_outgoing_calls_async(
        t.CallHierarchyOutgoingCallsParams(item)
    )
    assert [(call.to.name, call.to.detail) for call in outgoing or ()] == [
        ("Start 🚢", "supports, refers to")
    ]
    assert outgoing
    assert outgoing[0].from_ranges[0].start == t.Position(2, 0)
    incoming = await ed.client.call_hierarchy_incoming_calls_async(
        t.CallHierarchyIncomingCallsParams(item)
    )
    assert [(call.from_.name, call.from_.detail) for call in incoming or ()] == [
        ("Start 🚢", "blocks, ← refers to")
    ]
    assert incoming
    assert [ed.range_text("start.md", part) for part in incoming[0].from_ranges] == [
        "20240101-abc", "[[20240101-abc]]",
    ]  # fmt: skip
    ed.change("start.md", "# Other\n\n\n🚢 [[20240101-abc]]\n")
    incoming = await ed.client.call_hierarchy_incoming_calls_async(
        t.CallHierarchyIncomingCallsParams(item)
    )
    assert [call.from_.name for call in incoming or ()] == ["Other"]
    await ed.until_codes("start.md", [])
    (ed.root / "20240101-abc.md").unlink()
    ed.touch("20240101-abc.md", t.FileChangeType.Deleted)
    await ed.until_codes("start.md", ["unresolved-link"])
    params = t.CallHierarchyIncomingCallsParams(item)
    assert not await ed.client.call_hierarchy_incoming_calls_async(params)
    gone = t.CallHierarchyOutgoingCallsParams(item)
    assert not await ed.client.call_hierarchy_outgoing_calls_async(gone)


async def test_what_another_note_changes_is_shown_again(ed: Editor, profile: str) -> None:
    ed.open("start.md")
    expected = {
        "vscode": {"codeLens", "inlayHint", "semanticTokens"},
        "neovim": {"inlayHint", "semanticTokens"},
    }.get(profile, set())
    if expected:
        await wait_until(lambda: refreshed(ed) == expected, what="the first refresh")
    ed.refreshed.clear()
    (ed.root / "Gone.md").write_text("# Gone\n")
    ed.touch("Gone.md", t.FileChangeType.Created)
    await ed.until_codes("start.md", [])
    if expected:
        await wait_until(lambda: refreshed(ed) == expected)
    assert refreshed(ed) == expected
    if "semanticTokens" in expected:
        found = await ed.client.text_document_semantic_tokens_full_async(
            t.SemanticTokensParams(document(ed))
        )
        assert found is not None
        assert "Gone class" in shown(ed, found.data)


async def test_settings_take_effect_at_once(tmp_path: Path) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    async with editor(root, tmp_path, "vscode") as ed:
        ed.open("start.md")
        assert await lenses(ed)
        assert await hints(ed)
        await wait_until(lambda: len(refreshed(ed)) == 3)
        ed.refreshed.clear()
        off = {"code_lens": {"enabled": False}, "inlay_hints": {"enabled": False}}
        ed.client.set_configuration({"mindnet": off})
        ed.client.workspace_did_change_configuration(t.DidChangeConfigurationParams(None))
        await wait_until(lambda: refreshed(ed) == {"codeLens", "inlayHint"})
        assert await lenses(ed) == []
        assert await hints(ed) == []


def ed_text(ed: Editor) -> str:
    return (ed.root / "start.md").read_text("utf-8")


def refreshed(ed: Editor) -> set[str]:
    return {method.split("/")[1] for method in ed.refreshed}


def chain(found: t.SelectionRange) -> list[t.Range]:
    steps = [found.range]
    while found.parent is not None:
        found = found.parent
        steps.append(found.range)
    return steps


def shown(ed: Editor, data: Any) -> list[str]:
    """`text type` of each token of start.md."""
    provider = ed.result.capabilities.semantic_tokens_provider
    assert isinstance(provider, t.SemanticTokensOptions)
    names, lines = provider.legend.token_types, LineIndex(ed.texts["start.md"])
    line = column = 0
    found = []
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, column = line + down, right if down else column + right
        part = t.Range(t.Position(line, column), t.Position(line, column + length))
        span = ed.convert.span(lines, part)
        found.append(f"{lines.text[span.start : span.end]} {names[kind]}")
    return found
