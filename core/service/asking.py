"""A query as people ask it: answered and remembered."""

from __future__ import annotations

from core.api import QueryRequest, QueryResponse
from core.service.engine import Engine


def ask(engine: Engine, request: QueryRequest) -> QueryResponse:
    """As `Engine.query`, and put into the history, unless that is off."""
    answer = engine.query(request)
    engine.history.record(
        answer.query_id,
        request.query,
        answer.mode,
        answer.hits,
        weights=engine.config.retriever.scoring.model_dump(),
        remember=request.remember,
    )
    if request.explain:
        return answer
    bare = [hit.model_copy(update={"score_breakdown": None}) for hit in answer.hits]
    return answer.model_copy(update={"hits": bare})
