"""Search: text candidates, the graph around them, one explained score for each note."""

from __future__ import annotations

import importlib
import logging
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.api import QueryHit, QueryRequest, QueryResponse, ScoreBreakdown
from core.config.load import Config
from core.embedding.sparse import QueryWords, query_words
from core.errors import EmbeddingUnavailable, InvalidArguments
from core.locale import say
from core.retrieval.candidates import Candidate, gather, of_notes
from core.retrieval.explain import reasons
from core.retrieval.filters import condition_of
from core.retrieval.fuse import best_of_each_note, factor, fuse
from core.retrieval.graph import (
    NO_BONUS,
    Bonus,
    Neighbourhood,
    bonuses,
    fresh,
    links_from,
    links_to,
    neighbourhood,
)
from core.retrieval.scales import scale_of
from core.store.ports import Collection, Condition, Point
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from core.embedding.ports import Embedder
    from core.store.generation import Generation
    from core.store.ports import Vector

logger = logging.getLogger(__name__)

SEEDS = 12
"""Best notes by text whose surroundings are looked at."""
LINKED = 48
"""Best notes by text among which every link counts; those below have hardly any weight."""
MAX_TOP_K = 200


@dataclass(slots=True)
class _Scored:
    one: Candidate
    bonus: Bonus
    edge_bonus: float
    centrality: float

    @property
    def total(self) -> float:
        return self.one.semantic + self.one.lexical + self.edge_bonus + self.centrality


def warm(embedder: Embedder | None) -> None:
    """Load what the first query would otherwise wait for; blocks for a second."""
    importlib.import_module("networkx")
    if embedder is not None:
        try:
            embedder.embed_query("ready")
        except EmbeddingUnavailable as error:
            logger.warning("%s %s", error.message, error.hint)


class Searcher:
    """Answers queries from the generation of the store that is in use.

    Safe to call from several threads; blocks.
    """

    def __init__(
        self,
        generation: Callable[[], Generation],
        index: Callable[[], VaultIndex],
        embedder: Embedder | None,
        config: Callable[[], Config],
    ) -> None:
        self._generation = generation
        self._index = index
        self._embedder = embedder
        self._config = config

    def query(self, request: QueryRequest, *, vectors: bool = True) -> QueryResponse:
        """The notes that answer best. `vectors` of False searches by words alone.

        Raises `InvalidArguments`, in semantic mode `EmbeddingUnavailable`, and `StoreError`.
        """
        started = time.perf_counter()
        _check(request)
        generation, config, index = self._generation(), self._config(), self._index()
        pure = request.mode == "semantic"
        built_with = None if vectors else generation.manifest.model
        vector, notice = self._vector(request, pure=pure, built_with=built_with)
        words = None if pure else query_words(request.query, generation.lexicon.idf)
        where = condition_of(request.filters, index)
        pool = gather(generation.chunks, vector, words, where)
        fuse(pool, config.retriever.scoring, pure=pure)
        near = None
        if not pure and request.hops:
            near = self._around(generation.edges, pool, request.hops, config)
            pool = _widened(generation.chunks, pool, near, vector, words, where)
            fuse(pool, config.retriever.scoring)
        ranked = _rank(pool, near, config)[: request.top_k]
        far = scale_of(self._embedder.model)[0] if self._embedder else 0.0
        hits = _Teller(request, config, words, near, far).hits(generation.chunks, ranked)
        return QueryResponse(
            query_id=str(uuid.uuid4()),
            mode=request.mode,
            took_ms=round((time.perf_counter() - started) * 1000, 1),
            hits=hits,
            notice=notice,
        )

    def _vector(
        self, request: QueryRequest, *, pure: bool, built_with: str | None
    ) -> tuple[Vector | None, str | None]:
        """The query's vector, or why there is none. `built_with` is the model of an index
        that is being built anew for this one ("" for none), else None."""
        notice = say(
            request.locale,
            "searched by words alone: there is no embedding model",
            "nur nach Wörtern gesucht: es gibt kein Embedding-Modell",
        )
        if self._embedder is None:
            if pure:
                raise EmbeddingUnavailable(notice, "Use the hybrid mode, or set a model.")
            return None, notice
        if built_with is not None:
            stale = say(
                request.locale,
                "searched by words alone: the index was built with "
                f"{built_with or 'no embedding model'} and is being built anew",
                "nur nach Wörtern gesucht: der Index wurde mit "
                f"{built_with or 'keinem Embedding-Modell'} gebaut und entsteht gerade neu",
            )
            if pure:
                raise EmbeddingUnavailable(stale, "Ask again in a while, or use the hybrid mode.")
            return None, stale
        try:
            vector = self._embedder.embed_query(request.query)
        except EmbeddingUnavailable as error:
            if pure:
                raise
            return None, f"{notice} ({error.message})"
        return (vector, None) if vector.any() else (None, None)

    def _around(
        self, edges: Collection, pool: Sequence[Candidate], hops: int, config: Config
    ) -> Neighbourhood:
        best = [one.note_id for one in best_of_each_note(pool)[:LINKED]]
        return neighbourhood(edges, best[:SEEDS], hops, config.retriever, config.relations, best)


def _check(request: QueryRequest) -> None:
    if not request.query.strip():
        raise InvalidArguments("query: is empty", "Say what to look for.")
    if not 1 <= request.top_k <= MAX_TOP_K:
        raise InvalidArguments(f"top_k: {request.top_k} is not between 1 and {MAX_TOP_K}")
    if not 0 <= request.hops <= 3:
        raise InvalidArguments(f"hops: {request.hops} is not between 0 and 3")


def _widened(
    chunks: Collection,
    pool: list[Candidate],
    near: Neighbourhood,
    vector: Vector | None,
    words: QueryWords | None,
    where: Condition | None,
) -> list[Candidate]:
    """The pool, and the best chunks of notes that only the graph brought in."""
    known = {one.note_id: one.semantic + one.lexical for one in best_of_each_note(pool)}
    found = fresh(near, known)
    if not found:
        return pool
    return [*pool, *of_notes(chunks, found, vector, words, where)]


def _rank(pool: Sequence[Candidate], near: Neighbourhood | None, config: Config) -> list[_Scored]:
    best = best_of_each_note(pool)
    scoring = config.retriever.scoring
    highest = max((one.semantic + one.lexical for one in best), default=0.0)
    found: dict[str, Bonus] = {}
    if near is not None and highest > 0:
        relevance = {one.note_id: (one.semantic + one.lexical) / highest for one in best}
        found = bonuses(near, relevance)
    scored = []
    for one in best:
        bonus = found.get(one.note_id, NO_BONUS)
        scored.append(
            _Scored(
                one,
                bonus,
                scoring.edge_weight * bonus.edges,
                scoring.centrality_weight * bonus.centrality,
            )
        )
    scored.sort(key=lambda s: (-s.total, s.one.chunk_id))
    return [s for s in scored if s.total > 0]


@dataclass(frozen=True, slots=True)
class _Teller:
    """Makes hits of ranked candidates: with their text, and with reasons where asked for."""

    request: QueryRequest
    config: Config
    words: QueryWords | None
    near: Neighbourhood | None
    far: float
    """The cosine that the model gives to texts which have nothing in common."""

    def hits(self, chunks: Collection, ranked: Sequence[_Scored]) -> list[QueryHit]:
        """The hits in their order; those deleted since they were found are left out."""
        ids = [scored.one.chunk_id for scored in ranked]
        points = {point.id: point for point in chunks.get(ids, vectors=True)}
        titles = {s.one.note_id: str(s.one.payload.get("title", "")) for s in ranked}
        top = max((s.one.semantic for s in ranked), default=0.0)
        hits = []
        for scored in ranked:
            point = points.get(scored.one.chunk_id)
            if point is not None:
                explain = self.request.explain
                why = self._reasons(scored.one, point, titles, top) if explain else []
                hits.append(_hit(scored, point, why, self.request))
        return hits

    def _reasons(
        self, one: Candidate, point: Point, titles: dict[str, str], top: float
    ) -> list[str]:
        others = [note for note in titles if note != one.note_id]
        incoming = links_to(self.near, one.note_id, others) if self.near else []
        outgoing = links_from(self.near, one.note_id, others) if self.near else []
        scoring, default = self.config.retriever.scoring, self.config.types.default
        return reasons(
            one,
            self.words.matched(point.sparse) if self.words and point.sparse else [],
            [(titles[note], kind) for note, kind in incoming],
            [(titles[note], kind) for note, kind in outgoing],
            str(one.payload.get("type", "")),
            self.config.relations,
            self.request.locale,
            closeness=one.semantic / top if top else 0.0,
            usual=factor(default.retriever_weight, scoring),
            far=self.far,
        )


def _hit(scored: _Scored, point: Point, why: list[str], request: QueryRequest) -> QueryHit:
    one, payload = scored.one, point.payload
    breakdown = ScoreBreakdown(
        semantic=one.semantic,
        lexical=one.lexical,
        type_weight=1.0 if request.mode == "semantic" else one.type_weight,
        edge_bonus=scored.edge_bonus,
        centrality=scored.centrality,
        total=scored.total,
    )
    return QueryHit(
        note_id=one.note_id,
        title=str(payload["title"]),
        type=str(payload["type"]),
        path=str(payload["path"]),
        chunk_id=one.chunk_id,
        section=str(payload.get("section") or ""),
        start_line=int(payload["start_line"]),
        end_line=int(payload["end_line"]),
        text=str(payload["text"]),
        score=scored.total,
        score_breakdown=breakdown if request.explain else None,
        reasons=why,
    )
