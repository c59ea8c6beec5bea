"""Suggestions in the editor: shown from what is ready, inserted, dismissed, restored."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.e2e.editor import Editor, editor
from tests.e2e.test_commands import NOTES, endpoint, plain, run, until_indexed
from tests.support.cores import fingerprint, kill_core, until, write_vault

pytestmark = pytest.mark.e2e

SLEEP = """Sleep debt grows with every night that is shorter than needed. Attention suffers first,
memory later, and nobody notices how slow their own answers have become until they are rested."""
GERMAN = """Im Schlaf festigt das Gehirn, was am Tag gelernt wurde. Wer zu wenig schläft, vergisst
schneller und lernt am nächsten Morgen schlechter."""
MEANT = {
    "Sleep Debt": f"# Sleep Debt\n\n{SLEEP}\n",
    "Schlaf und Gedächtnis": f"# Schlaf und Gedächtnis\n\n{GERMAN}\n",
    "Bridge": "# Bridge\n\nA steel bridge carries forty tons over the river; its bearings are "
    "greased once in a year, and painters begin again when they have come to the end.\n",
    "Diary": "# Diary\n\nNothing yet.\n",
}


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    if (tmp_path / "data").is_dir():
        kill_core(tmp_path / "vault", {"MINDNET_DATA_DIR": str(tmp_path / "data")})


@pytest.fixture
async def one(data: Path) -> AsyncIterator[Editor]:
    root = write_vault(data / "vault", **NOTES)
    async with editor(root, data, settings={"embedding": {"provider": "none"}}) as made:
        await until_indexed(made)
        yield made


@pytest.fixture
async def meaning(data: Path) -> AsyncIterator[Editor]:
    """With the bundled embedding model."""
    root = write_vault(data / "vault", **MEANT)
    settings = {"embedding": {"provider": "bundled"}}
    async with editor(root, data, settings=settings, MINDNET_EMBEDDING_PROVIDER="bundled") as made:
        await until_indexed(made)
        yield made


async def lenses(there: Editor, path: str) -> list[str]:
    """The words of the lenses of a note."""
    identifier = types.TextDocumentIdentifier(there.uri(path))
    params = types.CodeLensParams(identifier)
    found = await there.client.text_document_code_lens_async(params)
    resolved = [await there.client.code_lens_resolve_async(lens) for lens in found or ()]
    return [lens.command.title for lens in resolved if lens.command]


async def until_lens(there: Editor, path: str, words: str, *, there_is: bool = True) -> None:
    async def shown() -> bool:
        return (words in await lenses(there, path)) is there_is

    await until(shown)


async def hover(there: Editor, path: str, offset: int) -> str:
    params = types.HoverParams(**there.at(path, offset))
    found = await there.client.text_document_hover_async(params)
    assert found is not None
    content = found.contents
    assert isinstance(content, types.MarkupContent)
    return content.value


async def actions(there: Editor, path: str, words: str) -> dict[str, Any]:
    """Actions with the cursor in some words, by title."""
    offset = there.texts[path].index(words) + 1
    position = there.at(path, offset)["position"]
    found = await there.actions(path, types.Range(position, position))
    return {action.title: action for action in found}


async def edited(there: Editor, path: str, action: types.CodeAction) -> str:
    """The text after an action."""
    if action.edit is None:
        action = await there.client.code_action_resolve_async(action)
    assert action.edit is not None
    (change,) = action.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    return there.apply(path, change.edits)  # type: ignore[arg-type]


async def test_what_is_ready_is_shown_and_can_be_dismissed(one: Editor) -> None:
    one.open("Diary.md")
    await until_lens(one, "Diary.md", "1 suggestion")
    before = fingerprint(one.root)
    shown = await hover(one, "Diary.md", 3)
    assert "**1 suggestion**" in shown
    assert "Mill Pond — line 3 names “Mill Pond” as “Mill Pond”" in shown
    arguments = {"uri": one.uri("Diary.md"), "kind": "suggestions"}
    places = await run(one, "mindnet.showReferences", arguments)
    (place,) = places["locations"]
    assert (place["range"]["start"], place["uri"]) == (
        {"line": 2, "character": 30},
        one.uri("Diary.md"),
    )
    (suggested,) = places["suggestions"]
    assert (suggested["title"], suggested["kind"]) == ("Mill Pond", "references")

    found = await actions(one, "Diary.md", "Mill")
    assert "Suggested: link to “Mill Pond”" not in found, "that is what “Link to” does already"
    assert "Link to “Mill Pond”" in found
    text = await edited(one, "Diary.md", found["Suggested: field references:: “Mill Pond”"])
    assert text == one.texts["Diary.md"].rstrip("\n") + "\n\nreferences:: [[Mill Pond]]\n"
    on_title = await actions(one, "Diary.md", "Diary")
    text = await edited(one, "Diary.md", on_title["Suggested: link to “Mill Pond”"])
    assert "around the [[Mill Pond]]." in text

    dismiss = on_title["Dismiss the suggestion “Mill Pond”"]
    command = dismiss.command
    answer = await run(one, command.command, *plain(command.arguments))
    (gone,) = answer["dismissed"]
    assert (answer["changed"], gone["uri"], gone["target_uri"]) == (
        1,
        one.uri("Diary.md"),
        one.uri("Mill Pond.md"),
    )
    assert "1 suggestion" not in await lenses(one, "Diary.md")
    assert "suggestion" not in await hover(one, "Diary.md", 3)
    listed = await run(one, "mindnet.suggestEdges", {"uri": one.uri("Diary.md")})
    assert listed["suggestions"] == []
    assert (await run(one, "mindnet.dismissedSuggestions", {}))["dismissed"] == [gone]
    back = {"uri": one.uri("Diary.md"), "target_note_id": gone["target_note_id"]}
    assert await run(one, "mindnet.restoreSuggestion", back) == {"changed": 1, "dismissed": []}
    await until_lens(one, "Diary.md", "1 suggestion")
    assert fingerprint(one.root) == before


async def test_wrong_arguments_are_named(one: Editor) -> None:
    uri = one.uri("Diary.md")
    for command, arguments, field in (
        ("mindnet.suggestEdges", {"uri": uri, "form": "magic"}, "form"),
        ("mindnet.related", {}, "uri"),
        ("mindnet.related", {"uri": uri, "range": {"start": 1}}, "range"),
        ("mindnet.dismissSuggestion", {"uri": uri}, "target_note_id"),
        ("mindnet.restoreSuggestion", {"uri": uri, "target_note_id": 3}, "target_note_id"),
        ("mindnet.showReferences", {"uri": uri, "kind": "magic"}, "kind"),
    ):
        with pytest.raises(JsonRpcException) as caught:
            await run(one, command, arguments)
        assert caught.value.code == -32602, command
        assert field in str(caught.value), command


async def test_they_follow_the_text_and_come_anew_with_a_save(one: Editor) -> None:
    one.open("Diary.md")
    await until_lens(one, "Diary.md", "1 suggestion")
    one.change("Diary.md", "# Diary\n\n🦆 One more line.\n\n" + NOTES["Diary"][9:])
    found = await actions(one, "Diary.md", "Mill")
    text = await edited(one, "Diary.md", found["Suggested: references → “Mill Pond”"])
    assert "around the [[rel:references Mill Pond]]." in text
    linked = NOTES["Diary"].replace("Mill Pond", "[[Mill Pond]]")
    one.change("Diary.md", linked)
    assert "1 suggestion" not in await lenses(one, "Diary.md"), "it is linked by now"
    one.change("Diary.md", linked + "\nThe Wasserrad and its Mill stood still.\n")
    one.save("Diary.md")
    began = asyncio.get_running_loop().time()
    await until_lens(one, "Diary.md", "1 suggestion")
    assert asyncio.get_running_loop().time() - began < 15
    assert "Wasserrad" in await hover(one, "Diary.md", 3)
    await until_lens(one, "Wasserrad.md", "1 backlink", there_is=False)


async def test_nobody_waits_for_a_core_that_hangs(meaning: Editor, data: Path) -> None:
    """With the core stopped in the middle everything is answered from what is ready."""
    text = "# Diary\n\nThe bridge, and the sleep debt of those who paint it.\n"
    meaning.open("Diary.md", text)
    await until_lens(meaning, "Diary.md", "2 suggestions")
    core = endpoint(meaning.root, data).pid
    os.kill(core, signal.SIGSTOP)
    try:
        meaning.change("Diary.md", "# Diary\n\nNot saved: one more.\n\n" + text[9:])
        meaning.save("Diary.md")
        async with asyncio.timeout(10):
            assert "2 suggestions" in await lenses(meaning, "Diary.md")
            assert "**2 suggestions**" in await hover(meaning, "Diary.md", 3)
            found = await actions(meaning, "Diary.md", "bridge")
            assert "Dismiss the suggestion “Bridge”" in found
            opened = meaning.texts["Diary.md"] + "\nA paragraph of seven words ends in [[$0"
            assert await labels(meaning, "Diary.md", opened)
    finally:
        os.kill(core, signal.SIGCONT)


async def labels(there: Editor, path: str, marked: str) -> list[tuple[str, str]]:
    """Labels and descriptions of the completions at a mark."""
    params = types.CompletionParams(**there.mark(path, marked))
    found = await there.client.text_document_completion_async(params)
    assert isinstance(found, types.CompletionList)
    return [
        (item.label, (item.label_details and item.label_details.description) or "")
        for item in found.items
    ]


async def test_completion_by_the_meaning_of_the_paragraph(meaning: Editor) -> None:
    """In a paragraph that nobody saved: asked for when its writer pauses, offered in `[[`."""
    meaning.open("Diary.md")
    text = "# Diary\n\nThe greased bearings of the steel bridge over the river were painted [[$0]]"
    mark = "≈ like this paragraph"

    async def offered() -> bool:
        found = await labels(meaning, "Diary.md", text)
        return found[0] == ("Bridge", mark)

    await until(offered)
    assert (await labels(meaning, "Diary.md", text.replace("[[$0", "[[Sl$0")))[0][1] != mark
    for other in ("!" + "[[$0", "[[rel:supports $0"):
        found = await labels(meaning, "Diary.md", text.replace("[[$0", other))
        assert mark not in [description for _, description in found]
    names = [label for label, _ in await labels(meaning, "Diary.md", text)]
    assert len(names) == len(set(names)), "nothing is offered twice"


async def test_related_notes_of_a_note_and_of_a_selection(meaning: Editor) -> None:
    uri = meaning.uri("Sleep Debt.md")
    found = await run(meaning, "mindnet.related", {"uri": uri, "top_k": 2})
    first = found["hits"][0]
    assert (first["title"], first["uri"]) == (
        "Schlaf und Gedächtnis",
        meaning.uri("Schlaf und Gedächtnis.md"),
    )
    assert first["reasons"][0].startswith("close in meaning to lines 3–4 (cosine 0.")
    assert {"note_id", "range", "chunk_id", "text", "score", "score_breakdown"} <= first.keys()
    text = "# Diary\n\n🦆 Nothing. Steel bridges carry many tons over rivers.\n"
    meaning.open("Diary.md", text)
    selection = {
        "start": {"line": 2, "character": 12},
        "end": {"line": 2, "character": 52},
    }
    arguments = {"uri": meaning.uri("Diary.md"), "range": selection, "top_k": 1}
    (hit,) = (await run(meaning, "mindnet.related", arguments))["hits"]
    assert hit["title"] == "Bridge"
