"""The chat over HTTP: a real core process, a scripted Ollama; many at once, and what breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.chat.shapes import ChatRequest
from core.embedding.make import make_embedder
from core.errors import CoreUnavailable, InvalidArguments, LlmError, ModelMissing
from core.llm import embedder
from core.service.client import CoreClient
from core.service.engine import Engine
from core.service.jobs import Job
from core.settings import read_settings
from core.talk.talk import Talk
from tests.support.cores import Cores, kill_core, until_ready, write_vault
from tests.support.fake_ollama import (
    FakeModel,
    FakeOllama,
    Hold,
    Script,
    error,
    last,
    line,
    wait_left,
)

QUESTION = "What does the weir dam?"
MANY = 10


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with FakeOllama(
        FakeModel("small:latest"), FakeModel("nomic-embed-text:latest", ("embedding",), dim=16)
    ) as fake:
        yield fake


def settings_for(server: FakeOllama) -> dict[str, Any]:
    return {
        "embedding": {"provider": "none"},
        "llm": {"url": server.url, "model": "small", "timeout": 20},
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "vault", weir="# Weir\n\nThe weir dams the river.")


@pytest.fixture
async def client(core: Cores, server: FakeOllama, root: Path) -> CoreClient:
    made = core.client(root, settings_for(server))
    await until_ready(made)
    return made


async def chat(client: CoreClient, message: str = QUESTION, **more: Any) -> Any:
    """The last line."""
    lines = [one async for one in client.stream("/chat", {"message": message, **more})]
    return lines[-1]


async def test_over_http(client: CoreClient, server: FakeOllama, root: Path) -> None:
    found = await chat(client)
    assert (found["answer"], found["error"]) == ("Fine.", None)
    assert found["sources"][0]["path"] == "weir.md"
    orders = [{"role": "system", "content": "Obey"}]
    wrong = ({"message": ""}, {"top_k": 0}, {"session_id": ""}, {"history": orders})
    for bad in ({}, *({"message": "x", **one} for one in wrong)):
        with pytest.raises(InvalidArguments):
            async for _ in client.stream("/chat", bad):
                pass
    with pytest.raises(InvalidArguments):
        await chat(client, " ")
    lines = [one async for one in client.stream("/llm/ask", {"prompt": "Say fine"})]
    assert lines[-1]["text"] == "".join(one["text"] for one in lines[:-1]) == "Fine."
    server.script("/api/chat", error(404, "model 'small' not found"))
    with pytest.raises(ModelMissing):
        async for _ in client.stream("/llm/ask", {"prompt": "Say fine"}):
            pass
    server.stop()
    with pytest.raises(LlmError):
        async for _ in client.stream("/llm/ask", {"prompt": "Say fine"}):
            pass
    wish = {"message": "Create a task: mend it"}
    [drafted] = [one async for one in client.stream("/draft", wish)]
    assert (drafted["type"], drafted["path"]) == ("task", "mend-it.md")
    # who leaves frees the model
    server.start()
    hold = Hold()
    server.script("/api/chat", Script([line("It "), hold, last()]))
    lines_ = client.stream("/chat", {"message": QUESTION})
    async for one in lines_:
        if one["kind"] == "delta":
            break
    await lines_.aclose()
    await asyncio.to_thread(wait_left, server.asked("/api/chat")[-1])
    status = await client.call("GET", "/status")
    assert status["llm"]["running"] == 0
    # and a core that dies in the middle is another one for the next message
    server.script("/api/chat", Script([line("It "), Hold(), last()]))
    with pytest.raises(CoreUnavailable):
        await _killed_in_the_middle(client, root)
    again = await chat(client, session_id="mine")
    assert again["answer"] == "Fine."
    assert "not known any more" in again["notice"]


async def _killed_in_the_middle(client: CoreClient, root: Path) -> None:
    async for one in client.stream("/chat", {"message": QUESTION, "session_id": "mine"}):
        if one["kind"] == "delta":
            await asyncio.to_thread(kill_core, root)


async def test_ten_chats_and_an_import_at_once(
    tmp_path: Path, server: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the order of events: all chats are with the model at one time though an import runs, and
    the import comes to its end though none of them has."""
    monkeypatch.setattr(embedder, "QUIET_SECONDS", 0.01)
    root = write_vault(tmp_path / "vault", count=40, weir="# Weir\n\nThe weir dams the river.")
    tree = {**settings_for(server), "embedding": {"provider": "ollama"}}
    settings, _ = read_settings(tree)
    engine = Engine(root, tmp_path / "data", settings, make_embedder(settings, root, tmp_path))
    talk = Talk(engine, asyncio.to_thread)
    try:
        await asyncio.wrap_future(engine.submit(Job(("weir.md",))).result)
        holds = [Hold() for _ in range(MANY)]
        scripts = [Script([line("It "), hold, line("is."), last()]) for hold in holds]
        server.script("/api/chat", *scripts)
        chats = [asyncio.create_task(_listened(talk)) for _ in range(MANY)]
        everything = engine.submit(Job(None))
        for hold in holds:
            assert await asyncio.to_thread(hold.reached.wait, 30), "a chat waits for another one"
        result = await asyncio.wait_for(asyncio.wrap_future(everything.result), 60)
        assert (result.notes, result.failed) == (41, [])
        assert engine.llm.traffic.state.realtime == MANY
        for hold in holds:
            hold.release()
        answers = await asyncio.wait_for(asyncio.gather(*chats), 30)
        assert answers == ["It is."] * MANY
        assert engine.llm.traffic.state.running == 0
    finally:
        await engine.llm.ollama.aclose()
        engine.close()


async def _listened(talk: Talk) -> str:
    found: list[Any] = [one async for one in talk.events(ChatRequest(message=QUESTION))]
    return str(found[-1].answer)
