"""Installing, finding the server, what is told where there is none, and in which language."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pynvim
import pytest

from tests.e2e.editor import environment
from tests.e2e.neovim import NVIM, Neovim
from tests.nvim.plugin import EXAMPLE, PLUGIN, ROOT, Plugin, installed
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

NOTE = "20_concepts/Wasserrad.md"
HEALTH = "return table.concat(spec.lines(), '\\n')"


def health(editor: Plugin) -> str:
    editor.nvim.command("checkhealth mindnet")
    return str(editor.lua(HEALTH))


def test_healthy(editor: Plugin) -> None:
    editor.edit(NOTE)
    text = health(editor)
    assert re.search(r"OK mindnet-lsp \S+ \(.*/mindnet/server/bin/mindnet-lsp\)", text)
    assert re.search(rf"OK {re.escape(str(editor.root))}: \d+ open", text)
    assert "OK Neovim's own, while you type" in text
    assert "ERROR" not in text
    editor.nvim.command("bwipeout")


def test_in_german_and_nothing_else(tmp_path: Path) -> None:
    """By Neovim's language, the environment's, and the server's setting."""
    words = re.compile(r"\b(the|is|and|notes?|none|ready|unavailable|server ended)\b")
    variables = {"MINDNET_LOCALE": "", "LC_ALL": "", "LANG": "de_AT.UTF-8"}
    with installed(tmp_path, **variables) as editor:
        editor.edit(NOTE)
        editor.until("return require('mindnet').statusline():match('^mindnet %d+ Notizen$')")
        editor.lua("vim.lsp.codelens.refresh({ bufnr = 0 })")
        editor.until(
            "for _, l in ipairs(vim.lsp.codelens.get(0)) do"
            " if l.command and l.command.title:find('Rückverweise') then return true end end"
        )
        editor.run("Mindnet status")
        editor.until("return spec.float()")
        rows = [line.split("  ")[0].strip() for line in editor.lines()]
        assert {"Notizen", "Links ins Leere", "Abschnitte", "Sprachmodell"} <= set(rows)
        editor.nvim.input("q")
        editor.run("Mindnet nichts")
        editor.run("Mindnet cancel")
        editor.run("Mindnet rate 9")
        text = health(editor)
        assert "von Neovim, beim Tippen" in text
        told = [*editor.said(), *(line for line in text.split("\n") if re.match(r"^- ", line))]
        assert len(told) > 6
        assert [line for line in told if words.search(line)] == []
        editor.nvim.command("bwipeout")
        editor.lua("spec.client().settings = { mindnet = { locale = 'en' } }")
        editor.lua("spec.clear()")
        editor.run("Mindnet cancel")
        assert editor.said() == ["mindnet: nothing is going on"]


def test_options_and_a_server_that_is_none(tmp_path: Path) -> None:
    """What is wrong is told; what is right counts; and notes can be written all the same."""
    config = (
        "vim.lsp.enable('mindnet')\n"
        "require('mindnet').setup({ server = '/nowhere/lsp', completion = false,"
        " codelens = true, restart = 'no' })\n"
    )
    with installed(tmp_path, config) as editor:
        editor.nvim.command(f"edit {editor.root / NOTE}")
        editor.until_said("the option server is /nowhere/lsp, which is no program")
        before = str(editor.nvim.funcs.execute("messages")).split("\n")
        assert before[-2:] == [
            "mindnet: codelens: unknown option",
            "mindnet: restart: must be boolean",
        ]
        editor.nvim.command("edit " + str(editor.root / "Start hier.md").replace(" ", "\\ "))
        assert len(editor.said()) == 1, "once"
        assert editor.lua("return #vim.lsp.get_clients()") == 0
        assert editor.lua("return require('mindnet').statusline()") == ""
        text = health(editor)
        assert "ERROR the option server is /nowhere/lsp" in text
        assert "see :help |mindnet-install|" in text
        assert "switched off" in text
        editor.lua(
            f"require('mindnet').setup({{ server = {{ '{sys.executable}', '-P', '-m',"
            " 'mindnet_lsp' }, code_lens = true, inlay_hints = true })"
        )
        editor.nvim.command("bwipeout | only")
        editor.nvim.command(f"buffer {NOTE} | edit")
        editor.until("local c = spec.client(); return c and c.initialized")
        editor.until("for _, l in ipairs(vim.lsp.codelens.get(0)) do return l.command ~= nil end")
        assert editor.lua("return vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })") is True
        assert editor.lua("return vim.bo.completeopt") == "", "completion is another's"


def test_a_server_that_cannot_stay_is_given_up(tmp_path: Path) -> None:
    """It is tried again less and less soon, then no more, and that is told once."""
    config = (
        "require('mindnet').setup({ server = { 'sh', '-c', 'exit 3' } })\n"
        "vim.lsp.enable('mindnet')\n"
    )
    with installed(tmp_path, config) as editor:
        editor.lua("require('mindnet.revive').first_ms = 1")
        editor.nvim.command(f"edit {editor.root / NOTE}")
        editor.until_said("the server keeps ending")
        assert len([text for text in editor.said() if "keeps ending" in text]) == 1
        editor.nvim.input("Gomine<Esc>")
        editor.until("return vim.fn.getline('$') == 'mine'")


def test_the_steps_of_the_readme(tmp_path: Path) -> None:
    """On a bare machine, followed word by word; only what pip would fetch is there already."""
    (steps,) = re.findall(r"```sh\n(.*?)```", (PLUGIN / "README.md").read_text("utf-8"), re.DOTALL)
    values = environment(tmp_path, LC_ALL="C.UTF-8", PIP_DISABLE_PIP_VERSION_CHECK="1")
    for name in ("PYTHONPATH", "PYTHONWARNINGS"):
        del values[name]

    def follow(commands: str) -> None:
        ran = subprocess.run(
            ["sh", "-e", "-c", commands],
            cwd=ROOT,
            env=values,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr

    first, others = steps.split("\n", 1)
    follow(first)
    own = Path(values["HOME"]) / ".local/share/nvim/mindnet/server"
    (packages,) = own.glob("lib/python*/site-packages")
    here = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "there-already.pth").write_text("\n".join(here))
    follow(others)
    pairs = [f"{name}={value}" for name, value in values.items()]
    nvim = pynvim.attach("child", argv=["env", "-i", *pairs, str(NVIM), "--embed", "--headless"])
    try:
        found = Neovim(nvim)
        nvim.command(f"edit {EXAMPLE / NOTE}")
        found.until("local c = vim.lsp.get_clients({bufnr = 0})[1]; return c and c.initialized")
        nvim.command("checkhealth mindnet")
        text = "\n".join(nvim.current.buffer[:])
        program = re.escape(str(own / "bin" / "mindnet-lsp"))
        assert re.search(rf"OK mindnet-lsp \S+ \({program}\)", text), text
        assert list(packages.glob("mindnet_lsp/__main__.py")), "not that of the repository"
        nvim.command("help :Mindnet-suggest")
        assert found.lua("return vim.fn.expand('%:t')") == "mindnet.txt"
    finally:
        _end(nvim)


def _end(nvim: Any) -> None:
    nvim.command("lua vim.lsp.stop_client(vim.lsp.get_clients())")
    wait_for(lambda: nvim.exec_lua("return #vim.lsp.get_clients() == 0"))
    with suppress(OSError, EOFError):  # how the end of the child shows
        nvim.command("qa!")
    nvim.close()
