"""Search: text candidates, the graph around them, one explained score for each note."""

from __future__ import annotations

import importlib
import logging
import time
import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from core.api import QueryRequest, QueryResponse
from core.config.load import Config
from core.embedding.sparse import QueryWords, query_words
from core.errors import EmbeddingUnavailable, InvalidArguments
from core.locale import say
from core.retrieval.candidates import Candidate, gather, of_notes
from core.retrieval.filters import condition_of
from core.retrieval.fuse import best_of_each_note, fuse
from core.retrieval.graph import (
    Neighbourhood,
    fresh,
    neighbourhood,
)
from core.retrieval.literal import Literal, literal, with_literal
from core.retrieval.rank import rank
from core.retrieval.scales import scale_of
from core.retrieval.tell import Teller
from core.retrieval.why_not import Search, why_not
from core.store.ports import Collection, Condition
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
        wanted = Literal() if pure else literal(request.query, index)
        if wanted:
            parts = (vector, words, where, generation.lexicon.idf)
            pool = with_literal(wanted, generation.chunks, pool, *parts)
        fuse(pool, config.retriever.scoring, pure=pure)
        near = None
        if not pure and request.hops:
            near = self._around(generation.edges, pool, request.hops, config)
            pool = _widened(generation.chunks, pool, near, vector, words, where)
            fuse(pool, config.retriever.scoring)
        order = rank(pool, near, config)
        far = scale_of(self._embedder.model)[0] if self._embedder else 0.0
        told = Teller(request, config, words, near, far, wanted.phrases, wanted.named)
        hits = told.hits(generation.chunks, generation.edges, order[: request.top_k])
        absent = None
        if request.why_not is not None:
            made = (request, index, config, generation.chunks, vector, words, pool, near, order)
            absent = why_not(Search(*made, far))
        return QueryResponse(
            query_id=str(uuid.uuid4()),
            mode=request.mode,
            took_ms=round((time.perf_counter() - started) * 1000, 1),
            hits=hits,
            notice=notice,
            why_not=absent,
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
