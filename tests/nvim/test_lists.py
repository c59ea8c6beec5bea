"""What fills quickfix and location lists, and what a line of them opens."""

from __future__ import annotations

from typing import Any

import pytest

from tests.nvim.plugin import Plugin

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

WHEEL = "20_concepts/Wasserrad.md"


def listed(editor: Plugin, kind: str) -> Any:
    """Title and items of the list that is open now: `quickfix` or `location`."""
    is_location = "1" if kind == "location" else "0"
    editor.until(
        "return vim.bo.buftype == 'quickfix' and"
        f" vim.fn.getwininfo(vim.api.nvim_get_current_win())[1].loclist == {is_location}"
    )
    get = "getloclist(0, " if kind == "location" else "getqflist("
    return editor.lua(
        f"local l = vim.fn.{get}{{title = 0, items = 0}});"
        " for _, i in ipairs(l.items) do i.name = vim.fn.fnamemodify(vim.fn.bufname(i.bufnr), ':t')"
        " end; return l"
    )


def test_backlinks_have_kind_and_line(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.run("Mindnet backlinks")
    found = listed(editor, "location")
    assert found["title"] == "mindnet: backlinks"
    (needs,) = [item for item in found["items"] if "depends_on:" in item["text"]]
    assert needs["name"] == "Restore the Mill Wheel.md"
    assert needs["text"].startswith("Restore the Mill Wheel · depends_on: ")
    (row,) = [item for item in found["items"] if item["name"] == "Abfluss und Pegel.md"]
    line = (editor.root / "20_concepts/Abfluss und Pegel.md").read_text("utf-8").split("\n")
    before = line[row["lnum"] - 1].encode()[: row["col"] - 1]
    assert before.endswith(b"m\xc2\xb3/s | "), "the column counts bytes"
    editor.nvim.command(f"ll {found['items'].index(needs) + 1}")
    assert editor.nvim.current.line.startswith("depends_on:")


def test_what_is_found_is_opened_at_its_place(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.run("Mindnet query Wie altert Kalkmörtel?")
    found = listed(editor, "quickfix")
    assert found["title"] == "mindnet: Wie altert Kalkmörtel?"
    first = found["items"][0]
    assert first["name"] == "Kalkmörtel.md"
    assert " — " in first["text"], "why it was found"
    scores = [float(item["text"].split()[0]) for item in found["items"]]
    assert scores == sorted(scores, reverse=True)
    editor.nvim.input("<CR>")
    editor.until("return vim.fn.expand('%:t') == 'Kalkmörtel.md'")
    assert editor.nvim.current.window.cursor[0] == first["lnum"]


def test_a_selection_is_asked_for(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.cursor(editor.line_of("# Wasserrad"), 2)
    editor.nvim.input("viw:Mindnet query<CR>")
    assert listed(editor, "quickfix")["title"] == "mindnet: Wasserrad"


def test_without_words_they_are_asked_for(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.type("  ")
    editor.run("Mindnet query")
    assert editor.lua("return spec.asked") == ["Ask your notes: "]
    editor.type("Kalkmörtel")
    editor.run("Mindnet query")
    assert listed(editor, "quickfix")["title"] == "mindnet: Kalkmörtel"


def test_nothing_found_is_told(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.run("Mindnet query Qwxyzzkvrtp")
    editor.until_said("nothing found for “Qwxyzzkvrtp”")


def test_links_that_lead_nowhere(editor: Plugin) -> None:
    editor.edit("20_concepts/Hybrid Search.md")
    editor.run("Mindnet resolve")
    found = listed(editor, "location")
    assert [item["text"] for item in found["items"]] == ["Embedings 101 → Embeddings 101?"]
    editor.edit("20_concepts/Hybrid Search.md")
    editor.run("Mindnet! resolve")
    assert len(listed(editor, "quickfix")["items"]) > 1
    editor.edit(WHEEL)
    editor.run("Mindnet resolve")
    editor.until_said("every link leads somewhere")


def test_the_lens_lists_what_it_counts(editor: Plugin) -> None:
    """The command of our lenses, and VS Code's, run in the editor."""
    editor.edit(WHEEL)
    editor.lua("vim.lsp.codelens.refresh({ bufnr = 0 })")
    titles = (
        "local t = {}; for _, l in ipairs(vim.lsp.codelens.get(0)) do"
        " if l.command then t[l.command.title] = l end end"
    )
    editor.until(f"{titles}; return t['7 backlinks']")
    editor.lua(
        f"{titles}; local l = t['7 backlinks']; vim.b.lens = l.command;"
        " spec.client():exec_cmd(l.command, { bufnr = 0 })"
    )
    assert len(listed(editor, "quickfix")["items"]) == 7
    editor.edit(WHEEL)
    editor.lua(
        "local place = { uri = vim.uri_from_fname(vim.fn.expand('%:p:h') .. '/Fish Ladder.md'),"
        " range = { start = { line = 3, character = 0 }, ['end'] = { line = 3, character = 1 } } };"
        " spec.client():exec_cmd({ title = '', command = 'editor.action.showReferences',"
        " arguments = { vim.uri_from_bufnr(0), place.range.start, { place } } }, { bufnr = 0 })"
    )
    editor.until("return vim.fn.expand('%:t') == 'Fish Ladder.md'")
    assert editor.nvim.current.window.cursor == (4, 0)
