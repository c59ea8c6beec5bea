"""The client with a real language model at the other end: nothing here is scripted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Literal

import pytest
from pydantic import BaseModel

from core.errors import AnswerIncomplete, LlmError
from core.llm.embedder import OllamaEmbedder
from core.llm.ollama import Message, Ollama
from core.settings import LlmSettings
from tests.support.fake_ollama import wait_left
from tests.support.real_ollama import CHAT, CONTEXT, EMBED, RealOllama
from tests.support.waiting import wait_for

STORY = [Message("system", "You tell stories."), Message("user", "Tell a very long story.")]


@pytest.fixture(scope="module")
def server() -> Iterator[RealOllama]:
    with RealOllama() as real:
        yield real


@pytest.fixture
async def client(server: RealOllama) -> AsyncIterator[Ollama]:
    made = Ollama(LlmSettings(url=server.url, model=CHAT, timeout=60))
    yield made
    await made.aclose()


async def test_it_is_there(client: Ollama) -> None:
    assert [model.name for model in await client.models()] == [CHAT, EMBED]
    assert await client.window() == CONTEXT


async def test_an_answer_streams_token_for_token(client: Ollama) -> None:
    pieces = []
    async with client.chat(STORY, max_tokens=16, temperature=0) as reply:
        async for piece in reply:
            pieces.append(piece)
    assert len(pieces) > 8
    assert "".join(pieces) == reply.text
    assert reply.cut, "16 tokens are no very long story"
    async with client.chat(STORY, max_tokens=16, temperature=0) as again:
        assert await again.read() == reply.text


class Verdict(BaseModel):
    related: bool
    kind: Literal["depends_on", "similar_to"]


async def test_an_answer_keeps_to_a_form(client: Ollama) -> None:
    question = Message("user", 'Is a weir related to a mill? Answer as JSON: {"related", "kind"}')
    found = await client.ask([question], Verdict, max_tokens=80)
    assert found.kind in ("depends_on", "similar_to")
    with pytest.raises(AnswerIncomplete):
        await client.ask([question], Verdict, max_tokens=3)


async def test_a_cancelled_answer_stops_the_model(server: RealOllama, client: Ollama) -> None:
    before = server.writer.stopped
    first = asyncio.Event()

    async def chat() -> None:
        async with client.chat(STORY) as reply:
            async for _ in reply:
                first.set()

    task = asyncio.create_task(chat())
    await asyncio.wait_for(first.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(wait_left, server.asked("/api/chat")[-1])
    await asyncio.to_thread(wait_for, lambda: server.writer.stopped > before, 30)
    # so the next one need not wait for the end of a very long story
    async with client.chat(STORY, max_tokens=5) as reply:
        assert await reply.read()


async def test_a_restart_in_the_middle_of_an_answer(server: RealOllama, client: Ollama) -> None:
    async with client.chat(STORY) as reply:
        pieces = aiter(reply)
        first = await anext(pieces)
        await asyncio.to_thread(server.stop)
        with pytest.raises(AnswerIncomplete):
            async for _ in pieces:
                pass
    assert reply.text.startswith(first)
    with pytest.raises(LlmError, match="does not answer"):
        await client.version()
    server.start()
    async with client.chat(STORY, max_tokens=5) as reply:
        assert await reply.read()


def test_meanings_come_over_the_wire(server: RealOllama) -> None:
    embedder = OllamaEmbedder(LlmSettings(url=server.url), EMBED)
    embedder.look()
    documents = embedder.embed_documents(["Ein Hund bellt im Garten.", "The interest rate rises."])
    near, far = documents @ embedder.embed_query("a dog is barking")
    assert near > far + 0.2
