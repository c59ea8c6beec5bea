"""The whole flow with a real language model: embed, route, chat, draft, cancel, restart."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.service.client import CoreClient
from tests.support.cores import Cores, until, until_ready, write_vault
from tests.support.fake_ollama import wait_left
from tests.support.real_ollama import CHAT, EMBED, RealOllama
from tests.support.waiting import wait_for

NOTES = {
    "weir": "# Weir\n\nThe weir dams the river for the mill.",
    "hund": "# Hund\n\nDer Hund bellt nachts im Garten.",
}
SHORT = """\
rag: {FACT: "{context}\\n\\n{message}\\n\\nAnswer in one short sentence."}
rewrite: "{history}\\n\\n{message}\\n\\nSay it in one line."
interview_template: "{schema}\\n\\n{message}\\n\\nWrite a note of two lines."
"""
"""Prompts of the vault's own, so that a slow machine has less to read and to write."""
QUESTION = "What does the weir dam?"


@pytest.fixture(scope="module")
def server() -> Iterator[RealOllama]:
    with RealOllama() as real:
        yield real


async def lines(client: CoreClient, message: str, **more: Any) -> list[dict[str, Any]]:
    asked = {"message": message, "top_k": 2, **more}
    return [one async for one in client.stream("/chat", asked)]


async def test_the_whole_flow(core: Cores, server: RealOllama, tmp_path: Path) -> None:
    root = write_vault(tmp_path / "vault", **NOTES)
    (root / ".mindnet").mkdir()
    (root / ".mindnet/prompts.yaml").write_text(SHORT, "utf-8")
    settings = {
        "embedding": {"provider": "ollama", "model": EMBED},
        "llm": {"url": server.url, "model": CHAT, "timeout": 120, "context_tokens": 512},
    }
    client = core.client(root, settings)
    status = await until_ready(client)
    assert (status["embedding"]["provider"], status["embedding"]["state"]) == ("ollama", "ready")
    # embed
    near = await client.call("POST", "/query", {"query": "a dog is barking", "mode": "semantic"})
    assert near["hits"][0]["path"] == "hund.md"
    # chat, streamed; whatever it writes, its citations exist
    told = await lines(client, QUESTION)
    result = told[-1]
    assert [one["kind"] for one in told[:2]] == ["intent", "sources"]
    assert sum(one["kind"] == "delta" for one in told) > 3
    assert "".join(one["text"] for one in told[2:-1]).strip() == result["answer"] != ""
    assert result["error"] is None
    assert result["sources"][0]["path"] == "weir.md"
    assert set(result["citations"]) <= {one["n"] for one in result["sources"]}
    # a follow-up, which the model has a say in
    history = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": "The river [1]."},
    ]
    again = (await lines(client, "And why?", history=history))[-1]
    assert again["sources"][0]["path"] == "weir.md"
    # routed by the model, whatever it says
    unclear = client.stream("/chat", {"message": "weir, river"})
    assert (await anext(unclear))["intent_source"] in ("llm", "fallback")
    await unclear.aclose()
    # a draft: a note comes of it in any case
    wish = {"message": "Create a task: mend the weir"}
    [drafted] = [one async for one in client.stream("/draft", wish)]
    assert drafted["markdown"].startswith("---\n")
    assert drafted["path"].endswith(".md")
    # cancelled: the model is free
    before = server.writer.stopped
    stream = client.stream("/chat", {"message": QUESTION})
    async for one in stream:
        if one["kind"] == "delta":
            break
    await stream.aclose()
    await asyncio.to_thread(wait_left, server.asked("/api/chat")[-1])
    await asyncio.to_thread(wait_for, lambda: server.writer.stopped > before, 30)
    # Ollama ends in the middle of an answer, and is started again
    found: dict[str, Any] = {}
    async for one in client.stream("/chat", {"message": QUESTION}):
        found = one
        if one["kind"] == "delta":
            await asyncio.to_thread(server.stop)
    assert found["error"]["code"] == "llm_unavailable"
    assert found["incomplete"]
    assert found["answer"]
    away = (await lines(client, QUESTION))[-1]
    assert away["error"]["code"] == "llm_unavailable"
    assert away["sources"]
    server.start()

    async def answers() -> bool:
        return (await lines(client, QUESTION))[-1]["error"] is None

    await until(answers, 60)
