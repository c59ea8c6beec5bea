"""Talking with a running core: chat, drafts and the model, as NDJSON streams."""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from core.api import Shape, SyncFailure
from core.chat.shapes import AskRequest, ChatRequest, DraftRequest
from core.errors import MindnetError
from core.service.engine import Engine
from core.talk.talk import Talk

logger = logging.getLogger(__name__)


def add_chat(
    app: FastAPI, engine: Engine, run: Callable[[Callable[[], Any]], Awaitable[Any]]
) -> None:
    """Add `POST /chat`, `/draft` and `/llm/ask`. The client's going away stops the model."""
    talk = Talk(engine, run)

    @app.post("/chat")
    async def chat(request: ChatRequest) -> StreamingResponse:
        return _ndjson(talk.events(request))

    @app.post("/draft")
    async def draft(request: DraftRequest) -> StreamingResponse:
        return _ndjson(talk.draft(request))

    @app.post("/llm/ask")
    async def ask(request: AskRequest) -> StreamingResponse:
        return _ndjson(talk.ask(request))


def _ndjson(events: AsyncGenerator[Shape, None]) -> StreamingResponse:
    return StreamingResponse(_lines(events), media_type="application/x-ndjson")


async def _lines(events: AsyncGenerator[Shape, None]) -> AsyncIterator[bytes]:
    try:
        async with aclosing(events) as each:
            async for event in each:
                yield event.model_dump_json().encode() + b"\n"
    except MindnetError as error:
        failure = SyncFailure(code=error.code, message=error.message, hint=error.hint)
        yield failure.model_dump_json().encode() + b"\n"
    except Exception as error:  # its text may quote a note
        last = traceback.extract_tb(error.__traceback__)[-1]
        logger.error("the chat failed: %s in %s", type(error).__name__, last.name)
        failure = SyncFailure(code=MindnetError.code, message=type(error).__name__)
        yield failure.model_dump_json().encode() + b"\n"
