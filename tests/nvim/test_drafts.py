"""From a sentence to a note: the draft in its buffer, what is missing, and `:w`."""

from __future__ import annotations

import pytest

from tests.nvim.plugin import Plugin
from tests.support.cores import fingerprint

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

DRAFT = "return vim.fn.bufname():find('^mindnet://draft/') ~= nil"
MISSING = "return spec.virtual('mindnet.draft')"
NOTE = "Start hier.md"


def drafted(editor: Plugin, wish: str) -> None:
    editor.edit(NOTE)
    editor.run(f"Mindnet draft {wish}")
    editor.until(DRAFT)


def test_what_is_missing_is_shown_asked_for_and_the_note_saved(editor: Plugin) -> None:
    before = fingerprint(editor.root)
    drafted(editor, 'Create a project "Dry roof"')
    assert editor.lua("return vim.bo.filetype .. ' ' .. tostring(vim.bo.modified)") == (
        "markdown true"
    )
    shown = editor.until(MISSING)
    assert shown[0] == "still missing:"
    fields = [line.split(":")[0].strip() for line in shown[1:-1]]
    assert fields == ["goal", "steps"]
    assert all(line.endswith("?") for line in shown[1:-1])
    editor.type("Not a drop.", "Fetch a [[Material]] list")
    editor.run("Mindnet draft")
    editor.until("return #spec.virtual('mindnet.draft') == 0")
    assert [prompt.split(":")[0] for prompt in editor.lua("return spec.asked")] == fields
    assert "Not a drop." in "\n".join(editor.lines())
    assert fingerprint(editor.root) == before, "nothing is written before :w"
    text = "\n".join(editor.lines()) + "\n"
    editor.nvim.command("write")
    editor.until("return vim.fn.expand('%:t') == 'dry-roof.md' and vim.bo.buftype == ''")
    saved = list(editor.root.rglob("dry-roof.md"))
    assert [path.read_text("utf-8") for path in saved] == [text]
    assert editor.said()[-1] == "mindnet: saved as dry-roof.md"
    left = "function(b) return vim.fn.bufname(b):find('mindnet://draft') end"
    assert editor.lua(f"return #vim.tbl_filter({left}, vim.api.nvim_list_bufs())") == 0
    editor.until("return #vim.lsp.get_clients({ bufnr = 0 }) == 1")


def test_answers_do_not_write_over_what_was_typed(editor: Plugin) -> None:
    drafted(editor, 'Create a project "Quiet mill"')
    editor.nvim.command("normal! GoMine.")
    editor.type("x", "y")
    editor.run("Mindnet draft")
    editor.until_said("the draft was edited")
    assert editor.lines()[-1] == "Mine."
    assert editor.lua("return #spec.asked") == 0
    editor.nvim.command("bwipeout!")


def test_escape_ends_the_questions(editor: Plugin) -> None:
    drafted(editor, 'Create a project "Loud mill"')
    editor.run("Mindnet draft")
    assert editor.lua("return #spec.asked") == 1
    assert len(editor.until(MISSING)) == 4
    editor.nvim.command("bwipeout!")


def test_write_and_quit(editor: Plugin) -> None:
    drafted(editor, "type=concept Undershot wheels turn slowly")
    assert "type: concept" in editor.lines()
    editor.nvim.command("wq")
    (saved,) = editor.root.rglob("*undershot*.md")
    assert "type: concept" in saved.read_text("utf-8")
    editor.until(
        "return #vim.api.nvim_list_wins() == 1 and vim.fn.expand('%:t') == 'Start hier.md'"
    )


def test_a_draft_that_cannot_be_saved_stays(editor: Plugin) -> None:
    drafted(editor, 'Create a project "No home"')
    editor.lua(
        "local ask = require('mindnet.ask'); spec.run = ask.run;"
        " ask.run = function(name, arguments, ...)"
        "   arguments.folder = '../outside'; return spec.run(name, arguments, ...) end"
    )
    editor.nvim.command("write")
    editor.lua("require('mindnet.ask').run = spec.run")
    assert editor.said(), "told why"
    assert editor.lua(DRAFT)
    assert editor.lua("return vim.bo.modified") is True
    editor.nvim.command("bwipeout!")


def test_the_selection_is_what_the_note_tells(editor: Plugin) -> None:
    editor.edit("20_concepts/Wasserrad.md")
    number = editor.line_of("# Wasserrad")
    editor.run(f"{number},{number}Mindnet draft")
    editor.until(DRAFT)
    assert "Wasserrad" in "\n".join(editor.lines())
    editor.nvim.command("bwipeout!")
