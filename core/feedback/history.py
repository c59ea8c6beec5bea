"""The search history and what was said of its hits: two files in the vault's data folder.

Nothing of them ever reaches a log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from core.api import QueryHit, Shape
from core.errors import InvalidArguments, StoreError
from core.feedback.journal import Journal
from core.feedback.shapes import (
    GENERATED_ANSWER,
    FeedbackRequest,
    HistoryEntry,
    HistoryResponse,
    Rating,
    RememberedHit,
    Source,
)
from core.locale import Locale, say

logger = logging.getLogger(__name__)

S = TypeVar("S", bound=Shape)

HISTORY_FILE = "search_history.jsonl"
FEEDBACK_FILE = "feedback.jsonl"
MAX_BYTES = 4_000_000
"""Size at which a history file is put aside: about 1,000 queries with ten hits each."""
MAX_QUERY = 4000
"""Characters of a query that are remembered."""


def _now() -> datetime:
    return datetime.now(UTC)


class History:
    """The history in `folder`. `enabled` says whether it is kept where a request does not.

    Written by the core alone. Blocks; safe for several threads.
    """

    def __init__(
        self,
        folder: Path,
        *,
        enabled: bool = True,
        max_bytes: int = MAX_BYTES,
        now: Callable[[], datetime] = _now,
    ) -> None:
        self.enabled = enabled
        self._now = now
        self._feedback = Journal(folder / FEEDBACK_FILE)
        self._history = Journal(folder / HISTORY_FILE, max_bytes, self._rated)

    def record(
        self,
        query_id: str,
        query: str,
        mode: str,
        hits: Iterable[QueryHit],
        *,
        source: Source = "query",
        weights: Mapping[str, float] | None = None,
        remember: bool | None = None,
    ) -> None:
        """Remember a query, or a message to the chat, and what was found.

        `weights` are the scoring weights that made the breakdowns; `remember` of None means
        the setting. Never fails: an answer is worth more than its record.
        """
        if not (self.enabled if remember is None else remember):
            return
        entry = HistoryEntry(
            query_id=query_id,
            query=query[:MAX_QUERY],
            mode=mode,
            source=source,
            timestamp=self._stamp(),
            weights=dict(weights or {}),
            hits=[_remembered(hit) for hit in hits],
        )
        try:
            self._history.append(entry.model_dump(exclude={"feedback"}))
        except OSError as error:
            logger.warning("the search history cannot be written: %s", error.strerror or "locked")

    def rate(self, request: FeedbackRequest) -> Rating:
        """Keep what a person thinks of a hit or an answer.

        Raises `InvalidArguments` for a query that is not remembered or a note that is not
        among its hits, and `StoreError` where it cannot be written.
        """
        entry = self._entry(request)
        rateable = {hit.note_id for hit in entry.hits}
        if entry.source == "chat":
            rateable.add(GENERATED_ANSWER)
        if request.node_id not in rateable:
            raise InvalidArguments(*_no_such_hit(request.node_id, request.locale))
        rating = Rating(
            query_id=request.query_id,
            node_id=request.node_id,
            score=request.score,
            comment=request.comment,
            timestamp=self._stamp(),
        )
        try:
            self._feedback.append(rating.model_dump())
        except OSError as error:
            raise StoreError(
                say(
                    request.locale,
                    f"the feedback cannot be written: {error.strerror or 'locked'}",
                    f"die Bewertung kann nicht geschrieben werden: {error.strerror or 'gesperrt'}",
                ),
                say(request.locale, "Check the data folder.", "Den Datenordner prüfen."),
            ) from error
        return rating

    def read(
        self, limit: int | None = None, locale: Locale = "en", remember: bool | None = None
    ) -> HistoryResponse:
        """The newest `limit` entries, the newest first, each with its feedback: of each note
        the last rating. Raises `StoreError`."""
        bad: list[str] = []
        try:
            entries = self.entries(limit, bad)
        except OSError as error:
            raise StoreError(
                say(
                    locale,
                    f"the search history cannot be read: {error.strerror or 'locked'}",
                    f"der Suchverlauf ist nicht lesbar: {error.strerror or 'gesperrt'}",
                ),
                say(locale, "Check the data folder.", "Den Datenordner prüfen."),
            ) from error
        enabled = self.enabled if remember is None else remember
        return HistoryResponse(entries=entries, notice=_notice(bad, enabled, locale))

    def entries(self, limit: int | None = None, bad: list[str] | None = None) -> list[HistoryEntry]:
        """As `read`; places of lines that cannot be read are put into `bad`."""
        bad = [] if bad is None else bad
        said: dict[str, dict[str, Rating]] = {}
        for rating in _valid(Rating, self._feedback.newest_first(bad)):
            said.setdefault(rating.query_id, {}).setdefault(rating.node_id, rating)
        found: dict[str, HistoryEntry] = {}
        for entry in _valid(HistoryEntry, self._history.newest_first(bad)):
            if limit is not None and len(found) >= limit:
                break
            ratings = sorted(said.get(entry.query_id, {}).values(), key=lambda r: r.timestamp)
            # the first seen is the newest: a crash while files were put aside leaves some twice
            found.setdefault(entry.query_id, entry.model_copy(update={"feedback": ratings}))
        return list(found.values())

    def _entry(self, request: FeedbackRequest) -> HistoryEntry:
        wanted, locale = request.query_id, request.locale
        records = (r for r in self._history.newest_first() if r.get("query_id") == wanted)
        entry = next(_valid(HistoryEntry, records), None)
        if entry is None:
            raise InvalidArguments(*_no_such_query(wanted, locale))
        return entry

    def _rated(self) -> Callable[[Mapping[str, Any]], bool]:
        """Tells which entries are still of use when they are too old to be listed."""
        rated = {rating.get("query_id") for rating in self._feedback.newest_first()}
        return lambda record: record.get("query_id") in rated

    def _stamp(self) -> str:
        return self._now().astimezone(UTC).isoformat(timespec="milliseconds")


def _remembered(hit: QueryHit) -> RememberedHit:
    return RememberedHit(
        note_id=hit.note_id,
        chunk_id=hit.chunk_id,
        title=hit.title,
        score=hit.score,
        score_breakdown=hit.score_breakdown,
    )


def _valid(shape: type[S], records: Iterable[Mapping[str, Any]]) -> Iterator[S]:
    """The records that have the shape; others were written by another version, or by hand."""
    for record in records:
        try:
            yield shape.model_validate(record)
        except ValidationError:
            continue


def _notice(bad: Sequence[str], enabled: bool, locale: Locale) -> str | None:
    told = []
    if not enabled:
        told.append(
            say(
                locale,
                "nothing is remembered: history.enabled is off",
                "nichts wird gemerkt: history.enabled ist aus",
            )
        )
    if bad:
        places = ", ".join(bad[:3]) + (", …" if len(bad) > 3 else "")
        told.append(
            say(
                locale,
                f"lines that cannot be read are left out: {places}",
                f"unlesbare Zeilen sind ausgelassen: {places}",
            )
        )
    return "; ".join(told) or None


def _no_such_query(query_id: str, locale: Locale) -> tuple[str, str]:
    return (
        say(
            locale,
            f"query_id: {query_id!r} is not in the search history",
            f"query_id: {query_id!r} steht nicht im Suchverlauf",
        ),
        say(
            locale,
            "Take it from an answer or from the history; nothing is remembered while"
            " history.enabled is off.",
            "Sie steht in jeder Antwort und im Verlauf; solange history.enabled aus ist,"
            " wird nichts gemerkt.",
        ),
    )


def _no_such_hit(node_id: str, locale: Locale) -> tuple[str, str]:
    return (
        say(
            locale,
            f"node_id: {node_id!r} is not among the hits of this query",
            f"node_id: {node_id!r} ist kein Treffer dieser Anfrage",
        ),
        say(
            locale,
            f"Name the note id of a hit; {GENERATED_ANSWER!r} rates the answer of a chat.",
            f"Die Id eines Treffers nennen; {GENERATED_ANSWER!r} bewertet die Antwort im Chat.",
        ),
    )
