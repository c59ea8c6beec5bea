"""A chat without a core that runs: one message, answered in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from core.chat.shapes import ChatRequest, ChatResult
from core.talk.talk import Talk

if TYPE_CHECKING:
    from core.service.engine import Engine


def answer(
    engine: Engine, request: ChatRequest, tell: Callable[[dict[str, Any]], None]
) -> ChatResult:
    """The last line of the answer; `tell` is given all of them as they come. Blocks; an interrupt
    stops the model. Raises `MindnetError` as `Talk.events` does."""
    return asyncio.run(_answered(engine, request, tell))


async def _answered(
    engine: Engine, request: ChatRequest, tell: Callable[[dict[str, Any]], None]
) -> ChatResult:
    found: ChatResult | None = None
    try:
        async with aclosing(Talk(engine, asyncio.to_thread).events(request)) as events:
            async for event in events:
                tell(event.model_dump())
                if isinstance(event, ChatResult):
                    found = event
    finally:
        await engine.llm.ollama.aclose()
    assert found is not None, "every answer has a last line"
    return found
