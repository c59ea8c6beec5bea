"""A real Neovim with the ten lines of the README, driven by real keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pynvim

from tests.e2e.editor import environment
from tests.support.waiting import wait_for

CONFIG = Path(__file__).parent / "nvim" / "init.lua"
NVIM = Path(sys.executable).with_name("nvim")
PATIENCE = 20.0
"""Seconds to wait for what an editor shows."""


class Neovim:
    """One embedded Neovim that follows a vault."""

    def __init__(self, nvim: pynvim.Nvim) -> None:
        self.nvim = nvim

    def lua(self, code: str) -> Any:
        return self.nvim.exec_lua(code)

    def until(self, code: str) -> Any:
        """What Lua gives once it is true."""
        return wait_for(lambda: self.lua(code), timeout=PATIENCE, what=code)

    def cursor(self, line: int, column: int) -> None:
        """Line from 1, column in bytes from 0, as Neovim counts."""
        self.nvim.current.window.cursor = (line, column)


@contextmanager
def neovim(root: Path, tmp: Path, note: str, **variables: str) -> Iterator[Neovim]:
    """Neovim with a note of the vault at `root` open and the server attached to it."""
    program = tmp / "bin" / "mindnet-lsp"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mindnet_lsp "$@"\n')
    program.chmod(0o755)
    values = environment(tmp, LC_ALL="C.UTF-8", **variables)
    values["PATH"] = f"{program.parent}{os.pathsep}{values['PATH']}"
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        values[f"XDG_{kind}_HOME"] = str(tmp / "xdg" / kind.lower())
    pairs = [f"{name}={value}" for name, value in values.items()]
    command = [str(NVIM), "--clean", "--embed", "--headless", "-u", str(CONFIG)]
    nvim = pynvim.attach("child", argv=["env", "-i", *pairs, *command])
    found = Neovim(nvim)
    try:
        nvim.command("set noswapfile")
        nvim.command(f"edit {root / note}")
        found.until("local c = vim.lsp.get_clients({bufnr = 0})[1]; return c and c.initialized")
        yield found
        nvim.command("lua vim.lsp.stop_client(vim.lsp.get_clients())")
        found.until("return #vim.lsp.get_clients() == 0")
    finally:
        with suppress(OSError, EOFError):  # how the end of the child shows
            nvim.command("qa!")
        nvim.close()
