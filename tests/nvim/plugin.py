"""A Neovim into which the plugin was installed as its README says."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pynvim

from tests.e2e.editor import environment
from tests.e2e.neovim import NVIM, Neovim
from tests.support.cores import kill_core
from tests.support.waiting import wait_for

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "editors" / "nvim"
EXAMPLE = ROOT / "examples" / "vault"
HERE = Path(__file__).parent
SPEC = HERE / "spec.lua"
CONFIG = HERE / "init.lua"
PATIENCE = 60.0


class Plugin(Neovim):
    """Neovim with the plugin; people's choices are those that the test has put into `spec`."""

    def __init__(self, nvim: pynvim.Nvim, root: Path, data: Path) -> None:
        super().__init__(nvim)
        self.root, self.data = root, data

    def until(self, code: str) -> Any:
        """What Lua gives once it is true. A server and a core may have to start for it."""
        return wait_for(lambda: self.lua(code), timeout=PATIENCE, what=code)

    def edit(self, note: str) -> None:
        """A note as it is on disk, alone on the screen, with nothing said or asked before."""
        self.nvim.command("stopinsert | silent! only! | silent! cclose | silent! lclose")
        self.nvim.command(f"edit! {str(self.root / note).replace(' ', chr(92) + ' ')}")
        self.until(
            "return vim.fn.exists(':Mindnet') == 2 and #vim.lsp.get_clients({bufnr = 0}) == 1"
        )
        self.until("return vim.lsp.get_clients({bufnr = 0})[1].initialized")
        self.lua("spec.clear()")

    def run(self, command: str) -> None:
        """`:Mindnet …`, without waiting for what comes of it."""
        self.lua(f"vim.cmd({command!r})")

    def choose(self, *texts: str) -> None:
        self.lua(f"spec.chosen = {{ {', '.join(f'[==[{text}]==]' for text in texts)} }}")

    def type(self, *texts: str) -> None:
        self.lua(f"spec.typed = {{ {', '.join(f'[==[{text}]==]' for text in texts)} }}")

    def said(self) -> list[str]:
        """What was told since the note was opened."""
        return [one["text"] for one in self.lua("return spec.said")]

    def until_said(self, part: str) -> str:
        """Wait until something with these words is told."""
        code = f"for _, s in ipairs(spec.said) do if s.text:find({part!r}, 1, true) then"
        try:
            return str(self.until(f"{code} return s.text end end"))
        except AssertionError as error:
            raise AssertionError(f"{error}; said: {self.said()}") from error

    def lines(self) -> list[str]:
        return list(self.nvim.current.buffer[:])

    def line_of(self, text: str) -> int:
        """The line, from 1, that has a text."""
        found = [number for number, line in enumerate(self.lines(), 1) if text in line]
        assert found, f"{text!r} is not in {self.lines()}"
        return found[0]


@contextmanager
def installed(tmp: Path, config: Path | str = CONFIG, **variables: str) -> Iterator[Plugin]:
    """Neovim with the plugin, a copy of the example vault, and no note open yet."""
    root = tmp / "vault"
    if not root.exists():
        shutil.copytree(EXAMPLE, root)
    values = environment(tmp, **{"LC_ALL": "C.UTF-8", **variables})
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        values[f"XDG_{kind}_HOME"] = str(tmp / "xdg" / kind.lower())
    home = tmp / "xdg"
    pack = home / "data" / "nvim" / "site" / "pack" / "mindnet" / "start"
    if not pack.exists():
        pack.mkdir(parents=True)
        (pack / "mindnet").symlink_to(PLUGIN)
        program = home / "data" / "nvim" / "mindnet" / "server" / "bin" / "mindnet-lsp"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mindnet_lsp "$@"\n')
        program.chmod(0o755)
        init = home / "config" / "nvim" / "init.lua"
        init.parent.mkdir(parents=True)
        init.write_text(config.read_text() if isinstance(config, Path) else config)
    pairs = [f"{name}={value}" for name, value in values.items()]
    nvim = pynvim.attach("child", argv=["env", "-i", *pairs, str(NVIM), "--embed", "--headless"])
    found = Plugin(nvim, root, Path(values["MINDNET_DATA_DIR"]))
    try:
        nvim.ui_attach(120, 40, rgb=True)
        nvim.command("set noswapfile hidden")
        found.lua(SPEC.read_text("utf-8"))
        yield found
        nvim.command("lua vim.lsp.stop_client(vim.lsp.get_clients())")
        found.until("return #vim.lsp.get_clients() == 0")
    finally:
        with suppress(OSError, EOFError):  # how the end of the child shows
            nvim.command("qa!")
        nvim.close()
        if found.data.is_dir():
            kill_core(root, {"MINDNET_DATA_DIR": str(found.data)})
