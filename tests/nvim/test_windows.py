"""Floating windows, the statusline, and what is chosen from lists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.nvim.plugin import Plugin

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

WHEEL = "20_concepts/Wasserrad.md"
DECISION = "decisions/Eichenholz statt Stahl.md"


def floating(editor: Plugin) -> list[str]:
    """The lines of the floating window, once it is there."""
    return list(editor.until("local b = spec.float(); return b and spec.lines(b)"))


def titled(editor: Plugin, part: str) -> None:
    """Wait until the floating window's title has these words."""
    editor.until(
        "local _, w = spec.float(); local t = w and vim.api.nvim_win_get_config(w).title;"
        f" return t and t[1][1]:find({part!r}, 1, true)"
    )


def test_the_graph_is_a_tree_to_walk_in(editor: Plugin) -> None:
    editor.edit(DECISION)
    editor.run("Mindnet graph")
    lines = floating(editor)
    titled(editor, "Eichenholz statt Stahl · 1 hop")
    assert lines[0] == "Eichenholz statt Stahl"
    assert all(line.startswith(("├─ ", "└─ ")) for line in lines[1:])
    assert lines[-1].startswith("└─ ")
    project = next(line for line in lines if "Restore the Mill Wheel" in line)
    assert "← depends_on" in project
    assert project.endswith("Restore the Mill Wheel (project)")
    editor.nvim.input("+")
    titled(editor, "2 hops")
    wider = floating(editor)
    assert len(wider) > len(lines)
    names = [line.lstrip("│├└─ ") for line in wider]
    assert len(names) == len(set(names)), "each note once"
    editor.nvim.input("-")
    titled(editor, "1 hop")
    assert floating(editor) == lines
    editor.nvim.input(f"{lines.index(project) + 1}G<Tab>")
    titled(editor, "Restore the Mill Wheel · 1 hop")
    around = floating(editor)
    assert around[0] == "Restore the Mill Wheel"
    back = next(at for at, line in enumerate(around, 1) if "Eichenholz statt Stahl" in line)
    editor.nvim.input(f"{back}G<CR>")
    editor.until("return spec.float() == nil and vim.fn.expand('%:t') ~= ''")
    assert editor.lua("return vim.fn.expand('%:t')") == "Eichenholz statt Stahl.md"


def test_the_graph_by_kind(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.run("Mindnet graph 1 depends_on")
    lines = floating(editor)
    assert lines[1:]
    assert all("depends_on" in line for line in lines[1:])
    editor.nvim.input("q")
    editor.until("return spec.float() == nil")


def test_the_status_in_words(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.run("Mindnet status")
    rows: dict[str, Any] = {line[1:16].strip(): line[16:].strip() for line in floating(editor)}
    assert rows["vault"] == str(editor.root)
    assert int(rows["notes"]) >= 37
    assert rows["index"] == "ready"
    assert rows["store"] == "embedded, ready"
    assert rows["embedding"].startswith("none")
    editor.nvim.input("<Esc>")
    editor.until("return spec.float() == nil")


def test_the_statusline_follows_the_server(editor: Plugin) -> None:
    editor.edit(WHEEL)
    line = "require('mindnet').statusline()"
    before = int(editor.until(f"return {line}:match('^mindnet (%d+) notes$')"))
    editor.lua(
        "spec.heard = 0; vim.api.nvim_create_autocmd('User', { pattern = 'MindnetStatus',"
        " callback = function() spec.heard = spec.heard + 1 end })"
    )
    (editor.root / "Told by nobody.md").write_text("# Told by nobody\n")
    editor.until(f"return {line} == 'mindnet {before + 1} notes' and spec.heard > 0")
    (editor.root / "Told by nobody.md").unlink()
    editor.until(f"return {line} == 'mindnet {before} notes'")
    editor.nvim.command("enew")
    assert editor.lua(f"return {line}") == ""


def test_the_way_to_another_note(editor: Plugin) -> None:
    editor.edit(WHEEL)
    completed = editor.nvim.funcs.getcompletion("Mindnet path Restore the M", "cmdline")
    assert completed == ["Mill Wheel"]
    editor.choose("—", "Restore")
    editor.run("Mindnet path Restore the Mill Wheel")
    editor.until("return vim.fn.expand('%:t') == 'Restore the Mill Wheel.md'")
    ways = editor.lua("return spec.offered[1].items")
    assert all(way.startswith("Wasserrad —") for way in ways)
    assert all(way.endswith("→ Restore the Mill Wheel") for way in ways)
    editor.edit(WHEEL)
    editor.run("Mindnet path Qwxyzzkvrtp")
    editor.until_said("no note is called Qwxyzzkvrtp")


def test_a_new_note(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.run("Mindnet new type=concept Breast wheel")
    editor.until("return vim.fn.expand('%:t') == 'Breast wheel.md' and vim.bo.buftype == ''")
    assert "type: concept" in editor.lines()
    editor.run("Mindnet new type=concept Breast wheel")
    editor.until_said("exists already")


def test_all_notes_are_read_again(editor: Plugin) -> None:
    editor.edit(WHEEL)
    editor.run("Mindnet reindex")
    told = editor.until_said(" relations; ")
    assert int(told.split()[1]) >= 37
    editor.edit(WHEEL)
    editor.run("Mindnet! reindex")
    changed = int(editor.until_said(" relations; ").split(" changed")[0].split()[-1])
    assert changed >= 37, "with ! each is written anew"


def test_the_command_completes_and_explains_itself(editor: Plugin) -> None:
    editor.edit(WHEEL)
    names = editor.nvim.funcs.getcompletion("Mindnet ", "cmdline")
    assert names[:3] == ["chat", "query", "draft"]
    assert editor.nvim.funcs.getcompletion("Mindnet re", "cmdline") == [
        "related",
        "resolve",
        "reindex",
        "restart",
    ]
    assert editor.nvim.funcs.getcompletion("Mindnet! rei", "cmdline") == ["reindex"]
    assert editor.nvim.funcs.getcompletion("Mindnet rate ", "cmdline") == list("12345")
    editor.run("Mindnet nothing")
    assert "nothing is no subcommand" in editor.said()[0]
    editor.choose("status")
    editor.run("Mindnet")
    assert len(floating(editor)) > 5
    assert [item.split()[0] for item in editor.lua("return spec.offered[1].items")] == names
    editor.nvim.command("enew")
    assert editor.lua("return vim.fn.exists(':Mindnet')") == 0, "only where there is a server"
