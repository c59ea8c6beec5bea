"""The search history of a running core, and what people think of its answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import FastAPI, Query

from core.feedback.shapes import (
    MAX_LISTED,
    FeedbackRequest,
    FeedbackResponse,
    HistoryResponse,
)
from core.locale import Locale
from core.service.engine import Engine


def add_feedback(
    app: FastAPI, engine: Engine, run: Callable[[Callable[[], Any]], Awaitable[Any]]
) -> None:
    """Add `GET /history` and `POST /feedback`. `run` calls in a thread."""

    @app.get("/history")
    async def history(
        limit: Annotated[int, Query(ge=1, le=MAX_LISTED)] = 50,
        locale: Locale = "en",
        remember: bool | None = None,
    ) -> HistoryResponse:
        found = await run(lambda: engine.history.read(limit, locale, remember))
        return HistoryResponse.model_validate(found)

    @app.post("/feedback")
    async def feedback(request: FeedbackRequest) -> FeedbackResponse:
        await run(lambda: engine.history.rate(request))
        return FeedbackResponse()
