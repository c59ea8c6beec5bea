"""Suggested links: chosen, inserted exactly, listed, dismissed; never into another text."""

from __future__ import annotations

import pytest

from tests.nvim.plugin import Plugin
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

NOTE = "30_projects/Pegelwächter.md"
WORDS = "Entscheidungstagebuch"


def open_note(editor: Plugin) -> str:
    """The note, and its line with the mention."""
    editor.edit(NOTE)
    return editor.lines()[editor.line_of(WORDS) - 1]


def chosen(editor: Plugin, *texts: str) -> None:
    editor.choose(*texts)
    editor.run("Mindnet suggest")
    editor.until(f"return #spec.offered == {len(texts)} and #spec.chosen == 0")


def test_a_suggestion_is_inserted_exactly(editor: Plugin) -> None:
    line = open_note(editor)
    chosen(editor, "Decision Journal", "insert")
    offered, acts = editor.lua("return spec.offered")
    (text,) = [one for one in offered["items"] if "Decision Journal" in one]
    assert text.split(" — ")[0].split("  ")[1].startswith("Decision Journal · ")
    assert WORDS in text.split(" — ")[1], "why"
    assert acts["items"] == ["insert", "open the note", "never suggest again"]
    link = acts["prompt"]
    assert "Decision Journal" in link
    assert editor.lines()[editor.line_of(WORDS) - 1] == line.replace(WORDS, link)
    editor.nvim.command("undo")
    assert editor.lines()[editor.line_of(WORDS) - 1] == line, "one undo"


def test_not_into_a_text_that_is_another_by_now(editor: Plugin) -> None:
    open_note(editor)
    editor.lua(
        "local select = vim.ui.select;"
        " vim.ui.select = function(items, options, on_choice)"
        "   if options.kind == 'mindnet.act' then"
        "     vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'typed meanwhile' }) end;"
        "   select(items, options, on_choice) end; spec.select = select"
    )
    chosen(editor, "Decision Journal", "insert")
    editor.lua("vim.ui.select = spec.select")
    editor.until_said("the note was changed meanwhile; nothing was inserted")
    assert not [line for line in editor.lines() if "[[Decision Journal" in line]
    assert editor.lines()[0] == "typed meanwhile"
    editor.nvim.command("undo")


def test_the_note_of_a_suggestion_is_opened(editor: Plugin) -> None:
    open_note(editor)
    chosen(editor, "Decision Journal", "open")
    editor.until("return vim.fn.expand('%:t') == 'Decision Journal.md'")


def test_nothing_chosen_changes_nothing(editor: Plugin) -> None:
    open_note(editor)
    editor.run("Mindnet suggest")
    editor.until("return #spec.offered == 1")
    assert editor.lua("return vim.bo.modified") is False


def test_they_are_listed_where_they_would_be_inserted(editor: Plugin) -> None:
    open_note(editor)
    number = editor.line_of(WORDS)
    editor.run("Mindnet! suggest")
    editor.until("return vim.bo.buftype == 'quickfix'")
    items = editor.lua("return vim.fn.getloclist(0)")
    (one,) = [item for item in items if "Decision Journal" in item["text"]]
    assert one["lnum"] == number
    editor.edit(NOTE)
    editor.run(f"{number},{number}Mindnet! suggest")
    editor.until("return vim.bo.buftype == 'quickfix'")
    assert {item["lnum"] for item in editor.lua("return vim.fn.getloclist(0)")} == {number}


def test_a_note_without_suggestions(editor: Plugin) -> None:
    editor.edit(NOTE)
    editor.run("1,1Mindnet suggest")
    editor.until_said("no link to suggest here")


def test_what_is_dismissed_is_not_suggested_until_it_is_taken_back(editor: Plugin) -> None:
    open_note(editor)
    chosen(editor, "Decision Journal", "never")
    editor.until_said("Decision Journal is not suggested here any more")
    offered = suggested(editor)
    assert not [text for text in offered if "Decision Journal" in text]
    open_note(editor)
    editor.choose("Decision Journal")
    editor.run("Mindnet dismissed")
    editor.until_said("Decision Journal is suggested again")
    assert [text for text in suggested(editor) if "Decision Journal" in text]
    open_note(editor)
    editor.run("Mindnet dismissed")
    editor.until_said("nothing was dismissed here")


def suggested(editor: Plugin) -> list[str]:
    """What is suggested now, as it is offered."""
    open_note(editor)
    editor.run("Mindnet! suggest")
    editor.until("return vim.bo.buftype == 'quickfix'")
    return [item["text"] for item in editor.lua("return vim.fn.getloclist(0)")]


def test_related_notes(editor: Plugin) -> None:
    editor.edit("20_concepts/Spaced Repetition.md")
    editor.run("Mindnet related")
    editor.until("return vim.bo.buftype == 'quickfix' or #spec.said > 0")
    assert editor.said() == []
    items = editor.lua("return vim.fn.getloclist(0)")
    assert items
    scores = [float(item["text"].split()[0]) for item in items]
    assert scores == sorted(scores, reverse=True)
    editor.nvim.input("<CR>")
    editor.until("return vim.bo.buftype == '' and vim.fn.expand('%:t') ~= 'Spaced Repetition.md'")


def test_with_the_prompts_that_neovim_has(editor: Plugin) -> None:
    """Nothing is replaced: the lists are typed into."""
    line = open_note(editor)
    number = editor.line_of(WORDS)
    editor.lua("spec.select, vim.ui.select = vim.ui.select, spec.own_select")
    editor.nvim.input(f":{number}Mindnet suggest<CR>")
    mode = "return vim.api.nvim_get_mode().mode"
    try:
        wait_for(lambda: editor.lua(mode) != "n", timeout=20, what="the list of suggestions")
        editor.nvim.input("1<CR>")
        editor.nvim.input("1<CR>")
        wait_for(lambda: editor.lines()[number - 1] != line, timeout=20, what="the link")
    finally:
        editor.nvim.input("<Esc><Esc>")
        editor.lua("vim.ui.select = spec.select")
    changed = editor.lines()[number - 1]
    assert changed != line
    assert changed.count("[[") == line.count("[[") + 1
