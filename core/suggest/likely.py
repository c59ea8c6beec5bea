"""How likely a note is the one that another should link to, judged among all that might be.

Four kinds of evidence are put on one scale, each divided by the highest among the candidates,
and summed with the weights of `retriever.yaml`. The parts were chosen by hiding links of real
vaults (`python -m tests.eval`); see docs/evaluation.md for what each of them adds.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from core.chunking.chunks import Chunk
from core.config.retriever import Linking
from core.embedding.sparse import document_vector, word_terms, words_of
from core.features.document import Document
from core.ingest.embed import mean_vector
from core.model import Note
from core.store.ports import Eq, SparseVector, Where
from core.suggest.evidence import Evidence
from core.text import fold
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from core.store.generation import Generation
    from core.store.ports import Vector

TERMS = 128
"""The most telling terms of a note, by which others are searched."""
CHUNKS, NOTES = 300, 150
"""Hits that are looked at, by words and by meaning."""
ALIKE = 15
"""The notes most alike, whose links are counted."""
LOOKED_AT, HUB = 200, 400
"""Neighbours that are looked at, and links from which on one of them says nothing."""
WHOLE_NAME = 12
"""Letters from which on a name in the text is no chance."""
LEAST_LETTERS = 3

_WORDS = re.compile(r"[^\W_]+")
Scores = Mapping[str, float]


def compare(
    evidence: dict[str, Evidence],
    document: Document,
    chunks: Sequence[Chunk],
    index: VaultIndex,
    generation: Generation,
    weights: Linking,
    *,
    vectors: bool,
) -> None:
    """Set `likely` of all notes that a note might link to; those without evidence are added.

    `chunks` are the part of `document` that it is about. Costs two searches, and what the
    neighbours have links; embeds nothing. Raises `StoreError`.
    """
    if not chunks:
        return
    vector = None
    if vectors:
        # what is stored is enough: the words that were just typed have their own passage
        windows, own = {chunk.window for chunk in chunks}, index.note_id(document.path)
        stored = generation.chunks.scan(Eq("note_id", own), ["window"], vectors=True)
        rows = [point.vector for point in stored if point.payload["window"] in windows]
        vector = mean_vector([row for row in rows if row is not None])
    whole = chunks[0].start <= document.note.body_start and chunks[-1].end >= len(document.text)
    # what stands in the frontmatter says what the note is about, too
    text = document.text if whole else document.text[chunks[0].start : chunks[-1].end]
    named = [path for path, one in evidence.items() if one.mention is not None]
    scores = likely(generation, index, document.note, text, vector, named, weights)
    for path, score in scores.items():
        evidence.setdefault(path, Evidence()).likely = score


def likely(
    generation: Generation,
    index: VaultIndex,
    note: Note,
    text: str,
    vector: Vector | None,
    named: Iterable[str],
    weights: Linking,
) -> dict[str, float]:
    """The candidates for links from a text of `note`, 0 to 1 each, by path; `vector` is the
    mean of its passages.

    `named` are paths that the text is known to name. What is linked already may be among them.
    """
    own = Where(none=[Eq("note_id", index.note_id(note.path))])
    words = _by_words(generation, text, own)
    near = {} if vector is None else _by_meaning(generation, vector, own)
    around = sorted(neighbours(index, note.path))
    company = shared_company(index, note.path, around)
    alike = linked_by(index, note.path, near or words)
    found = {*words, *near, *company, *alike, *named} & index.notes.keys()
    titles = _Titles(generation, text)
    parts: list[tuple[float, Scores]] = [
        (weights.words, words),
        (weights.meaning, near),
        (weights.neighbours, company),
        (weights.alike, alike),
    ]
    scores = dict.fromkeys(sorted(found), 0.0)
    for weight, part in parts:
        highest = max((part.get(path, 0.0) for path in found), default=0.0)
        if weight and highest > 0:
            for path in scores:
                scores[path] += weight * part.get(path, 0.0) / highest
    for path in scores:
        names = _names(index.notes[path])
        scores[path] += weights.name * titles.named(names) + weights.title * titles.covered(names)
    return {path: score / weights.total for path, score in scores.items()}


def neighbours(index: VaultIndex, path: str) -> set[str]:
    """The notes that a note is linked with, in either direction."""
    return {one for one in (*index.targets(path), *index.sources(path)) if one and one != path}


def shared_company(index: VaultIndex, path: str, around: Iterable[str]) -> Scores:
    """The weight of the neighbours that each other note shares with the one at `path`: rare
    company tells more (Adamic and Adar 2003)."""
    scores: defaultdict[str, float] = defaultdict(float)
    for between in list(around)[:LOOKED_AT]:
        others = neighbours(index, between)
        if 1 < len(others) <= HUB:
            for other in others - {path}:
                scores[other] += 1 / math.log(len(others))
    return scores


def linked_by(index: VaultIndex, path: str, alike: Scores) -> Scores:
    """What the notes most alike are linked with, each counted by how alike it is."""
    best = sorted(alike.items(), key=lambda item: (-item[1], item[0]))[:ALIKE]
    scores: defaultdict[str, float] = defaultdict(float)
    for other, closeness in best:
        around = neighbours(index, other) if other in index.notes else set()
        if len(around) <= HUB:
            for one in around - {path}:
                scores[one] += max(0.0, closeness)
    return scores


def _by_words(generation: Generation, text: str, own: Where) -> Scores:
    """The best chunk of each note by the words that tell most about the text."""
    document = document_vector(text)
    rarity = generation.lexicon.idf(document.indices)
    weighed = sorted(
        (
            (value * rare, index)
            for index, value, rare in zip(document.indices, document.values, rarity, strict=True)
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )
    best = sorted((index, weight) for weight, index in weighed[:TERMS])
    if not best:
        return {}
    query = SparseVector([index for index, _ in best], [weight for _, weight in best])
    found: dict[str, float] = {}
    for hit in generation.chunks.search_sparse(query, own, CHUNKS, ("path",)):
        found.setdefault(str(hit.payload["path"]), hit.score)
    return found


def _by_meaning(generation: Generation, vector: Vector, own: Where) -> Scores:
    """The cosine of the notes nearest to a note as a whole, above that of the farthest one."""
    hits = generation.notes.search(vector, own, NOTES, ("path",))
    low = min((hit.score for hit in hits), default=0.0)
    return {str(hit.payload["path"]): hit.score - low for hit in hits}


def _names(note: Note) -> list[str]:
    written = dict.fromkeys((note.title, note.stem, *note.aliases))
    return [name for name in (" ".join(_WORDS.findall(fold(one))) for one in written) if name]


class _Titles:
    """The names of other notes, looked for in one text."""

    def __init__(self, generation: Generation, text: str) -> None:
        self._text = f" {' '.join(_WORDS.findall(fold(text)))} "
        self._stems = {stem for word in set(words_of(text)) for stem in word_terms(word).stems}
        self._rarity = generation.lexicon.idf

    def named(self, names: Iterable[str]) -> float:
        """How sure it is that one of the names stands in the text, 0 to 1: long ones hardly
        do by chance."""
        there = [len(one) for one in names if len(one) >= LEAST_LETTERS if f" {one} " in self._text]
        return min(1.0, max(there, default=0) / WHOLE_NAME)

    def covered(self, names: Iterable[str]) -> float:
        """How much of the best of the names the text has, rare words counting more, 0 to 1.
        To the third power: half a name is hardly anything."""
        best = 0.0
        for name in names:
            stems = sorted({stem for word in words_of(name) for stem in word_terms(word).stems})
            weights = self._rarity(stems)
            there = sum(w for stem, w in zip(stems, weights, strict=True) if stem in self._stems)
            if total := sum(weights):
                best = max(best, there / total)
        return best**3
