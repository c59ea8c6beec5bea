"""What the plugin's files say: Lua that compiles, help that is found, and no mention of what
there is not."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from tests.e2e.neovim import NVIM
from tests.nvim.plugin import PLUGIN

MAX_LINES = 300
COMMANDS = PLUGIN / "lua" / "mindnet" / "commands"


def lua(code: str, *arguments: Path) -> str:
    command = [str(NVIM), "--clean", "--headless", "-l", "/dev/stdin", *map(str, arguments)]
    ran = subprocess.run(command, input=code, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0, ran.stderr
    return ran.stderr + ran.stdout


def test_every_file_compiles_and_is_short() -> None:
    files = sorted(PLUGIN.rglob("*.lua"))
    assert len(files) > 30
    lua("for _, file in ipairs(arg) do assert(loadfile(file)) end", *files)
    lines = {file: file.read_text("utf-8").split("\n") for file in files}
    assert [file for file in files if len(lines[file]) > MAX_LINES] == []
    long = [(file.name, line) for file in files for line in lines[file] if len(line) > 100]
    assert long == []


def test_the_tags_of_the_help_are_up_to_date(tmp_path: Path) -> None:
    """`nvim -c 'helptags editors/nvim/doc' -c q` brings them up to date."""
    made = Path(shutil.copytree(PLUGIN / "doc", tmp_path / "doc"))
    lua("vim.cmd.helptags(arg[1])", made)
    assert (made / "tags").read_text("utf-8") == (PLUGIN / "doc" / "tags").read_text("utf-8")


def test_every_subcommand_is_explained_and_nothing_else() -> None:
    help_text = (PLUGIN / "doc" / "mindnet.txt").read_text("utf-8")
    named = re.findall(r"\*:Mindnet-(\w+)\*", help_text)
    made = [path.stem for path in COMMANDS.glob("*.lua")]
    assert sorted(named) == sorted(made)
    listed = lua(
        "package.path = arg[1] .. '/lua/?.lua'"
        " io.write(table.concat(require('mindnet.command').NAMES, ' '))",
        PLUGIN,
    )
    assert sorted(listed.split()) == sorted(made)
    readme = (PLUGIN / "README.md").read_text("utf-8")
    assert [name for name in made if f"`{name}" not in readme and f"{name}`" not in readme] == []


def test_every_link_of_the_help_has_its_place() -> None:
    help_text = (PLUGIN / "doc" / "mindnet.txt").read_text("utf-8")
    tags = (PLUGIN / "doc" / "tags").read_text("utf-8")
    ours = {line.split("\t")[0] for line in tags.splitlines()}
    theirs = NVIM.parent.parent.rglob("runtime/doc/tags")
    known = {line.split("\t")[0] for file in theirs for line in file.read_text().splitlines()}
    links = set(re.findall(r"\|([^|\s]+)\|", help_text))
    assert links
    assert known
    assert sorted(links - ours - known) == []


def test_the_options_of_the_help_are_those_that_are() -> None:
    help_text = (PLUGIN / "doc" / "mindnet.txt").read_text("utf-8")
    block = help_text.split("require('mindnet').setup({\n    server")[1].split("})\n<")[0]
    shown = {"server", *re.findall(r"^    (\w+) =", block, re.MULTILINE)}
    config = (PLUGIN / "lua" / "mindnet" / "config.lua").read_text("utf-8")
    kinds = config.split("local KINDS = {")[1].split("\n}")[0]
    assert shown == set(re.findall(r"^  (\w+) =", kinds, re.MULTILINE))
