"""A real Neovim with the ten lines of the README, driven by real keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pynvim
import pytest

from tests.e2e.editor import environment
from tests.support.fixture import parse_fixture
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

CONFIG = Path(__file__).parent / "nvim" / "init.lua"
NVIM = Path(sys.executable).with_name("nvim")

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


class Neovim:
    """One embedded Neovim with `start.md` of the vault open."""

    def __init__(self, nvim: pynvim.Nvim) -> None:
        self.nvim = nvim

    def lua(self, code: str) -> Any:
        return self.nvim.exec_lua(code)

    def until(self, code: str) -> Any:
        """What Lua gives once it is true."""
        return wait_for(lambda: self.lua(code), timeout=20.0, what=code)

    def cursor(self, line: int, column: int) -> None:
        self.nvim.current.window.cursor = (line, column)


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Neovim]:
    root = parse_fixture(VAULT).write(tmp_path / "vault")
    (root / ".mindnet").mkdir()
    program = tmp_path / "bin" / "mindnet-lsp"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mindnet_lsp "$@"\n')
    program.chmod(0o755)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / "xdg" / kind.lower()))
    command = [str(NVIM), "--clean", "--embed", "--headless", "-u", str(CONFIG)]
    nvim = pynvim.attach("child", argv=command)
    found = Neovim(nvim)
    try:
        nvim.command("set noswapfile")
        nvim.command(f"edit {root / 'start.md'}")
        found.until("local c = vim.lsp.get_clients({bufnr = 0})[1]; return c and c.initialized")
        yield found
        nvim.command("lua vim.lsp.stop_client(vim.lsp.get_clients())")
        found.until("return #vim.lsp.get_clients() == 0")
    finally:
        with suppress(OSError, EOFError):  # how the end of the child shows
            nvim.command("qa!")
        nvim.close()


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
