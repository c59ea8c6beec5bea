"""`mindnet draft`: shown, asked for more, saved, never over a note that is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.parse import parse_note
from tests.cli.shell import Shell
from tests.support.cores import fingerprint


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    made = Shell(tmp_path)
    made.environ["MINDNET_OLLAMA_URL"] = "http://127.0.0.1:9"
    yield made
    made.close()


def test_a_draft_is_shown_and_nothing_is_written(shell: Shell) -> None:
    before = fingerprint(shell.root)
    out, errors = shell.run("draft", "Create a task to mend the reeds", code=1)
    note = parse_note("x.md", out)
    assert (note.type, note.title, note.problems) == ("task", "Mend the reeds", ())
    assert errors.splitlines() == [
        "would be mend-the-reeds.md",
        "(Ollama does not answer at http://127.0.0.1:9)",
        "what: What exactly has to be done?",
        "done_when: How do you know that it is done?",
    ]
    german = {**shell.environ, "LANG": "de_DE.UTF-8"}
    _, errors = shell.run("draft", "Neue Aufgabe: Öl", code=1, env=german)
    assert "would be" not in errors
    assert "oel.md" in errors
    assert "was: " not in errors
    assert "Was genau ist zu tun?" in errors
    assert fingerprint(shell.root) == before


def test_a_draft_is_saved_under_a_free_name(shell: Shell) -> None:
    told = ("--type", "Task", "--answer", "what=Look [[otter]]", "--answer", "done_when=Dry")
    for name in ("heron-2.md", "heron-3.md"):
        out, errors = shell.run("draft", "Heron", *told, "--save")
        assert (out, errors) == (f"{name}\n", "")
        note = parse_note(name, (shell.root / name).read_text("utf-8"))
        assert (note.title, note.type, note.problems) == ("Heron", "task", ())
        assert [link.target for link in note.links] == ["otter"]
    assert (shell.root / "heron.md").read_text("utf-8").startswith("# Heron")
    found = shell.json("draft", "Heron", *told, "--save", "--folder", "in/box")
    assert (found["path"], found["saved"]) == ("in/box/heron.md", True)
    assert (shell.root / "in/box/heron.md").read_text("utf-8") == found["markdown"]
    ids = {parse_note("", path.read_text("utf-8")).note_id for path in shell.root.rglob("*.md")}
    assert len(ids - {None}) == 3


def test_a_running_core_knows_it_at_once(shell: Shell) -> None:
    shell.serve()
    answers = ("--answer", "what=Kormorane zählen", "--answer", "done_when=Alle gezählt")
    shell.run("draft", "Neue Aufgabe: Kormorane", *answers, "--save")
    assert [hit["path"] for hit in shell.json("query", "Kormorane")["hits"]] == ["kormorane.md"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x", "--answer", "due"), "is no FIELD=TEXT"),
        (("x", "--folder", "../up"), "leaves the vault"),
        (("x", "--folder", ".git"), "is no name for a folder of notes"),
        ((), "Missing argument"),
    ],
)
def test_wrong_usage(shell: Shell, arguments: tuple[str, ...], message: str) -> None:
    _, errors = shell.run("draft", *arguments, "--save", code=2)
    assert message in errors
    assert len(errors.splitlines()) == 1
