"""Notes related to a note or to a selection in it, with a score that adds up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.api import QueryHit, ScoreBreakdown
from core.chunking.chunks import Chunk
from core.config.retriever import Scoring
from core.embedding.sparse import QueryWords, query_words
from core.features.document import Document
from core.function_words import is_telling
from core.ingest.embed import MAX_EMBEDDED
from core.locale import Locale, say
from core.retrieval.candidates import FIELDS
from core.retrieval.passages import is_telling as tells
from core.retrieval.passages import some
from core.retrieval.scales import scale_of
from core.store.ports import Eq, Hit, SparseVector, Where
from core.suggest.company import Company, company
from core.suggest.meaning import Nearness
from core.suggest.reasons import near_lines, together
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from core.embedding.ports import Embedder
    from core.store.generation import Generation
    from core.store.ports import Vector

MAX_PASSAGES = 12
PER_PASSAGE, BY_WORDS = 24, 60
"""Chunks that are taken for each passage by meaning, and for all of them by words."""
LINKED = 0.5
"""What a link between the two is worth, where full company is 1."""
MAX_WORDS = 4


@dataclass(slots=True)
class _Found:
    """A related note at its best chunk. `lines` are those of the passage that it is near to."""

    hit: Hit
    cosine: float = 0.0
    lines: tuple[int, int] = (0, 0)
    coverage: float = 0.0
    semantic: float = 0.0
    lexical: float = 0.0
    edges: float = 0.0

    @property
    def total(self) -> float:
        return self.semantic + self.lexical + self.edges


def related(
    document: Document,
    chunks: Sequence[Chunk],
    selection: tuple[int, int] | None,
    generation: Generation,
    index: VaultIndex,
    embedder: Embedder | None,
    scoring: Scoring,
    *,
    own: str,
    top_k: int,
    locale: Locale,
) -> list[QueryHit]:
    """The notes nearest to a note in meaning, words and links, without itself.

    `chunks` are the note's, `own` is its id, `selection` the offsets of what it is about in
    place of the whole. Raises `StoreError` and `EmbeddingUnavailable`.
    """
    found: dict[str, _Found] = {}
    low, high = scale_of(embedder.model) if embedder is not None else (0.0, 1.0)
    others = Where(none=[Eq("note_id", own)])
    if embedder is not None:
        nearness = Nearness(generation, embedder, (low, high))
        for lines, vector in _vectors(document, chunks, selection, nearness, embedder, own):
            for hit in generation.chunks.search(vector, others, PER_PASSAGE, FIELDS):
                one = found.setdefault(str(hit.payload["note_id"]), _Found(hit))
                if hit.score > one.cosine:
                    one.hit, one.cosine, one.lines = hit, hit.score, lines
    start, end = selection or (document.note.body_start, len(document.text))
    name = "" if selection else f"{document.note.title}\n"
    words = query_words(name + document.text[start:end], generation.lexicon.idf)
    if len(words.vector):
        for hit in generation.chunks.search_sparse(words.vector, others, BY_WORDS, FIELDS):
            one = found.setdefault(str(hit.payload["note_id"]), _Found(hit))
            one.coverage = max(one.coverage, words.coverage(hit.score))
    kept = company(index, document.path)
    linked = {path for path in index.targets(document.path) if path}
    linked_from = set(index.sources(document.path))
    for one in found.values():
        path = str(one.hit.payload["path"])
        size = min(1.0, max(0.0, (one.cosine - low) / (high - low)))
        one.semantic = scoring.semantic_weight * size
        one.lexical = scoring.lexical_weight * one.coverage
        bond = LINKED * (path in linked or path in linked_from)
        one.edges = scoring.edge_weight * min(1.0, bond + kept.get(path, Company()).score)
    best = sorted(found.values(), key=lambda one: (-one.total, str(one.hit.payload["path"])))
    best = [one for one in best if one.total > 0][:top_k]
    points = {p.id: p for p in generation.chunks.get([b.hit.id for b in best], vectors=True)}
    hits = []
    for one in best:
        point, path = points.get(one.hit.id), str(one.hit.payload["path"])
        if point is None:
            continue
        why = [near_lines(*one.lines, one.cosine, locale)] if one.semantic > 0 else []
        why += _shared_words(words, point.sparse, locale) if point.sparse else []
        why += _links(path in linked, path in linked_from, locale)
        common = kept.get(path, Company())
        why += together(index, common.citing, common.shared, locale)
        hits.append(_hit(one, dict(point.payload), why))
    return hits


def _vectors(
    document: Document,
    chunks: Sequence[Chunk],
    selection: tuple[int, int] | None,
    nearness: Nearness,
    embedder: Embedder,
    own: str,
) -> Iterator[tuple[tuple[int, int], Vector]]:
    """The passages that count, as lines, with their vectors."""
    if selection is None:
        telling = [chunk for chunk in chunks if tells(chunk.text)] or chunks
        for chunk, vector in nearness.vectors(some(telling, MAX_PASSAGES), own):
            yield (chunk.start_line, chunk.end_line), vector
        return
    text = document.text[slice(*selection)].strip()
    if not text:
        return
    lines = document.lines
    window = f"{document.note.title}\n\n{text}"[:MAX_EMBEDDED]
    vector = embedder.embed_documents([window])[0]
    if vector.any():
        last = max(selection[0], selection[1] - 1)
        yield (lines.line_at(selection[0]), lines.line_at(last)), vector


def _shared_words(words: QueryWords, sparse: SparseVector, locale: Locale) -> list[str]:
    matched = [one for one in words.matched(sparse) if one.whole and is_telling(one.word)]
    listed = ", ".join(say(locale, f"“{m.word}”", f"„{m.word}“") for m in matched[:MAX_WORDS])
    return [say(locale, f"also contains {listed}", f"enthält auch {listed}")] if listed else []


def _links(linked: bool, linked_from: bool, locale: Locale) -> list[str]:
    if linked and linked_from:
        return [say(locale, "both link to each other", "beide verweisen aufeinander")]
    if linked:
        return [say(locale, "is linked here", "ist hier verlinkt")]
    return [say(locale, "links here", "verweist hierher")] if linked_from else []


def _hit(one: _Found, payload: dict[str, object], why: list[str]) -> QueryHit:
    breakdown = ScoreBreakdown(
        semantic=one.semantic,
        lexical=one.lexical,
        type_weight=1.0,
        edge_bonus=one.edges,
        centrality=0.0,
        total=one.total,
    )
    return QueryHit(
        note_id=str(payload["note_id"]),
        title=str(payload["title"]),
        type=str(payload["type"]),
        path=str(payload["path"]),
        chunk_id=one.hit.id,
        section=str(payload.get("section") or ""),
        start_line=int(str(payload["start_line"])),
        end_line=int(str(payload["end_line"])),
        text=str(payload["text"]),
        score=one.total,
        score_breakdown=breakdown,
        cosine=one.cosine or None,
        reasons=why,
    )
