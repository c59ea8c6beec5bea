"""The help, `docs/cli.md` and the contract say the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from core.cli.__main__ import COMMANDS
from core.cli.pages import PAGES
from tests.cli.document import DOCUMENT, parameters, render
from tests.cli.shell import REPOSITORY, Shell
from tests.test_invariants import HEAVY


def test_the_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text("utf-8") == render(), "run `python -m tests.cli.document`"


def test_every_command_has_a_page() -> None:
    assert COMMANDS.keys() == PAGES.keys()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_takes_the_common_options(name: str) -> None:
    usages = " ".join(one.usage for one in parameters(COMMANDS[name]))
    for option in ("--vault", "--prefix", "--json"):
        assert f"`{option}`" in usages
    for one in parameters(COMMANDS[name]):
        assert one.says().strip()


def test_examples_are_commands_with_options_that_exist() -> None:
    for name, page in PAGES.items():
        assert page.examples
        known = {
            o for one in parameters(COMMANDS[name]) for o in re.findall(r"`(-[\w-]+)`", one.usage)
        }
        for line, _ in page.examples:
            assert line.startswith(f"mindnet {name}")
            own = re.split(r" [|&>]", line)[0]
            assert set(re.findall(r"(?<= )--?[a-z][\w-]*", own)) <= known, line


def test_help_has_examples_and_exit_codes(shell: Shell) -> None:
    out, _ = shell.run("check", "--help")
    assert "Exit codes: 0 fine, 1 if something is wrong, 2 wrong usage or failure" in out
    assert "mindnet check edges chunks --json" in out
    assert "edges" in out


def test_help_and_completion_load_nothing_heavy() -> None:
    """Of any command, so that a shell can complete while somebody types."""
    heavy = [name for name in HEAVY if name != "typer"]
    code = (
        "import sys\n"
        "from core.cli.__main__ import COMMANDS, app\n"
        "for words in ([], *([name] for name in COMMANDS)):\n"
        "    app([*words, '--help'], prog_name='mindnet', standalone_mode=False)\n"
        f"print('loaded:', [name for name in {heavy!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "loaded: []"


def test_shells_complete_commands_options_and_values(shell: Shell) -> None:
    def complete(words: str, at: int) -> set[str]:
        environ = shell.environ | {
            "_MINDNET_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(at),
        }
        return set(shell.run(env=environ)[0].split())

    assert complete("mindnet ex", 1) == {"export"}
    assert "--explain" in complete("mindnet dryrun --", 2)
    assert complete("mindnet check wi", 2) == {"windows"}
    script, _ = shell.run("--show-completion", "bash")
    assert "_MINDNET_COMPLETE=complete_bash" in script


def test_the_program_has_the_name_that_is_completed() -> None:
    project = (REPOSITORY / "pyproject.toml").read_text("utf-8")
    assert 'mindnet = "core.cli.__main__:main"' in project
    assert os.path.basename(str(DOCUMENT)) == "cli.md"
