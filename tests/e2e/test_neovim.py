"""What a person does in the first minutes, in a real Neovim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.neovim import CONFIG, Neovim, neovim
from tests.support.fixture import parse_fixture

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

VAULT = """\
//- /start.md
# Start

🚢 See [[Harbour]] and [[Harbuor]].
//- /Harbour.md
# Harbour

Ships rest here.
//- /Crew.md
# Crew
"""


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Neovim]:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    (root / ".mindnet").mkdir()
    with neovim(root, tmp_path, "start.md") as found:
        yield found


def test_the_first_minutes_in_neovim(editor: Neovim) -> None:
    """Diagnostics, a fix, hover, a jump, and completion while typing."""
    assert len(CONFIG.read_text().splitlines()) == 10, "the README promises ten lines"

    shown = editor.until(
        "local d = vim.diagnostic.get(0); return #d > 0 and"
        " vim.tbl_map(function(x) return {x.lnum, x.col, x.code, x.source} end, d)"
    )
    assert shown == [[2, 27, "unresolved-link", "mindnet"]]

    editor.cursor(3, 31)
    editor.lua(
        "vim.lsp.buf.code_action({apply = true,"
        " filter = function(a) return a.title:find('Harbour') end})"
    )
    fixed = "🚢 See [[Harbour]] and [[Harbour]]."
    editor.until(f"return vim.api.nvim_buf_get_lines(0, 2, 3, true)[1] == '{fixed}'")
    editor.until("return #vim.diagnostic.get(0) == 0")

    editor.cursor(3, 12)
    editor.lua("vim.lsp.buf.hover()")
    text = editor.until(
        "for _, w in ipairs(vim.api.nvim_list_wins()) do"
        "  if vim.api.nvim_win_get_config(w).relative ~= '' then"
        "    local b = vim.api.nvim_win_get_buf(w)"
        "    return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, true), '\\n') end end"
    )
    assert "Ships rest here." in text

    editor.nvim.input("<Esc>")
    editor.cursor(3, 12)
    editor.lua("vim.lsp.buf.definition()")
    editor.until("return vim.fn.expand('%:t') == 'Harbour.md'")
    editor.nvim.command("buffer! start.md")

    editor.nvim.input("Go[[Cr")
    labels = editor.until(
        "local i = vim.fn.complete_info({'pum_visible', 'items'});"
        " return i.pum_visible == 1 and vim.tbl_map(function(x) return x.abbr end, i.items)"
    )
    assert labels == ["Crew"]
    editor.nvim.input("<C-n><C-y><Esc>")
    editor.until("local l = vim.api.nvim_buf_get_lines(0, -2, -1, true)[1]; return l == '[[Crew]]'")


def test_a_note_that_another_program_writes(editor: Neovim) -> None:
    """Neovim on Linux watches no files, so the server does."""
    editor.until("return #vim.diagnostic.get(0) == 1")
    folder = Path(editor.nvim.funcs.expand("%:p:h"))
    (folder / "Harbuor.md").write_text("# Harbuor\n")
    editor.until("return #vim.diagnostic.get(0) == 0")


def test_findings_follow_another_buffer_and_are_shown_once(editor: Neovim) -> None:
    """Neovim asks for findings after edits of the same buffer only, so they are pushed to it:
    none is stale, and none is there twice."""
    shown = "vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(vim.g.start))"
    editor.until("return #vim.diagnostic.get(0) == 1")
    editor.lua("vim.g.start = vim.api.nvim_get_current_buf()")
    editor.nvim.command("normal Go[[Crew#Pay]]")
    editor.until(f"return #{shown} == 2")
    folder = Path(editor.nvim.funcs.expand("%:p:h"))
    editor.nvim.command("set hidden")
    editor.nvim.command(f"edit {folder / 'Crew.md'}")
    editor.nvim.command("normal Go## Pay")
    editor.until(f"return #{shown} == 1")
    editor.nvim.command("undo")
    editor.until(f"return #{shown} == 2")
    assert len(set(editor.lua(f"return {shown}"))) == 2
