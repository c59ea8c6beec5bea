"""A search history in a folder of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from core.api import QueryHit, ScoreBreakdown
from core.feedback.history import FEEDBACK_FILE, HISTORY_FILE, History
from core.feedback.shapes import FeedbackRequest, HistoryEntry, Source


def hit(note_id: str, **terms: float) -> QueryHit:
    """A hit whose score is the sum of `terms`."""
    parts = {"semantic": 0.0, "lexical": 0.0, "edge_bonus": 0.0, "centrality": 0.0, **terms}
    factor = parts.pop("type_weight", 1.0)
    total = sum(value for name, value in parts.items() if name != "title")
    return QueryHit(
        note_id=note_id,
        title=note_id.title(),
        type="concept",
        path=f"{note_id}.md",
        chunk_id=f"{note_id}#c00",
        section="",
        start_line=0,
        end_line=1,
        text="SECRET TEXT",
        score=total,
        score_breakdown=ScoreBreakdown(**parts, type_weight=factor, total=total),
    )


class Memory:
    """`now` moves on by a second with every line."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.history = History(folder, now=self._tick, **options)
        self._count = 0

    def _tick(self) -> datetime:
        self._count += 1
        return datetime(2026, 5, 17, tzinfo=UTC) + timedelta(seconds=self._count)

    def ask(
        self,
        number: int,
        query: str = "lime",
        hits: Sequence[QueryHit] = (hit("heron", lexical=0.5),),
        source: Source = "query",
        **options: Any,
    ) -> str:
        """Remember a query; its id."""
        query_id = str(UUID(int=number, version=4))
        self.history.record(query_id, query, "hybrid", hits, source=source, **options)
        return query_id

    def rate(self, query_id: str, node_id: str, score: int, **options: Any) -> None:
        self.history.rate(
            FeedbackRequest(query_id=query_id, node_id=node_id, score=score, **options)
        )

    def entries(self, limit: int | None = None) -> list[HistoryEntry]:
        return self.history.read(limit).entries

    @property
    def queries(self) -> list[str]:
        return [entry.query for entry in self.entries()]

    @property
    def history_file(self) -> Path:
        return self.folder / HISTORY_FILE

    @property
    def feedback_file(self) -> Path:
        return self.folder / FEEDBACK_FILE
