"""Typing goes on whatever happens: completion, other programs, a killed core, a killed server."""

from __future__ import annotations

import os
import signal

import pytest

from core.paths import vault_data_dir
from core.service.endpoint import read_endpoint
from tests.nvim.plugin import Plugin
from tests.support.cores import kill_core

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

NOTE = "20_concepts/Fish Ladder.md"
MENU = (
    "local i = vim.fn.complete_info({'pum_visible', 'items'});"
    " return i.pum_visible == 1 and vim.tbl_map(function(x) return x.abbr end, i.items)"
)


def completed(editor: Plugin, name: str) -> None:
    """Type a link at the end of the note and take the note that is offered."""
    editor.nvim.input(f"<Esc>Go[[{name[:5]}")
    labels = editor.until(MENU)
    assert name in labels
    editor.nvim.input("<C-n><C-y><Esc>")
    editor.until(f"return vim.fn.getline('$') == '[[{name}]]'")


def test_links_are_completed_out_of_the_box(editor: Plugin) -> None:
    editor.edit(NOTE)
    assert editor.lua("return vim.bo.completeopt") == "menu,menuone,noselect,popup"
    assert editor.lua("return vim.go.completeopt") == "menu,popup", "nobody else's is changed"
    completed(editor, "Kalkmörtel")


def test_a_kind_is_followed_by_its_targets(editor: Plugin) -> None:
    """The server may have the list opened again, as in VS Code."""
    editor.edit(NOTE)
    editor.nvim.input("Go[[rel:similar")
    editor.until(MENU)
    editor.nvim.input("<C-n><C-y>")
    labels = editor.until(f"if vim.fn.getline('$'):find('similar_to ') then {MENU} end")
    assert len(labels) > 5
    editor.nvim.input("<Esc><Esc>")


def test_what_another_program_writes_is_seen(editor: Plugin) -> None:
    """Neovim on Linux watches no files; the server does it then."""
    editor.edit(NOTE)
    editor.nvim.input("Go[[Told by a script]]<Esc>")
    codes = "return vim.tbl_map(function(d) return d.code end, vim.diagnostic.get(0))"
    editor.until(f"local c = (function() {codes} end)(); return #c == 1 and c[1]")
    other = editor.root / "Told by a script.md"
    other.write_text("# Told by a script\n")
    editor.until(f"return #(function() {codes} end)() == 0")
    other.unlink()
    editor.until(f"return #(function() {codes} end)() == 1")


def test_a_killed_core_costs_nothing(editor: Plugin) -> None:
    editor.edit(NOTE)
    editor.run("Mindnet query Kalkmörtel")
    editor.until("return vim.bo.buftype == 'quickfix'")
    editor.edit(NOTE)
    editor.nvim.input("GoBefore it died. ")
    killed = kill_core(editor.root, {"MINDNET_DATA_DIR": str(editor.data)})
    assert killed
    editor.nvim.input("After it died.<Esc>")
    editor.until("return vim.fn.getline('$') == 'Before it died. After it died.'")
    completed(editor, "Kalkmörtel")
    assert editor.said() == []
    editor.run("Mindnet query Kalkmörtel")
    editor.until("return vim.bo.buftype == 'quickfix'")
    endpoint = read_endpoint(vault_data_dir(editor.root, {"MINDNET_DATA_DIR": str(editor.data)}))
    assert endpoint
    assert endpoint.pid != killed, "another one answers"


def test_a_killed_server_costs_a_notice(editor: Plugin) -> None:
    """What is typed stays, a question ends, and a new server takes over the notes."""
    editor.edit("20_concepts/Flood Wave.md")
    editor.edit(NOTE)
    before = editor.lua("return spec.client().id")
    (server,) = _servers(editor)
    os.kill(server, signal.SIGSTOP)
    editor.run("Mindnet query Wer fragt?")
    editor.nvim.input("GoBefore it died. ")
    os.kill(server, signal.SIGKILL)
    editor.nvim.input("After it died.<Esc>")
    editor.until(f"local c = spec.client(); return c and c.id ~= {before} and c.initialized")
    assert editor.lines()[-1] == "Before it died. After it died."
    assert len(editor.lua("return vim.tbl_keys(spec.client().attached_buffers)")) >= 2
    told = editor.said()
    assert len([text for text in told if "quit with exit code" in text]) == 1, "Neovim's notice"
    assert "mindnet: the server has ended" in told, "the question"
    assert len(told) == 2
    completed(editor, "Kalkmörtel")
    editor.until("return spec.indexed()")


def test_restart_by_hand(editor: Plugin) -> None:
    editor.edit(NOTE)
    before = editor.lua("return spec.client().id")
    editor.run("Mindnet restart")
    editor.until(f"local c = spec.client(); return c and c.id ~= {before} and c.initialized")
    editor.lua("spec.client():stop()")
    editor.until("return spec.client() == nil")
    editor.run("Mindnet query Kalkmörtel")
    editor.until_said(":Mindnet restart starts it")
    editor.run("Mindnet restart")
    editor.until("local c = spec.client(); return c and c.initialized")
    assert editor.said() == ["mindnet: the server is not running; :Mindnet restart starts it"]
    editor.until("return spec.indexed()")


def test_what_is_asked_can_be_given_up(editor: Plugin) -> None:
    editor.edit(NOTE)
    title = "return vim.fn.getqflist({ title = 0 }).title"
    before = editor.lua(title)
    (server,) = _servers(editor)
    os.kill(server, signal.SIGSTOP)
    try:
        editor.run("Mindnet query Wer fragt?")
        editor.run("Mindnet cancel")
    finally:
        os.kill(server, signal.SIGCONT)
    assert editor.said() == ["mindnet: cancelled"]
    editor.run("Mindnet cancel")
    assert editor.said()[1:] == ["mindnet: nothing is going on"]
    editor.run("Mindnet status")
    editor.until("return spec.float()")
    assert editor.lua(title) == before, "an answer that nobody wants comes to nothing"


def _servers(editor: Plugin) -> list[int]:
    """Process ids of the servers that this Neovim started."""
    own = str(editor.lua("return vim.fn.getpid()"))
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    parent = file.read().rpartition(") ")[2].split()[1]
                with open(f"/proc/{entry}/cmdline") as file:
                    command = file.read()
            except OSError:
                continue
            if parent == own and "mindnet_lsp" in command:
                found.append(int(entry))
    return found
