"""Completion in a real Neovim: what a key does to the text, and to another note."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.neovim import Neovim, neovim
from tests.support.fixture import parse_fixture

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

VAULT = """\
//- /start.md
# Start
//- /Harbour.md
# Harbour

🚢 Ships rest here.
//- /Pump House.md
---
aliases: [Alte Pumpe $5]
---
"""


def _choose(editor: Neovim, keys: str, label: str, pattern: str) -> str:
    """Type on a new last line and take the first item, which has this label; the line when it
    fits the (Lua) pattern."""
    editor.nvim.input(f"<Esc>Go{keys}")
    editor.until(
        "local i = vim.fn.complete_info({'pum_visible', 'items'});"
        f" return i.pum_visible == 1 and i.items[1].abbr == '{label}'"
    )
    editor.nvim.input("<C-n><C-y>")
    line = editor.until(
        f"return vim.api.nvim_buf_get_lines(0, -2, -1, true)[1]:match('^{pattern}$')"
    )
    return str(line)


def test_completion_by_keys(tmp_path: Path) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    (root / ".mindnet").mkdir()
    with neovim(root, tmp_path, "start.md") as editor:
        _choose(editor, "depends:", "depends_on::", "depends_on:: ")
        _choose(editor, "rel:dep", "depends_on", "rel:depends_on ")
        _choose(editor, "🚢 [[", "Harbour", "🚢 %[%[Harbour%]%]")
        _choose(editor, "[[harb", "Harbour", "%[%[Harbour%]%]")
        _choose(editor, "[[pump", "Pump House", "%[%[Pump House%]%]")
        _choose(editor, "x [[alte", "Alte Pumpe $5", "x %[%[Pump House|Alte Pumpe %$5%]%]")
        _choose(editor, "blocks:: [[house", "Pump House", "blocks:: %[%[Pump House%]%]")
        _choose(editor, "> [", "[!edge]", "> %[!edge%] ")

        rests = "🚢 Ships rest here."
        line = _choose(editor, "[[Harbour#^", rests, "%[%[Harbour#^[a-z0-9]+%]%]")
        mark = line.removeprefix("[[Harbour#").removesuffix("]]")
        editor.until(
            f"local b = vim.fn.bufnr('{root / 'Harbour.md'}');"
            " return b > 0 and vim.api.nvim_buf_get_lines(b, 2, 3, false)[1]"
            f" == '🚢 Ships rest here. {mark}'"
        )
