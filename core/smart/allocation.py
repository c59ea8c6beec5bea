"""The importer's side of smart edges: which edges a note gets, and which passages wait."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from core.api import SmartState
from core.config.relations import RelationsConfig
from core.edges.edge import Edge
from core.edges.smart import candidates, with_smart
from core.ids import chunk_id
from core.smart.cache import VerdictCache
from core.smart.passage import Choice, Passage, Verdict

_JUDGE, _SURVEYED = "judge", "surveyed"


class Due(msgspec.Struct, frozen=True):
    """Notes that were judged and whose edges are to be written anew; with `survey`, all others
    have to be looked at as well: there is a new judge, or nobody knows what waits."""

    notes: tuple[str, ...]
    judge: str
    survey: bool


class Allocation:
    """Between the importer, which asks for edges, and the judge, who asks a model: both only
    meet here. Any thread may call.

    `on_waiting` is called when passages have come to wait, `on_judged` when edges of stored
    notes are to be written anew.
    """

    def __init__(self, folder: Path | None) -> None:
        self._cache = VerdictCache(folder)
        self._lock = threading.Lock()
        self._waiting = self._cache.waiting()
        self._judge = self._cache.fact(_JUDGE)
        self._judged: dict[str, None] = {}
        self._survey = self._cache.fact(_SURVEYED) != _stamp(self._judge)
        self._failed = 0
        self.working = False
        """Whether the model is being asked, or will be soon."""
        self.on_waiting: Callable[[], None] = lambda: None
        self.on_judged: Callable[[], None] = lambda: None

    # what the importer asks

    def edges(
        self,
        note_id: str,
        edges: Sequence[Edge],
        texts: Sequence[str],
        title: Callable[[Edge], str],
        relations: RelationsConfig,
    ) -> list[Edge]:
        """The edges of a note whose type asks for smart ones: those that were derived, and
        those that a model found in its chunks (`texts`). What it was not asked yet, waits.
        `title` is what to call an edge's target."""
        chunks = [chunk_id(note_id, index) for index in range(len(texts))]
        chosen: list[tuple[str, Edge, str, float]] = []
        missing: list[Passage] = []
        for chunk, text, found in zip(chunks, texts, candidates(edges, chunks), strict=True):
            if not found or not text.strip():
                continue
            passage = Passage(text.strip(), tuple(_choice(edge, title(edge)) for edge in found))
            known = self._cache.verdict(passage.key, self._judge)
            if known is None or not known[1]:
                missing.append(passage)
            if known is not None:
                model = known[0].model
                chosen += [
                    (chunk, found[one.number - 1], model, one.confidence)
                    for one in known[0].chosen
                    if 0 < one.number <= len(found)
                ]
        self._wait(note_id, missing)
        return with_smart(edges, chosen, relations)

    def forget(self, note_ids: Iterable[str]) -> None:
        """These notes are gone, or ask for no smart edges: nothing of them waits."""
        for note_id in note_ids:
            self._wait(note_id, ())

    @property
    def due(self) -> bool:
        """Whether edges of stored notes are to be written anew."""
        return self._survey or bool(self._judged)

    def take(self) -> Due:
        """What is due; to be given back by `done` or `again`."""
        with self._lock:
            judged, self._judged = tuple(self._judged), {}
            return Due(judged, self._judge, self._survey)

    def done(self, due: Due) -> None:
        """All of it was written."""
        with self._lock:
            if not due.survey or due.judge != self._judge:
                return
            self._survey = False
            self._cache.remember(_SURVEYED, _stamp(due.judge))

    def again(self, due: Due) -> None:
        """It could not be written for now."""
        with self._lock:
            self._judged = {**dict.fromkeys(due.notes), **self._judged}

    # what the judge asks

    def meet(self, judge: str) -> None:
        """From now on verdicts are this judge's. What another one said counts until then."""
        with self._lock:
            if judge == self._judge:
                return
            self._judge, self._survey = judge, True
            self._cache.remember(_JUDGE, judge)
        self.on_judged()

    @property
    def known_judge(self) -> str:
        """Whose verdicts these are, "" before there was one."""
        return self._judge

    def next(self, without: Callable[[str], bool]) -> tuple[str, list[Passage]] | None:
        """A note with passages that wait, but for those whose keys the judge gave up on."""
        with self._lock:
            notes = list(self._waiting)
        for note_id in notes:
            if left := [one for one in self._cache.passages(note_id) if not without(one.key)]:
                return note_id, left
        return None

    def keep(self, passage: Passage, verdict: Verdict) -> None:
        """A verdict on a passage; the same passage elsewhere takes it as well."""
        with self._lock:
            self._cache.keep(passage.key, self._judge, verdict)
            waiting = self._cache.waiting()
            done = [one for one in self._waiting if one not in waiting]
            self._waiting = waiting
            self._judged.update(dict.fromkeys(done))
        if done:
            self.on_judged()

    def give_up(self, note_id: str) -> None:
        """The model has no answer for a passage of this note: it gets what there is."""
        with self._lock:
            self._failed += 1
            self._judged[note_id] = None
        self.on_judged()

    # what people ask

    def state(self, llm: str) -> SmartState:
        """What a status says; `llm` is the state of the language model."""
        with self._lock:
            waiting = sum(self._waiting.values())
        failed = min(self._failed, waiting)
        if llm == "off":
            return SmartState(state="off", waiting=waiting)
        going: Literal["working", "waiting"] = "working" if llm == "ready" else "waiting"
        state = going if waiting > failed else "ready"
        return SmartState(state=state, waiting=waiting, failed=failed)

    def close(self) -> None:
        """Nothing more is kept."""
        self._cache.close()

    def _wait(self, note_id: str, passages: Sequence[Passage]) -> None:
        with self._lock:
            if not passages and note_id not in self._waiting:
                return
            # some may have been judged since they were looked for
            left = [one for one in passages if not self._is_judged(one)]
            self._cache.wait(note_id, left)
            self._waiting.pop(note_id, None)
            if left:
                self._waiting[note_id] = len({one.key for one in left})
            if late := len(left) < len(passages):
                self._judged[note_id] = None
        if left:
            self.on_waiting()
        if late:
            self.on_judged()

    def _is_judged(self, passage: Passage) -> bool:
        known = self._cache.verdict(passage.key, self._judge)
        return known is not None and known[1]


def _choice(edge: Edge, title: str) -> Choice:
    return Choice(edge.kind, edge.target_note_id or edge.target_id, title)


def _stamp(judge: str) -> str:
    return judge or "nobody"
