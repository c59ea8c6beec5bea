"""Shapes of the feedback loop: in its files, over HTTP and on the command line."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.api import ScoreBreakdown, Shape

GENERATED_ANSWER = "generated_answer"
"""The `node_id` by which the answer of a chat is rated, instead of one of its sources."""
LOWEST, HIGHEST = 1, 5
MAX_LISTED = 1000
"""Entries of the history in one answer."""
MAX_COMMENT = 2000
"""Characters of a comment."""

Source = Literal["query", "chat"]


class Rating(Shape):
    """One line of `feedback.jsonl`. `node_id` is a note id or `generated_answer`."""

    query_id: str
    node_id: str
    score: int = Field(ge=LOWEST, le=HIGHEST)
    comment: str = ""
    timestamp: str


class RememberedHit(Shape):
    """A hit as it is remembered: without its text."""

    note_id: str
    chunk_id: str
    title: str
    score: float
    score_breakdown: ScoreBreakdown | None = None


class HistoryEntry(Shape):
    """One line of `search_history.jsonl`: a query or a message to the chat.

    `weights` are those of `retriever.yaml` that made the breakdowns; `timestamp` is ISO 8601 in
    UTC. `feedback` is not in the file: it is joined when the history is read.
    """

    query_id: str
    query: str
    mode: str
    source: Source = "query"
    timestamp: str
    weights: dict[str, float] = Field(default_factory=dict)
    hits: list[RememberedHit] = Field(default_factory=list)
    feedback: list[Rating] = Field(default_factory=list)


class HistoryResponse(Shape):
    """`GET /history`: the newest first. `notice` tells of lines that could not be read, and
    that nothing is remembered."""

    entries: list[HistoryEntry]
    notice: str | None = None


class FeedbackRequest(Shape):
    """`POST /feedback`."""

    query_id: str
    node_id: str
    score: int = Field(ge=LOWEST, le=HIGHEST)
    comment: str = Field("", max_length=MAX_COMMENT)
    locale: Literal["de", "en"] = "en"


class FeedbackResponse(Shape):
    ok: bool = True
