"""The chat: streamed into its buffer, with sources that open, stopped, rated, gone on with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.nvim.plugin import Plugin, installed
from tests.support.cores import write_vault
from tests.support.fake_ollama import FakeModel, FakeOllama, Hold, Script, last, line, wait_left
from tests.support.real_ollama import CHAT, RealOllama
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.e2e, pytest.mark.editor]

NOTE = "20_concepts/Wasserrad.md"
QUESTION = "Wie altert Kalkmörtel?"
DONE = "local c = require('mindnet.chat').of(0); return c and not c.asked"
TASK = """```markdown
---
title: Lager fetten
type: task
---
# Lager fetten

Talg an das Wasserrad.
```
"""


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOllama]:
    with FakeOllama(FakeModel("small:latest")) as fake:
        yield fake


@pytest.fixture(scope="module")
def talking(server: FakeOllama, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plugin]:
    tmp = tmp_path_factory.mktemp("chat")
    variables = {"MINDNET_OLLAMA_URL": server.url, "MINDNET_LLM_MODEL": "small"}
    with installed(tmp, **variables) as found:
        found.edit(NOTE)
        found.until("return spec.indexed()")
        yield found


def ask(editor: Plugin, message: str) -> None:
    """A new session from a note."""
    editor.edit(NOTE)
    editor.run("Mindnet! chat")
    editor.run(f"Mindnet chat {message}")


def answered(editor: Plugin) -> list[str]:
    """The lines of the chat once the answer is complete."""
    editor.until(DONE)
    return editor.lines()


def test_an_answer_is_streamed_and_its_sources_open(talking: Plugin, server: FakeOllama) -> None:
    hold = Hold()
    server.script("/api/chat", Script([line("It "), line("cracks"), hold, line(" [1]."), last()]))
    ask(talking, QUESTION)
    talking.until("return spec.lines()[#spec.lines()] == 'It cracks'")
    before = talking.lines()
    assert before[0] == f"## {QUESTION}"
    assert before[2].startswith("[1] Kalkmörtel  0.")
    assert " — " in before[2], "why"
    assert talking.nvim.current.window.cursor[0] == len(before), "the end is in view"
    assert talking.lua("return spec.virtual('mindnet.chat')") == ["fact"]
    hold.release()
    lines = answered(talking)
    assert "It cracks [1]." in lines
    assert lines[: len(before) - 1] == before[:-1], "nothing else moved"
    talking.cursor(lines.index("It cracks [1].") + 1, 11)
    talking.nvim.input("<CR>")
    talking.until("return vim.fn.expand('%:t') == 'Kalkmörtel.md'")
    talking.nvim.command("wincmd p")
    talking.cursor(3, 0)
    talking.nvim.input("<CR>")
    talking.until("return vim.fn.expand('%:t') == 'Kalkmörtel.md'")
    assert len(talking.lua("return vim.api.nvim_tabpage_list_wins(0)")) == 2, "beside the chat"
    assert talking.said() == []


def test_what_was_said_before_counts(talking: Plugin, server: FakeOllama) -> None:
    ask(talking, QUESTION)
    answered(talking)
    talking.type("Und Beton?")
    talking.nvim.input("i")
    talking.until("return #spec.asked == 1")
    lines = answered(talking)
    assert [text for text in lines if text.startswith("## ")] == [f"## {QUESTION}", "## Und Beton?"]
    assert QUESTION in str(server.asked("/api/chat")[-1].body)
    talking.nvim.input("gn")
    talking.until("return #spec.lines() == 1")
    talking.run("Mindnet chat Und Stahl?")
    answered(talking)
    assert QUESTION not in str(server.asked("/api/chat")[-1].body), "a new session"


def test_an_answer_is_stopped(talking: Plugin, server: FakeOllama) -> None:
    server.script("/api/chat", Script([line("It "), Hold(), line("is."), last()]))
    ask(talking, QUESTION)
    talking.until("return vim.trim(spec.lines()[#spec.lines()]) == 'It'")
    asked = server.asked("/api/chat")[-1]
    talking.run("Mindnet chat And now?")
    assert talking.said() == ["mindnet: an answer is still coming; CTRL-C stops it"]
    talking.nvim.input("<C-c>")
    lines = answered(talking)
    assert [text.strip() for text in lines[-4:]] == ["It", "", "> stopped", ""], (
        "what there is stays"
    )
    wait_left(asked)
    talking.run("Mindnet chat And now?")
    assert "Fine." in answered(talking), "the model is free for the next one"


def test_an_answer_that_breaks_off(talking: Plugin, server: FakeOllama) -> None:
    broken = b'{"error": "runner stopped"}\n'
    server.script("/api/chat", Script([line("It "), line("is"), broken]))
    ask(talking, QUESTION)
    lines = answered(talking)
    assert "It is" in lines
    assert any(text.startswith("> ") and "runner stopped" in text for text in lines)
    assert talking.said() == [], "told where it belongs"


def test_answers_and_sources_are_rated(talking: Plugin) -> None:
    ask(talking, QUESTION)
    lines = answered(talking)
    talking.cursor(3, 0)
    talking.nvim.input("-")
    talking.until_said("rated 1: Kalkmörtel")
    talking.cursor(lines.index("Fine.") + 1, 0)
    talking.run("Mindnet rate 4 a little short")
    talking.until_said("rated 4: the answer")
    talking.edit(NOTE)
    talking.run(f"Mindnet query {QUESTION}")
    talking.until("return vim.bo.buftype == 'quickfix'")
    talking.run("Mindnet rate 5")
    assert "Kalkmörtel" in talking.until_said("rated 5: ")
    talking.edit(NOTE)
    talking.run("Mindnet rate 5")
    assert "put the cursor on" in talking.said()[0]
    talking.choose(QUESTION)
    talking.run("Mindnet history")
    talking.until("return vim.bo.buftype == 'quickfix'")
    assert QUESTION in talking.lua("return vim.fn.getqflist({ title = 0 }).title")


def test_a_wish_becomes_a_draft(talking: Plugin, server: FakeOllama) -> None:
    server.script("/api/chat", Script([line(TASK), last()]))
    ask(talking, "Neue Aufgabe: Lager fetten")
    lines = answered(talking)
    assert talking.lua("return spec.virtual('mindnet.chat')") == ["new note"]
    offer = lines.index("→ draft: Lager fetten (<CR> opens it)")
    talking.cursor(offer + 1, 0)
    talking.nvim.input("<CR>")
    talking.until("return vim.fn.bufname():find('^mindnet://draft/') ~= nil")
    assert "Talg an das Wasserrad." in talking.lines()
    talking.nvim.command("write")
    talking.until("return vim.bo.buftype == ''")
    assert list(talking.root.rglob("lager-fetten.md"))


def test_a_selection_goes_with_the_message(talking: Plugin, server: FakeOllama) -> None:
    talking.edit(NOTE)
    talking.run("Mindnet! chat")
    talking.edit(NOTE)
    number = talking.line_of("# Wasserrad")
    talking.run(f"{number},{number}Mindnet chat Explain:")
    lines = answered(talking)
    assert lines[:3] == ["## Explain:", "> ", "> # Wasserrad"]
    assert "# Wasserrad" in str(server.asked("/api/chat")[-1].body["messages"][-1])


def test_without_a_model(talking: Plugin, server: FakeOllama) -> None:
    server.stop()
    try:
        ask(talking, QUESTION)
        lines = answered(talking)
        assert lines[2].startswith("[1] Kalkmörtel"), "what was found is shown all the same"
        assert any(text.startswith("> ") and "ollama serve" in text for text in lines)
    finally:
        server.start()


def test_a_real_model(tmp_path: Path) -> None:
    """Nothing is scripted: the words of a small model come one after the other."""
    root = write_vault(tmp_path / "vault", weir="# Weir\n\nThe weir dams the river.\n")
    (root / ".mindnet").mkdir()
    # a prompt of the vault's own, so that a slow machine has less to read and to write
    prompt = "{context}\\n\\n{message}\\n\\nAnswer in one short sentence."
    (root / ".mindnet/prompts.yaml").write_text(f'rag: {{FACT: "{prompt}"}}\n')
    with RealOllama() as model:
        llm = f"url = '{model.url}', model = '{CHAT}', timeout = 120, context_tokens = 512"
        config = (
            f"vim.lsp.config('mindnet', {{ settings = {{ mindnet = {{ llm = {{ {llm} }} }} }} }})\n"
            "vim.lsp.enable('mindnet')\n"
        )
        with installed(tmp_path, config) as editor:
            editor.edit("weir.md")
            editor.until("return spec.indexed()")
            editor.run("Mindnet chat What does the weir dam?")
            answer = "require('mindnet.chat').of(0).turns[1].answer"
            going_on = f"return require('mindnet.chat').of(0).asked and {answer}:find('%S')"
            wait_for(lambda: editor.lua(going_on), timeout=120, what="the first word")
            first = editor.lua(f"return {answer}")
            wait_for(lambda: editor.lua(DONE), timeout=120, what="the end of the answer")
            assert len(editor.lua(f"return {answer}")) > len(first)
            assert any(text.startswith("[1] Weir  ") for text in editor.lines())
