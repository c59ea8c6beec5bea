"""The client of Ollama against a scripted server: every way in which an answer can go wrong."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from core.errors import AnswerIncomplete, LlmError, LlmTimeout, ModelMissing
from core.llm.ollama import Message, Ollama
from core.settings import LlmSettings
from tests.support.fake_ollama import (
    CLOSE,
    FakeModel,
    FakeOllama,
    Hold,
    Script,
    error,
    last,
    line,
    wait_left,
)

QUESTION = [Message("system", "Be brief."), Message("user", "Was ist ein Wehr?")]


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with FakeOllama(FakeModel("small:latest")) as fake:
        yield fake


def client_of(server: FakeOllama, **settings: Any) -> Ollama:
    tree: dict[str, Any] = {"url": server.url, "model": "small", "timeout": 5, **settings}
    return Ollama(LlmSettings(**tree))


async def answer_of(client: Ollama, **options: Any) -> str:
    try:
        async with client.chat(QUESTION, **options) as reply:
            return await reply.read()
    finally:
        await client.aclose()


async def failure(client: Ollama, **options: Any) -> LlmError:
    with pytest.raises(LlmError) as caught:
        await answer_of(client, **options)
    return caught.value


async def test_an_answer_streams_and_says_what_it_took(server: FakeOllama) -> None:
    hold = Hold()
    server.script("/api/chat", Script([line("Ein "), hold, line("Wehr 🌊"), last(prompt=31)]))
    client = client_of(server)
    pieces = []
    async with client.chat(QUESTION) as reply:
        async for piece in reply:
            pieces.append(piece)
            hold.release()  # only now comes the rest: the first piece did not wait for it
    await client.aclose()
    assert (pieces, reply.text) == (["Ein ", "Wehr 🌊"], "Ein Wehr 🌊")
    assert (reply.usage.prompt, reply.usage.reason, reply.cut) == (31, "stop", False)
    [asked] = server.asked("/api/chat")
    assert asked.body["model"] == "small"
    assert asked.body["messages"][1] == {"role": "user", "content": "Was ist ein Wehr?"}
    assert asked.body["stream"] is True
    assert not asked.left


async def test_bytes_may_be_cut_anywhere(server: FakeOllama) -> None:
    data = line("Grün 🌿 ") + line("água") + last()
    server.script("/api/chat", Script([bytes([one]) for one in data]))
    assert await answer_of(client_of(server)) == "Grün 🌿 água"


@pytest.mark.parametrize(
    ("steps", "kind", "message", "shown"),
    [
        ([b'{"error":"runner stopped"}\n'], LlmError, "runner stopped", "ab"),
        ([], AnswerIncomplete, "answer incomplete", "ab"),
        ([CLOSE], AnswerIncomplete, "answer incomplete", "ab"),
        ([b"no json\n", line("c"), last()], AnswerIncomplete, "answer incomplete", "ab"),
        ([b'{"message":{"content":"c"}'], AnswerIncomplete, "answer incomplete", "ab"),
        ([b"[]\n", last()], AnswerIncomplete, "answer incomplete", "ab"),
    ],
)
async def test_an_answer_that_breaks_is_an_error_and_what_came_is_kept(
    server: FakeOllama, steps: list[Any], kind: type[LlmError], message: str, shown: str
) -> None:
    server.script("/api/chat", Script([line("a"), line("b"), *steps]))
    client = client_of(server)
    with pytest.raises(kind, match=message):
        async with client.chat(QUESTION) as reply:
            await reply.read()
    assert reply.text == shown
    # and the next one works
    assert await answer_of(client) == "Fine."


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([line("", message={"thinking": "hm"}), line("Yes"), last()], "Yes"),
        ([line("<thi"), line("nk>plan</th"), line("ink>Answer"), last()], "Answer"),
        ([line("A <"), line("b>"), last()], "A <b>"),
    ],
)
async def test_thinking_is_kept_out(server: FakeOllama, steps: list[bytes], expected: str) -> None:
    server.script("/api/chat", Script(steps))
    assert await answer_of(client_of(server)) == expected


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([line("", message={"thinking": "hm"}), last("length")], "budget used for thinking"),
        ([line("<think>hm"), last("length")], "budget used for thinking"),
        ([last("stop")], "empty answer"),
        ([line(" \n"), last("stop")], "empty answer"),
        ([last("load")], "empty answer"),
    ],
)
async def test_no_answer_is_an_error(server: FakeOllama, steps: list[bytes], message: str) -> None:
    server.script("/api/chat", Script(steps))
    assert message in (await failure(client_of(server))).message


@pytest.mark.parametrize(
    ("status", "text", "kind", "message", "hint"),
    [
        (404, "model 'small' not found", ModelMissing, "no model small", "ollama pull small"),
        (
            404,
            'model "small" not found, try pulling it first',
            ModelMissing,
            "no model small",
            "ollama pull small",
        ),
        (
            500,
            "model requires more system memory (5.6 GiB) than is available (2.3 GiB)",
            LlmError,
            "too little memory",
            "smaller model",
        ),
        (
            500,
            "timed out waiting for llama runner to start - progress 0.4",
            LlmTimeout,
            "not loaded yet",
            "Ask again",
        ),
        (503, "server busy, please try again.", LlmError, "busy", "Ask again"),
        (400, "prompt exceeds the context length", LlmError, "too long", "context_tokens"),
        (400, '"small" does not support chat', LlmError, "does not support chat", "another model"),
        (500, "llama runner process has terminated", LlmError, "has terminated", "log"),
    ],
)
async def test_refusals_say_what_to_do(
    server: FakeOllama, status: int, text: str, kind: type[LlmError], message: str, hint: str
) -> None:
    server.script("/api/chat", error(status, text))
    found = await failure(client_of(server))
    assert type(found) is kind
    assert message in found.message
    assert hint in found.hint
    server.script("/api/chat", error(status, text))
    german = await failure(client_of(server), locale="de")
    assert german.message != found.message


async def test_a_model_that_is_not_there(server: FakeOllama) -> None:
    found = await failure(client_of(server, model="phi3:mini"), locale="de")
    assert isinstance(found, ModelMissing)
    assert found.code == "model_missing"
    assert (found.message, found.hint) == (
        "Ollama hat kein Modell phi3:mini",
        "`ollama pull phi3:mini`",
    )
    assert server.asked("/api/chat") == []


async def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: refused
        url = f"http://user:secret@127.0.0.1:{taken.getsockname()[1]}"
        found = await failure(Ollama(LlmSettings(url=url)))
    assert found.code == "llm_unavailable"
    assert "ollama serve" in found.hint
    assert "secret" not in found.message + found.hint


async def test_what_answers_is_not_ollama(server: FakeOllama) -> None:
    page = Script([b"<html>Welcome</html>"], 200, "text/html")
    server.script("/api/show", page, Script([b"404 page not found"], 404, "text/plain"))
    for _ in range(2):
        assert "not Ollama" in (await failure(client_of(server))).message


@pytest.mark.parametrize("where", ["before", "between"])
async def test_a_silent_server_is_given_up_in_time(server: FakeOllama, where: str) -> None:
    hold = Hold()
    script = Script([line("a"), hold, last()])
    if where == "before":
        script = Script([last()], before=hold)
    server.script("/api/chat", script)
    found = await failure(client_of(server, timeout=0.2))
    assert found.code == "llm_timeout"
    assert "0.2 seconds" in found.message
    wait_left(server.asked("/api/chat")[0])


@pytest.mark.parametrize("where", ["before", "between"])
async def test_cancelling_stops_the_model(server: FakeOllama, where: str) -> None:
    hold = Hold()
    script = Script([line("a"), hold, last()])
    if where == "before":
        script = Script([last()], before=hold)
    server.script("/api/chat", script)
    task = asyncio.create_task(answer_of(client_of(server)))
    assert await asyncio.to_thread(hold.reached.wait, 5)
    assert not server.asked("/api/chat")[0].left
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(wait_left, server.asked("/api/chat")[0])


async def test_leaving_the_block_stops_the_model(server: FakeOllama) -> None:
    server.script("/api/chat", Script([line("a"), Hold(), last()]))
    client = client_of(server)
    async with client.chat(QUESTION) as reply:
        async for piece in reply:
            assert piece == "a"
            break
    await asyncio.to_thread(wait_left, server.asked("/api/chat")[0])
    await client.aclose()


async def test_a_restart_of_ollama_in_the_middle(server: FakeOllama) -> None:
    hold = Hold()
    server.script("/api/chat", Script([line("a"), hold, last()]))
    client = client_of(server)
    async with client.chat(QUESTION) as reply:
        pieces = aiter(reply)
        assert await anext(pieces) == "a"
        await asyncio.to_thread(server.stop)
        with pytest.raises(AnswerIncomplete):
            await anext(pieces)
    with pytest.raises(LlmError, match="does not answer"):
        await client.version()
    server.start()
    assert await answer_of(client) == "Fine."


class Intent(BaseModel):
    intent: str
    sure: bool = False


async def test_a_form_is_asked_for_and_checked(server: FakeOllama) -> None:
    client = client_of(server)
    server.answer = lambda _: json.dumps({"intent": "FACT", "sure": True})
    assert await client.ask(QUESTION, Intent) == Intent(intent="FACT", sure=True)
    body = server.asked("/api/chat")[0].body
    assert body["format"]["properties"].keys() == {"intent", "sure"}
    assert body["options"]["temperature"] == 0
    for text in ("no json", '{"sure": true}', '{"intent": "FA'):
        server.answer = lambda _, text=text: text  # type: ignore[misc]
        with pytest.raises(LlmError, match="did not keep to the asked form"):
            await client.ask(QUESTION, Intent)
    server.script("/api/chat", Script([line('{"intent": "FACT"}'), last("length")]))
    with pytest.raises(AnswerIncomplete):
        await client.ask(QUESTION, Intent)
    await client.aclose()


async def test_the_window_is_one_constant(server: FakeOllama) -> None:
    client = client_of(server)
    for options in ({}, {"max_tokens": 7}, {"temperature": 0.5}, {"schema": {"type": "object"}}):
        async with client.chat(QUESTION, **options) as reply:  # type: ignore[arg-type]
            await reply.read()
    assert {one.body["options"]["num_ctx"] for one in server.asked("/api/chat")} == {4096}
    assert await client.window() == 4096
    server.models["small:latest"].context = 2048
    assert await client.window() == 2048
    await answer_of(client)
    assert server.asked("/api/chat")[-1].body["options"]["num_ctx"] == 2048


@pytest.mark.parametrize(
    ("able", "asked"), [(("completion",), None), (("completion", "thinking"), False)]
)
async def test_thinking_is_switched_off_where_it_can_be(
    server: FakeOllama, able: tuple[str, ...], asked: bool | None
) -> None:
    server.models["small:latest"].capabilities = able
    await answer_of(client_of(server))
    assert server.asked("/api/chat")[0].body.get("think") is asked


@pytest.mark.parametrize(
    ("read", "estimated", "warned"),
    [(4090, 3000, True), (2050, 3600, True), (2050, 1500, False), (900, 900, False)],
)
async def test_a_prompt_that_was_cut_is_noticed(
    server: FakeOllama, read: int, estimated: int, warned: bool
) -> None:
    server.script("/api/chat", Script([line("a"), last(prompt=read)]))
    text = "water " * round(estimated / 1.3)
    client = client_of(server)
    async with client.chat([Message("user", text)]) as reply:
        await reply.read()
    await client.aclose()
    assert bool(reply.warning) is warned


async def test_models_are_listed(server: FakeOllama) -> None:
    server.models["big:cloud"] = FakeModel("big:cloud", remote_host="https://ollama.com:443")
    client = client_of(server)
    found = await client.models()
    assert [(one.name, bool(one.remote)) for one in found] == [
        ("small:latest", False),
        ("big:cloud", True),
    ]
    assert len(found[0].digest) == 64
    facts = await client.facts("small")
    assert (facts.context, facts.capabilities, facts.dim) == (8192, ("completion",), 0)
    assert await client.version() == "0.12.10"
    await client.aclose()
