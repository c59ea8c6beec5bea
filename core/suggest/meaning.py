"""Notes near in meaning to the passages of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.chunking.chunks import Chunk
from core.ingest.embed import MAX_EMBEDDED
from core.retrieval.passages import formula, is_telling, labels, shares_wording
from core.store.ports import Eq, Hit, Where

if TYPE_CHECKING:
    from core.embedding.ports import Embedder
    from core.store.generation import Generation
    from core.store.ports import Vector

PER_PASSAGE = 24
ABOVE_OTHERS = 0.12
"""How much nearer than the others around both of them two passages must be to count fully. A
text that is near everything (Radovanović's hubs) says nothing about any one note."""
TEMPLATE, TEMPLATE_LEAST = 0.5, 3
"""Share and number of the hits with the passage's own heading from which on the section is one
of a template (“Who speaks?”): these are near for what they are, not for what they say."""
FORMULA = 0.4
"""Share of formulas in a passage from which on it says nothing of its own."""
CROWD = 8
"""Notes around a passage that are looked at to see how near everything is to it."""
CHECKED = 16
"""The nearest notes of all passages, whose own surroundings are looked at."""


@dataclass(slots=True)
class Near:
    """The note at `path` is near a passage: by this cosine, to its chunk `chunk_id`; `above` is
    how much nearer than the others."""

    path: str
    chunk_id: str
    cosine: float
    above: float
    passage: Chunk


class Nearness:
    """Looks up passages in one generation of the store. `low` and `high` are the ends of the
    model's scale."""

    def __init__(
        self, generation: Generation, embedder: Embedder, scale: tuple[float, float]
    ) -> None:
        self._generation, self._embedder = generation, embedder
        self._low, self._high = scale

    def near(self, chunks: Sequence[Chunk], own: str) -> list[Near]:
        """Notes near these chunks of the note with the id `own`, one for each pair."""
        found: list[Near] = []
        for chunk, vector in self.vectors(chunks, own):
            hits = self._around(vector, chunk, own)
            total = sum(hit.score for hit in hits)
            for hit in hits:
                others = (total - hit.score) / (len(hits) - 1) if len(hits) > 1 else self._low
                above = hit.score - max(self._low, others)
                path = str(hit.payload["path"])
                found.append(Near(path, hit.id, hit.score, above, chunk))
        return found

    def strength(self, one: Near) -> float:
        """How much of a sign the nearness is, 0 to 1."""
        size = (one.cosine - self._low) / (self._high - self._low)
        return min(1.0, max(0.0, size)) * min(1.0, max(0.0, one.above / ABOVE_OTHERS))

    def judge(self, found: Sequence[Near], own: str) -> None:
        """Correct the best of them for what is around the *other* passage: boilerplate is near
        all boilerplate. The mean of both sides is the cross-domain similarity local scaling
        (CSLS) of Conneau et al., "Word translation without parallel data" (2018)."""
        best = sorted(found, key=lambda one: (-self.strength(one), one.path))[:CHECKED]
        ids = sorted({one.chunk_id for one in best if self.strength(one) > 0})
        crowds = {
            point.id: self._crowd(point.vector, str(point.payload["note_id"]), own)
            for point in self._generation.chunks.get(ids, vectors=True)
            if point.vector is not None
        }
        for one in found:
            if one.chunk_id in crowds:
                one.above = (one.above + one.cosine - crowds[one.chunk_id]) / 2

    def vectors(self, chunks: Sequence[Chunk], own: str) -> Iterator[tuple[Chunk, Vector]]:
        """Each passage with its vector: the stored one where the text has not changed."""
        # whole windows, as in the store, so that both sides were embedded alike
        stored = self._generation.chunks.scan(Eq("note_id", own), ["window"], vectors=True)
        known = {p.payload["window"]: p.vector for p in stored if p.vector is not None}
        missing = [chunk.window for chunk in chunks if chunk.window not in known]
        if missing:
            texts = [window[:MAX_EMBEDDED] for window in missing]
            known.update(zip(missing, self._embedder.embed_documents(texts), strict=True))
        for chunk in chunks:
            vector = known[chunk.window]
            if vector.any():
                yield chunk, vector

    def _around(self, vector: Vector, chunk: Chunk, own: str) -> list[Hit]:
        """The best chunk of each note near a passage, nearest first."""
        others = Where(none=[Eq("note_id", own)])
        fields = ("path", "text", "section")
        hits = self._generation.chunks.search(vector, others, PER_PASSAGE, fields)
        texts = {str(hit.payload["path"]): str(hit.payload["text"]) for hit in reversed(hits)}
        if formula(chunk.text, texts.values()) > FORMULA:
            return []
        hits = [
            hit
            for hit in hits
            if is_telling(text := str(hit.payload["text"])) and not shares_wording(chunk.text, text)
        ]
        mine = labels(chunk.text, chunk.section_path)
        alike = {
            hit.id
            for hit in hits
            if mine & labels(str(hit.payload["text"]), str(hit.payload.get("section") or ""))
        }
        if len(alike) >= max(TEMPLATE_LEAST, TEMPLATE * len(hits)):
            hits = [hit for hit in hits if hit.id not in alike]
        found: dict[str, Hit] = {}
        for hit in hits:
            found.setdefault(str(hit.payload["path"]), hit)
        return list(found.values())

    def _crowd(self, vector: Vector, other: str, own: str) -> float:
        """How near the notes around a passage of another note are on the average."""
        where = Where(none=[Eq("note_id", other), Eq("note_id", own)])
        best: dict[str, float] = {}
        for hit in self._generation.chunks.search(vector, where, PER_PASSAGE, ("note_id",)):
            best.setdefault(str(hit.payload["note_id"]), hit.score)
        nearest = list(best.values())[:CROWD]
        return max(self._low, sum(nearest) / len(nearest)) if nearest else self._low
