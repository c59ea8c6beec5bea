"""Actions that an editor resolves when they are chosen, in a real Neovim."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.neovim import neovim
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

VAULT = """\
//- /start.md
# Start

🚢 The harbour. [[Pier]]

## Quay ñ

On the quay.
//- /use.md
[[start#Quay ñ|q]]
//- /Harbour.md
---
type: concept
---
# Harbour
"""
LINES = "table.concat(vim.api.nvim_buf_get_lines({}, 0, -1, true), '\\n')"


def test_actions_in_neovim(tmp_path: Path) -> None:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    (root / ".mindnet").mkdir()
    with neovim(root, tmp_path, "start.md") as editor:
        editor.until("return #vim.diagnostic.get(0) == 1")

        def act(line: int, column: int, title: str) -> None:
            editor.cursor(line, column)
            editor.lua(
                "vim.lsp.buf.code_action({apply = true,"
                f" filter = function(a) return a.title == {title!r} end}})"
            )

        act(3, 11, "Link to “Harbour”")
        linked = "🚢 The [[Harbour|harbour]]. [[Pier]]"
        editor.until(f"return vim.api.nvim_buf_get_lines(0, 2, 3, true)[1] == {linked!r}")

        act(5, 4, "Extract to new note “Quay ñ”")
        left = f"# Start\n\n{linked}\n\n[[Quay ñ]]"
        editor.until(f"return {LINES.format(0)} == {left!r}")
        new, use = root / "Quay ñ.md", root / "use.md"
        editor.nvim.command("wall")
        wait_for(lambda: new.exists() and new.read_text() == "# Quay ñ\n\nOn the quay.\n")
        wait_for(lambda: use.read_text() == "[[Quay ñ#Quay ñ|q]]\n")

        act(3, 34, "Create “Pier.md” as concept")
        buffer = f"vim.fn.bufnr({str(root / 'Pier.md')!r})"
        text = editor.until(f"return {buffer} > 0 and {LINES.format(buffer)}")
        assert text.startswith("---\ntype: concept\ntitle: Pier\nstatus: draft\ncreated: 20")
        editor.nvim.command("wall")
        editor.until("return #vim.diagnostic.get(0) == 0")
