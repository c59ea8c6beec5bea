"""Words as sparse vectors: BM25 over stems and character 4-grams.

Each word becomes
- its stems, German and English both (no language has to be guessed),
- its 4-grams, which find the parts of German compounds, misspellings and rare names,
- for Chinese, Japanese and Korean text, bigrams instead.

A term's index is a stable 32-bit hash. A document's values are BM25's term frequency
part, with a constant average length, so that a document's vector never depends on the
others. Everything else is on the query's side: the inverse document frequency (from
`core.store.lexicon`) and how much a stem or a gram counts. So the weights can be tuned
without indexing anything again, every backend ranks by the same plain dot product,
and each word's share of a score can be told.

Spellings: `ä`, `ae` and `a` (and so on) give the same grams and the same German stem.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple
from zlib import crc32

from core.store.ports import SparseVector

TERMS_VERSION = 1
"""Raised when the same text would get other terms or values."""

K1 = 1.2
B = 0.75
AVERAGE_WORDS = 160
"""Length, in words, of a chunk whose terms are neither damped nor raised."""

GRAM = 4
GRAM_WEIGHT = 1.0
"""What all 4-grams of a word count together, where its stems together count 1. Measured on
240 German paragraphs and 1,190 questions: recall@1 .89 without grams, .92 with 1 or 2."""

MAX_WORD = 64
"""Longer words (hashes, encoded data) are one term, without stems and grams."""
MAX_QUERY_WORDS = 48
"""Of a longer query only the rarest words are searched."""
CACHED_WORDS = 1 << 17
CACHED_TITLES = 1 << 13

_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_SPELLED = re.compile("([aou])e")
_stemming = threading.Lock()


class WordTerms(NamedTuple):
    """Indices of one word's terms, each once."""

    stems: tuple[int, ...]
    grams: tuple[int, ...]


def words_of(text: str) -> list[str]:
    """The words of a text in order, lower case and Unicode-normalised (NFKC)."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _WORD.findall(text.lower())


@lru_cache(maxsize=CACHED_WORDS)
def word_terms(word: str) -> WordTerms:
    """The terms of a word as `words_of` gives it."""
    if len(word) > MAX_WORD:
        return WordTerms((_index("s" + word),), ())
    if word.isascii():
        return _spaced_terms(word, word, umlauts=False)
    runs = _CJK.findall(word)
    if runs:
        rest = [word_terms(part) for part in _CJK.split(word) if part]
        bigrams = chain.from_iterable(
            (run[i : i + 2] for i in range(max(1, len(run) - 1))) for run in runs
        )
        stems = [_index("c" + bigram) for bigram in bigrams]
        stems += chain.from_iterable(terms.stems for terms in rest)
        grams = chain.from_iterable(terms.grams for terms in rest)
        return WordTerms(_once(stems), _once(grams))
    word = word.replace("ß", "ss")
    return _spaced_terms(word, _without_accents(word), umlauts=any(c in word for c in "äöü"))


def document_vector(text: str) -> SparseVector:
    """The BM25 term frequency part of a chunk's text; empty for a text without words."""
    import numpy as np

    words = words_of(text)
    # an import spends much of its time here: counted by sorting, without a step in Python a term
    terms = np.frombuffer(b"".join(map(_packed_terms, words)), dtype=np.uint32)
    indices, counts = np.unique(terms, return_counts=True)
    norm = K1 * (1 - B + B * len(words) / AVERAGE_WORDS)
    values = counts * (K1 + 1) / (counts + norm)
    return SparseVector(indices.tolist(), values.tolist())


@lru_cache(maxsize=CACHED_WORDS)
def _packed_terms(word: str) -> bytes:
    return array("I", chain(*word_terms(word))).tobytes()


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of a query with the weight of each of its terms."""

    word: str
    weights: dict[int, float]


@dataclass(frozen=True, slots=True)
class QueryWords:
    """A query, ready to be searched and explained.

    `best` is the score of a chunk of average length that has every term of the query
    once. Words that no chunk has count in it too: a query that is mostly unknown
    here (another language, say) is not covered by its one known word.
    """

    words: tuple[QueryWord, ...]
    vector: SparseVector
    best: float

    def coverage(self, score: float) -> float:
        """How much of the query a chunk with this sparse score covers, 0 to 1."""
        return min(1.0, max(0.0, score / self.best)) if self.best else 0.0

    def coverage_by_title(self, title: str) -> float:
        """How much of the query a title covers, 0 to 1; each term counts once."""
        terms = _terms_of(title)
        weights = zip(self.vector.indices, self.vector.values, strict=True)
        return self.coverage(sum(weight for index, weight in weights if index in terms))

    def matched(self, document: SparseVector) -> list[MatchedWord]:
        """The query's words found in a chunk, with their part of its score, highest first."""
        values = dict(zip(document.indices, document.values, strict=True))
        found = [
            MatchedWord(
                one.word,
                sum(
                    weight * values[index]
                    for index, weight in one.weights.items()
                    if index in values
                ),
                whole=any(index in values for index in word_terms(one.word).stems),
                share=_share(word_terms(one.word).grams, values),
            )
            for one in self.words
        ]
        return sorted((m for m in found if m.score > 0), key=lambda m: (-m.score, m.word))


class MatchedWord(NamedTuple):
    """`whole` is False where only parts of the word (4-grams) were found; `share` tells how
    many of them, 0 to 1."""

    word: str
    score: float
    whole: bool
    share: float = 0.0


def query_words(text: str, idf: Callable[[Iterable[int]], list[float]]) -> QueryWords:
    """The query's words, each once, weighted by `idf` (a rarity for each term index).

    Keeps the `MAX_QUERY_WORDS` heaviest words of a long query.
    """
    words = [
        QueryWord(word, _weights(word_terms(word), idf)) for word in dict.fromkeys(words_of(text))
    ]
    if len(words) > MAX_QUERY_WORDS:
        heaviest = sorted(words, key=lambda one: -sum(one.weights.values()))
        kept = {one.word for one in heaviest[:MAX_QUERY_WORDS]}
        words = [one for one in words if one.word in kept]
    total: Counter[int] = Counter()
    for one in words:
        total.update(one.weights)
    indices = sorted(total)
    vector = SparseVector(indices, [total[index] for index in indices])
    return QueryWords(tuple(words), vector, sum(vector.values))


@lru_cache(maxsize=CACHED_TITLES)
def _terms_of(title: str) -> frozenset[int]:
    return frozenset(chain.from_iterable(chain(*word_terms(word)) for word in words_of(title)))


def _share(grams: tuple[int, ...], values: Mapping[int, float]) -> float:
    return sum(gram in values for gram in grams) / len(grams) if grams else 0.0


def _weights(terms: WordTerms, idf: Callable[[Iterable[int]], list[float]]) -> dict[int, float]:
    rarity = idf(chain(*terms))
    weights: dict[int, float] = {}
    for position, index in enumerate(chain(*terms)):
        stem = position < len(terms.stems)
        part = 1 / len(terms.stems) if stem else GRAM_WEIGHT / len(terms.grams)
        weights[index] = weights.get(index, 0.0) + part * rarity[position]
    return weights


def _spaced_terms(word: str, plain: str, *, umlauts: bool) -> WordTerms:
    """Terms of a word of a script with spaces; `plain` is the word without accents."""
    if not any(char.isalpha() for char in plain):
        return WordTerms((_index("s" + plain),), ())
    german, english = _stemmers()
    folded = _SPELLED.sub(r"\1", plain)
    with _stemming:  # the stemmers keep state
        stems = [german.stemWord(folded)]
        if not umlauts:
            stems.append(english.stemWord(plain))
    grams = (folded[i : i + GRAM] for i in range(len(folded) - GRAM + 1))
    return WordTerms(
        _once(_index("s" + stem) for stem in stems), _once(_index("g" + gram) for gram in grams)
    )


def _without_accents(word: str) -> str:
    parts = unicodedata.normalize("NFKD", word)
    return "".join(char for char in parts if not unicodedata.combining(char))


@lru_cache(maxsize=1)
def _stemmers() -> tuple[Any, Any]:
    # not snowballstemmer.stemmer(), which takes PyStemmer, with other rules, where installed
    from snowballstemmer.english_stemmer import EnglishStemmer
    from snowballstemmer.german_stemmer import GermanStemmer

    return GermanStemmer(), EnglishStemmer()


def _index(term: str) -> int:
    return crc32(term.encode("utf-8", "surrogatepass"))


def _once(indices: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(indices))
