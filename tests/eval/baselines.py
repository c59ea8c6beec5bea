"""What suggestions are measured against: each kind of evidence alone, and a plain fusion.

All of them score whole notes against whole notes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.embedding.sparse import word_terms, words_of
from core.model import Note
from core.text import fold
from tests.eval.indexed import Indexed
from tests.eval.vaults import Vault

Scores = NDArray[np.float32]
K1, B = 1.2, 0.75
LEAST_LETTERS = 3

_WORDS = re.compile(r"[^\W_]+")


def stems(text: str) -> list[int]:
    """The German and English stems of a text, by the numbers that the product gives them."""
    return [stem for word in words_of(text) for stem in word_terms(word).stems]


def grams_and_stems(text: str) -> list[int]:
    """The stems and the character 4-grams of a text."""
    return [term for word in words_of(text) for part in word_terms(word) for term in part]


class Bm25:
    """BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75) over the terms of some texts."""

    def __init__(self, texts: Iterable[str], terms: Callable[[str], list[int]]) -> None:
        self._terms = terms
        counted = [Counter(terms(text)) for text in texts]
        self._size = len(counted)
        sizes = [sum(counts.values()) for counts in counted]
        mean = max(1.0, sum(sizes) / max(1, len(sizes)))
        postings: dict[int, list[tuple[int, float]]] = {}
        for at, (counts, size) in enumerate(zip(counted, sizes, strict=True)):
            norm = K1 * (1 - B + B * size / mean)
            for term, count in counts.items():
                postings.setdefault(term, []).append((at, count * (K1 + 1) / (count + norm)))
        self._postings = {
            term: (np.array([at for at, _ in found]), np.array([value for _, value in found]))
            for term, found in postings.items()
        }

    def scores(self, query: str) -> Scores:
        """The score of each text."""
        scores = np.zeros(self._size)
        for term in dict.fromkeys(self._terms(query)):
            if term in self._postings:
                at, values = self._postings[term]
                scores[at] += math.log(1 + (self._size - len(at) + 0.5) / (len(at) + 0.5)) * values
        return scores.astype(np.float32)


class TfIdf:
    """Cosine of plain term frequency × inverse document frequency vectors."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(words_of(text)) for text in texts]
        spread = Counter(word for counts in counted for word in counts)
        self._vectors = []
        for counts in counted:
            vector = {w: n * math.log(len(texts) / spread[w]) for w, n in counts.items()}
            length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
            self._vectors.append({word: value / length for word, value in vector.items()})
        self._postings: dict[str, list[int]] = {}
        for at, counts in enumerate(counted):
            for word in counts:
                self._postings.setdefault(word, []).append(at)

    def scores(self, at: int) -> Scores:
        """The cosine of each text with the one at a position."""
        scores = np.zeros(len(self._vectors), dtype=np.float32)
        for word, value in self._vectors[at].items():
            if value:
                for other in self._postings[word]:
                    scores[other] += value * self._vectors[other][word]
        return scores


class Baselines:
    """Scores of all notes of a vault, in path order, as targets for one of them."""

    def __init__(self, vault: Vault, space: Indexed) -> None:
        self.paths = list(space.index.paths)
        self._at = {path: at for at, path in enumerate(self.paths)}
        texts = [vault.texts[path] for path in self.paths]
        self._texts = [f" {' '.join(_WORDS.findall(fold(text)))} " for text in texts]
        self._raw = texts
        self._names = [_names(space.index.notes[path]) for path in self.paths]
        self._around: list[set[int]] = [set() for _ in self.paths]
        for source, path in enumerate(self.paths):
            for target in space.index.targets(path):
                if target and target != path:
                    self._around[source].add(self._at[target])
                    self._around[self._at[target]].add(source)
        self._incoming = np.array(
            [len(space.index.sources(path)) for path in self.paths], dtype=np.float32
        )
        self._bm25, self._tfidf = Bm25(texts, stems), TfIdf(texts)
        found = space.store.notes.get([space.index.note_id(p) for p in self.paths], vectors=True)
        stored = {point.payload["path"]: point.vector for point in found}
        none = np.zeros(space.embedder.dim, dtype=np.float32)
        rows = [none if (row := stored.get(path)) is None else row for path in self.paths]
        self._vectors = np.stack(rows)
        self.methods: Mapping[str, Callable[[int], Scores]] = {
            "in-degree": lambda _: self._incoming,
            "title match": self._titles,
            "BM25 words": lambda at: self._bm25.scores(self._raw[at]),
            "vectors": lambda at: self._vectors @ self._vectors[at],
            "graph": self._adamic_adar,
            "TF-IDF + common neighbours + title": self._fused,
        }

    def scores(self, method: str, path: str) -> dict[str, float]:
        """The score of each path as a target of a link in the note at `path`."""
        found = self.methods[method](self._at[path])
        return dict(zip(self.paths, found.tolist(), strict=True))

    def _titles(self, at: int) -> Scores:
        """The length of the longest name of a note that stands in the text."""
        text = self._texts[at]
        best = [
            max((len(n) for n in names if f" {n} " in text), default=0) for names in self._names
        ]
        return np.array(best, dtype=np.float32)

    def _adamic_adar(self, at: int) -> Scores:
        """Common neighbours, each counted by how few others it has (Adamic and Adar 2003)."""
        scores = np.zeros(len(self.paths), dtype=np.float32)
        for between in self._around[at]:
            weight = 1 / math.log(max(2, len(self._around[between])))
            for other in self._around[between]:
                scores[other] += weight
        return scores

    def _common(self, at: int) -> Scores:
        scores = np.zeros(len(self.paths), dtype=np.float32)
        for between in self._around[at]:
            for other in self._around[between]:
                scores[other] += 1
        return scores

    def _fused(self, at: int) -> Scores:
        named = (self._titles(at) > 0).astype(np.float32)
        others = np.arange(len(self.paths)) != at
        parts = [self._tfidf.scores(at), self._common(at), named]
        return np.sum([_spread(part * others) for part in parts], axis=0, dtype=np.float32)


def _spread(scores: Scores) -> Scores:
    """Min-max to 0..1."""
    low, high = float(scores.min(initial=0)), float(scores.max(initial=0))
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def _names(note: Note) -> list[str]:
    written = [note.title, note.stem, *note.aliases]
    names = {" ".join(_WORDS.findall(fold(name))) for name in written}
    return sorted(name for name in names if len(name) >= LEAST_LETTERS)
