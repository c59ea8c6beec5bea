"""What the core suggests for the open notes, asked for in the background and kept.

Requests take what is ready and never wait. A note is looked at when it is opened, when it was
saved and the core knows the new text, and when the index became ready; a paragraph that is
being written when its writer pauses, or asks for completion in it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from core.errors import MindnetError
from core.features.document import Document
from core.features.ready import NearPassage, Paragraph, Ready, paragraph_at
from core.features.suggested import Suggested
from core.model import Span
from core.vault.index import VaultIndex
from mindnet_lsp.core_client import VaultCore

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

TOP = 20
"""Suggestions that are kept of a note."""
NEAR = 8
"""Notes near a paragraph that are kept."""
PAUSE = 0.4
"""Seconds without a letter after which the paragraph is looked at."""
LARGE = 100_000
"""Characters from which a text is not looked at while it is written."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Known:
    """`written` is the paragraph that was looked at last, by its key, and what is near it."""

    ready: Ready | None = None
    written: tuple[str, tuple[str, ...]] = ("", ())
    asking: str = ""


class Suggestions:
    """Of all sessions. Changed on the event loop alone; reading is safe in a thread, as what is
    kept of a note is replaced and never changed."""

    def __init__(self, ls: MindnetServer) -> None:
        self._ls = ls
        self._known: WeakKeyDictionary[Session, dict[str, _Known]] = WeakKeyDictionary()
        self._due: dict[tuple[Session, str], None] = {}
        self._working: asyncio.Task[Any] | None = None
        self._pauses: dict[tuple[Session, str], asyncio.TimerHandle] = {}
        ls.sessions.on_open.append(
            lambda session: session.closers.append(lambda: self._forget(session))
        )

    def of(self, session: Session, index: VaultIndex, document: Document) -> tuple[Suggested, ...]:
        """The suggestions for a document as it is now, strongest first, as far as they are
        ready."""
        known = self._known.get(session, {}).get(document.path)
        ready = known.ready if known is not None else None
        if ready is None:
            return ()
        least = session.settings.suggestions.min_score
        return tuple(one for one in ready.now(index, document) if one.score >= least)

    def near(self, session: Session, document: Document, offset: int) -> tuple[str, ...]:
        """The paths of notes near in meaning to the paragraph at `offset`, nearest first. What
        is not ready is asked for, for the next time."""
        known = self._known.get(session, {}).get(document.path)
        if known is None or not _has_meaning(session):
            return ()
        paragraph = paragraph_at(document, offset)
        if not paragraph.says_something:
            return ()
        if known.written[0] and paragraph.is_like(known.written[0]):
            return known.written[1]
        self._ask_near(session, document, paragraph)
        return known.ready.near(document, offset) if known.ready is not None else ()

    def opened(self, session: Session, path: str) -> None:
        """A note was opened."""
        self._known.setdefault(session, {})[path] = _Known()
        if _state(session, "index") == "ready":
            self.refresh(session, [path])

    def closed(self, session: Session, path: str) -> None:
        """A note was closed: nothing of it is shown any more."""
        self._known.get(session, {}).pop(path, None)
        if (pause := self._pauses.pop((session, path), None)) is not None:
            pause.cancel()

    def edited(self, session: Session, path: str) -> None:
        """A letter was typed; the paragraph is looked at when no other comes for a while."""
        if not _has_meaning(session) or path not in self._known.get(session, {}):
            return
        if (pause := self._pauses.pop((session, path), None)) is not None:
            pause.cancel()
        loop = asyncio.get_running_loop()
        self._pauses[session, path] = loop.call_later(PAUSE, self._paused, session, path)

    def indexed(self, session: Session, paths: Iterable[str] | None = None) -> None:
        """The core knows the new texts of these notes, or of all: look at those that are open."""
        opened = session.documents
        self.refresh(session, opened if paths is None else [p for p in paths if p in opened])

    def refresh(self, session: Session, paths: Iterable[str]) -> None:
        """Look at these notes soon, in the background."""
        self._due.update(dict.fromkeys((session, path) for path in paths))
        if self._ls.scheduler.stopping():
            self._due.clear()
        if self._due and (self._working is None or self._working.done()):
            self._working = self._ls.scheduler.spawn(self._work(), "looking for suggestions")

    def drop(self, session: Session, path: str, note_id: str) -> None:
        """One is not wanted any more."""
        known = self._known.get(session, {}).get(path)
        if known is not None and known.ready is not None:
            known.ready = known.ready.without(note_id)
            self._ls.views.ask("code_lens")

    def _forget(self, session: Session) -> None:
        """The session ended: its core must not be asked again."""
        for path in list(self._known.pop(session, {})):
            if (pause := self._pauses.pop((session, path), None)) is not None:
                pause.cancel()

    async def _work(self) -> None:
        while self._due:
            (session, path), _ = self._due.popitem()
            known, opened = self._known.get(session, {}).get(path), session.documents.get(path)
            if known is None or opened is None or not isinstance(session.core, VaultCore):
                continue
            text = opened.text
            body = {
                "path": path,
                "text": text,
                "top_k": TOP,
                "passages": True,
                "min_score": session.settings.suggestions.min_score,
                "locale": self._ls.locale(session),
            }
            try:
                answer = await session.core.call("POST", "/ingest/analyze", body)
            except MindnetError as error:  # the next save asks again
                _log.info("no suggestions for now: %s", error.message)
                self._due.clear()
                return
            self._take(known, _ready(text, answer))

    def _take(self, known: _Known, ready: Ready) -> None:
        before = known.ready.suggested if known.ready is not None else ()
        known.ready = ready
        if len(before) != len(ready.suggested):
            self._ls.views.ask("code_lens")

    def _paused(self, session: Session, path: str) -> None:
        self._pauses.pop((session, path), None)
        known, opened = self._known.get(session, {}).get(path), session.documents.get(path)
        if known is None or known.ready is None or opened is None or len(opened.text) > LARGE:
            return
        document = opened.document
        paragraph = paragraph_at(document, known.ready.edited(document))
        if paragraph.says_something and not paragraph.is_like(known.written[0] or "\0"):
            self._ask_near(session, document, paragraph)

    def _ask_near(self, session: Session, document: Document, paragraph: Paragraph) -> None:
        known = self._known.get(session, {}).get(document.path)
        if known is None or known.asking or len(document.text) > LARGE:
            return
        known.asking = paragraph.key
        self._ls.scheduler.spawn(
            self._look_near(session, document, paragraph, known), "looking around a paragraph"
        )

    async def _look_near(
        self, session: Session, document: Document, paragraph: Paragraph, known: _Known
    ) -> None:
        body = {
            "path": document.path,
            "text": document.text,
            "start": paragraph.span.start,
            "end": paragraph.span.end,
            "top_k": NEAR,
            "locale": self._ls.locale(session),
        }
        try:
            assert isinstance(session.core, VaultCore)
            answer = await session.core.call("POST", "/related", body)
        except MindnetError as error:
            _log.info("nothing near the paragraph for now: %s", error.message)
        else:
            hits = [h for h in answer["hits"] if h["score_breakdown"]["semantic"] > 0]
            known.written = (paragraph.key, tuple(hit["path"] for hit in hits))
        finally:
            known.asking = ""


def _ready(text: str, answer: dict[str, Any]) -> Ready:
    found = tuple(
        Suggested(
            one["path"],
            one["target_note_id"],
            one["title"],
            one["edge_kind"],
            one["score"],
            tuple(one["reasons"]),
            Span(*one["about"]) if one["about"] else None,
            one["mention"],
        )
        for one in answer["suggestions"]
    )
    passages = tuple(
        NearPassage(Span(one["start"], one["end"]), tuple(one["paths"]))
        for one in answer["passages"]
    )
    return Ready(text, found, passages)


def _has_meaning(session: Session) -> bool:
    """Whether the core is there and has a model that knows meanings."""
    provider = _part(session, "embedding").get("provider", "none")
    return _state(session, "index") == "ready" and provider != "none"


def _state(session: Session, part: str) -> str:
    return str(_part(session, part).get("state", ""))


def _part(session: Session, part: str) -> dict[str, Any]:
    found = session.core.status().get(part) if session.core is not None else None
    return found if isinstance(found, dict) else {}
