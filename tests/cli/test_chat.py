"""`mindnet chat` and drafts by a model: with a core and without, with Ollama and without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.parse import parse_note
from tests.cli.shell import Shell
from tests.support.cores import fingerprint
from tests.support.fake_ollama import FakeModel, FakeOllama

QUESTION = "Where does the heron wait?"


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with FakeOllama(FakeModel("small:latest")) as fake:
        fake.answer = lambda messages: "In the reeds [1], not on the moon [7]."
        yield fake


def with_model(shell: Shell, server: FakeOllama) -> None:
    shell.environ |= {"MINDNET_OLLAMA_URL": server.url, "MINDNET_LLM_MODEL": "small"}


def test_an_answer_with_its_sources(shell: Shell, server: FakeOllama) -> None:
    with_model(shell, server)
    shell.run("import", "--apply")
    before = fingerprint(shell.root)
    out, errors = shell.run("chat", QUESTION)
    lines = out.splitlines()
    assert lines[:3] == [
        "In the reeds [1], not on the moon.",
        "",
        "*[1] Heron  heron.md:3",
    ]
    assert "searched by words alone" in errors
    found = shell.json("chat", QUESTION)
    assert (found["intent"], found["citations"]) == ("FACT", [1])
    out, errors = shell.run("chat", "How do rockets fly?", code=1)
    assert out == "None of your notes says anything about this.\n"
    out, errors = shell.run("chat", "Create a task: mend the reeds")
    assert "type: task" in out
    assert "would be mend-the-reeds.md" in errors
    _, errors = shell.run("chat", QUESTION, "--session", "a b", code=2)
    assert len(errors.splitlines()) == 1
    assert fingerprint(shell.root) == before
    # with a core the conversation goes on
    shell.serve()
    first = shell.json("chat", QUESTION, "--session", "pond")
    again = shell.json("chat", "And why there?", "--session", "pond")
    assert (first["session_id"], again["session_id"]) == ("pond", "pond")
    assert QUESTION in again["searched_for"]
    assert QUESTION in str(server.asked("/api/chat")[-1].body)


def test_without_ollama(shell: Shell) -> None:
    shell.environ["MINDNET_OLLAMA_URL"] = "http://127.0.0.1:9"
    shell.run("import", "--apply")
    out, errors = shell.run("chat", QUESTION, code=2)
    assert "[1] Heron  heron.md" in out
    assert "mindnet: Ollama does not answer at http://127.0.0.1:9. Start it" in errors
    found = shell.json("chat", QUESTION, code=2)
    assert found["error"]["code"] == "llm_unavailable"
    _, errors = shell.run("draft", "Create a task to mend the reeds", code=1)
    assert "does not answer" in errors


def test_a_draft_by_the_model(shell: Shell, server: FakeOllama) -> None:
    with_model(shell, server)
    server.answer = lambda messages: "# Reeds\n\n## What\n\nMend them, says the model."
    told = ("Create a task to mend the reeds", "--answer", "done_when=Dry")
    found = shell.json("draft", *told)
    note = parse_note(found["path"], found["markdown"])
    assert (note.title, note.type, found["notice"]) == ("Reeds", "task", "")
    assert "says the model" in found["markdown"]
    assert "Dry" in found["markdown"]
    asked = len(server.requests)
    plain = shell.json("draft", *told, "--no-model", code=1)
    assert "says the model" not in plain["markdown"]
    assert len(server.requests) == asked
