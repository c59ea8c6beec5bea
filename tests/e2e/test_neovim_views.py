"""Tokens, folds, hints, lenses and the hierarchy, as a real Neovim shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.neovim import Neovim, neovim
from tests.support.fixture import parse_fixture

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

VAULT = """\
//- /start.md
---
tags: [ships]
---
# Start

🚢 See [[20240101-abc]] and [[Gone]].

## Quay

- one
  - two

//- /20240101-abc.md
# On ships

[[start#Quay]]
"""
HINTS = "return vim.tbl_map(function(h) return h.inlay_hint.label end, vim.lsp.inlay_hint.get())"


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Neovim]:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    (root / ".mindnet").mkdir()
    with neovim(root, tmp_path, "start.md") as found:
        yield found


def _shows(editor: Neovim, column: int, name: str) -> None:
    """Wait until the token there is of this type."""
    editor.until(
        f"local t = vim.lsp.semantic_tokens.get_at_pos(0, 5, {column}) or {{}};"
        f" return #t == 1 and t[1].type == '{name}'"
    )


def test_tokens_arrive_and_follow_other_notes(editor: Neovim) -> None:
    line = "🚢 See [[20240101-abc]] and [[Gone]]."
    known, gone = (len(line[: line.index(word)].encode()) for word in ("2024", "Gone"))
    _shows(editor, known, "class")
    _shows(editor, gone, "comment")
    folder = Path(editor.nvim.funcs.expand("%:p:h"))
    (folder / "Gone.md").write_text("# Gone\n")
    _shows(editor, gone, "class")
    shown = editor.lua(
        "for _, ns in pairs(vim.api.nvim_get_namespaces()) do"
        "  for _, m in ipairs(vim.api.nvim_buf_get_extmarks(0, ns, 0, -1, {details = true})) do"
        "    if (m[4].hl_group or ''):find('@lsp.type.class') then return m[4].hl_group end end end"
    )
    assert shown == "@lsp.type.class.markdown"


def test_hints_arrive(editor: Neovim) -> None:
    editor.lua("vim.lsp.inlay_hint.enable(true)")
    editor.until(f"local h = (function() {HINTS} end)(); return h[1] == 'On ships'")
    (position,) = editor.lua(
        "return vim.tbl_map(function(h) return h.inlay_hint.position end, vim.lsp.inlay_hint.get())"
    )
    assert position == {"line": 5, "character": len("🚢 See [[20240101-abc]]".encode())}


def test_folds_arrive(editor: Neovim) -> None:
    editor.lua(
        "vim.wo.foldmethod = 'expr'; vim.wo.foldexpr = 'v:lua.vim.lsp.foldexpr()';"
        "vim.wo.foldtext = 'v:lua.vim.lsp.foldtext()'"
    )
    editor.until("return vim.fn.foldlevel(11) == 3")
    levels = editor.lua("return vim.tbl_map(vim.fn.foldlevel, vim.fn.range(1, 12))")
    assert levels == [1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 0]
    editor.lua("vim.cmd('8foldclose')")
    assert editor.lua("return vim.fn.foldtextresult(8)").startswith("## Quay … 3")


def test_lenses_arrive(editor: Neovim) -> None:
    _indexed(editor)
    editor.lua("vim.lsp.codelens.refresh({bufnr = 0})")
    titles = editor.until(
        "local t = {}; for _, l in ipairs(vim.lsp.codelens.get(0)) do"
        "  if l.command then table.insert(t, l.command.title) end end; return #t == 3 and t"
    )
    assert sorted(titles) == ["1 backlink", "1 link", "1 unresolved link"]


def test_the_hierarchy_fills_the_quickfix_list(editor: Neovim) -> None:
    _indexed(editor)
    editor.cursor(4, 3)
    editor.lua("vim.lsp.buf.outgoing_calls()")
    editor.until("return #vim.fn.getqflist() == 1")
    assert editor.lua("return vim.fn.getqflist()[1].text") == "On ships"


def _indexed(editor: Neovim) -> None:
    editor.until("return #vim.diagnostic.get(0) == 1")
