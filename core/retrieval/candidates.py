"""The first step of a search: chunks that are near in meaning or share words with it.

Each candidate gets both scores, whichever list it came from, so that fusing compares
like with like.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.embedding.sparse import QueryWords
from core.store.ports import Collection, Condition, In, Where

if TYPE_CHECKING:
    from core.store.ports import Vector

POOL = 120
"""Chunks taken from each of the two lists."""

FIELDS = (
    "chunk_id",
    "note_id",
    "path",
    "title",
    "type",
    "section",
    "start_line",
    "end_line",
    "retriever_weight",
)


@dataclass(slots=True)
class Candidate:
    """A chunk that may be a hit. `cosine` is None where it has no vector or none was
    asked for, `coverage` and `in_title` are the shares of the query's words in it and in
    its note's title, `literal` that of what is asked for word by word (`core.retrieval.literal`),
    0 to 1. `semantic`, `lexical`, `by_title` and `by_literal` (parts of `lexical`)
    and `type_weight` (the factor in all) are set by `fuse`."""

    chunk_id: str
    payload: Mapping[str, Any]
    cosine: float | None = None
    coverage: float = 0.0
    in_title: float = 0.0
    literal: float = 0.0
    semantic: float = 0.0
    lexical: float = 0.0
    by_title: float = 0.0
    by_literal: float = 0.0
    type_weight: float = 1.0

    @property
    def note_id(self) -> str:
        return str(self.payload["note_id"])

    @property
    def retriever_weight(self) -> float:
        """The weight of the note's type."""
        return max(0.0, float(self.payload.get("retriever_weight", 1.0)))


def gather(
    chunks: Collection,
    vector: Vector | None,
    words: QueryWords | None,
    where: Condition | None,
) -> list[Candidate]:
    """The candidates for a query, in the order of their chunk ids.

    `vector` and `words` may each be missing, but not both for a useful answer.
    """
    found: dict[str, Candidate] = {}
    if vector is not None:
        for hit in chunks.search(vector, where, POOL, FIELDS):
            found[hit.id] = Candidate(hit.id, hit.payload, cosine=hit.score)
    if words is not None and len(words.vector):
        for hit in chunks.search_sparse(words.vector, where, POOL, FIELDS):
            one = found.setdefault(hit.id, Candidate(hit.id, hit.payload))
            one.coverage = words.coverage(hit.score)
    complete(chunks, found.values(), vector, words)
    return [found[key] for key in sorted(found)]


def of_notes(
    chunks: Collection,
    note_ids: Sequence[str],
    vector: Vector | None,
    words: QueryWords | None,
    where: Condition | None,
) -> list[Candidate]:
    """The best chunk of each of these notes, though it was in neither list."""
    inside: Condition = In("note_id", note_ids)
    condition = inside if where is None else Where(all=[inside, where])
    best: dict[str, Candidate] = {}
    if vector is not None:
        for hit in chunks.search(vector, condition, 4 * len(note_ids), FIELDS):
            one = Candidate(hit.id, hit.payload, cosine=hit.score)
            best.setdefault(one.note_id, one)
    if words is not None and len(words.vector):
        for hit in chunks.search_sparse(words.vector, condition, 4 * len(note_ids), FIELDS):
            one = Candidate(hit.id, hit.payload, coverage=words.coverage(hit.score))
            best.setdefault(one.note_id, one)
    complete(chunks, best.values(), vector, words)
    return [best[key] for key in sorted(best)]


def complete(
    chunks: Collection,
    candidates: Iterable[Candidate],
    vector: Vector | None,
    words: QueryWords | None,
) -> None:
    """Give every candidate the score that it lacks."""
    everyone = {one.chunk_id: one for one in candidates}
    if vector is not None:
        lacking = [key for key, one in everyone.items() if one.cosine is None]
        if lacking:
            where = In("chunk_id", lacking)
            for hit in chunks.search(vector, where, len(lacking), ("chunk_id",)):
                everyone[hit.id].cosine = hit.score
    if words is not None and len(words.vector):
        for one in everyone.values():
            one.in_title = words.coverage_by_title(str(one.payload.get("title", "")))
        lacking = [key for key, one in everyone.items() if not one.coverage]
        if lacking:
            where = In("chunk_id", lacking)
            for hit in chunks.search_sparse(words.vector, where, len(lacking), ("chunk_id",)):
                everyone[hit.id].coverage = words.coverage(hit.score)
