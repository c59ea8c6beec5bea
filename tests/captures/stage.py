"""A real Neovim with a screen, on which scenes are played."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.captures.scene import Keys, Lua, Scene, Until
from tests.e2e.neovim import Neovim, neovim

VAULT = Path(__file__).parents[2] / "examples" / "vault"
COLUMNS, ROWS = 112, 30
_LUA = Path(__file__).with_name("stage.lua")


class Stage:
    """Plays scenes one after the other; each begins with the note as it is on disk."""

    def __init__(self, editor: Neovim, root: Path) -> None:
        self._editor, self._root = editor, root
        editor.nvim.ui_attach(COLUMNS, ROWS, rgb=True)
        # not nvim.chdir: that changes the folder of this process as well
        editor.lua(f"vim.fn.chdir({str(root)!r})")
        editor.lua(_LUA.read_text("utf-8"))
        editor.lua("capture.setup()")
        editor.until("return capture.indexed()")

    def play(self, scene: Scene) -> str:
        """The capture: lines without blanks at their ends. Raises AssertionError naming the
        scene where something does not come."""
        try:
            return self._play(scene)
        except AssertionError as error:
            raise AssertionError(f"{scene.name}: {error}") from error

    def _play(self, scene: Scene) -> str:
        editor = self._editor
        editor.nvim.command("silent! only! | silent! cclose | silent! lclose")
        editor.lua(f"vim.cmd.edit({{ args = {{ {scene.note!r} }}, bang = true }})")
        editor.until("return #vim.lsp.get_clients({ bufnr = 0 }) > 0")
        editor.lua("capture.clear()")
        self._place(scene)
        for step in scene.steps:
            match step:
                case Keys(keys):
                    editor.nvim.input(keys)
                case Lua(code):
                    editor.lua(code)
                case Until(code):
                    editor.until(f"return {code}")
        shows = scene.shows if scene.shows.endswith(")") else f"{scene.shows}()"
        lines = list(editor.lua(f"return capture.{shows}"))
        editor.nvim.input("<Esc><Esc><Esc>")
        editor.nvim.command("stopinsert")
        return "\n".join(_trimmed([str(line) for line in lines])[: scene.rows])

    def _place(self, scene: Scene) -> None:
        before, mark, after = scene.at.partition("|")
        wanted = before + after
        lines: list[str] = self._editor.nvim.current.buffer[:]
        for number, line in enumerate(lines, 1):
            if wanted in line:
                column = len(line[: line.index(wanted) + len(before if mark else "")].encode())
                self._editor.cursor(number, column)
                if scene.top:
                    view = f"topline = {scene.top}, lnum = {number}, col = {column}"
                    self._editor.lua(f"vim.cmd('redraw!') vim.fn.winrestview({{ {view} }})")
                return
        raise LookupError(f"{scene.name}: {wanted!r} is not in {scene.note}")


@contextmanager
def stage(tmp: Path) -> Iterator[Stage]:
    """A stage with a copy of the example vault, so that nothing played is kept."""
    root = tmp / "vault"
    shutil.copytree(VAULT, root)
    # suggestions come when the core is ready: a capture must not depend on the moment
    config = tmp / "config"
    config.mkdir()
    (config / "settings.yaml").write_text("suggestions:\n  min_score: 1\n")
    with neovim(root, tmp, "Start hier.md", MINDNET_CONFIG_DIR=str(config)) as editor:
        yield Stage(editor, root)


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines
