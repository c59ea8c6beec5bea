"""Every sentence and every number of an answer, checked against the facts."""

from __future__ import annotations

import random
import re
from itertools import chain

import numpy as np
import pytest

from core.api import QueryHit
from core.config.load import load_config
from core.config.relations import RelationsConfig
from core.embedding.sparse import MatchedWord, word_terms, words_of
from core.function_words import is_telling
from core.retrieval.candidates import Candidate
from core.retrieval.explain import reasons
from tests.core.retrieval.kit import Space

RELATIONS: RelationsConfig = load_config().relations
QUOTED = re.compile(r"[“„](.*?)[”“]")
LISTED = re.compile(r"[“„](.*?)[”“](?: \(([^()]*)\))?")
MORE = re.compile(r"(\d+) (?:more hits?|weitere Treffer)")
CLOSE = re.compile(r"(?:close in meaning \(cosine|ähnlicher Sinn \(Kosinus) (-?\d\.\d\d)\)")
TYPE = re.compile(
    r"(?:type|Typ) (\S+) (?:counts|zählt) (more|mehr|less|weniger) (?:than others|als andere)"
    r" \(×(\d\.\d\d)\)"
)


def queries(space: Space, count: int) -> list[str]:
    """Random runs and random picks of the vault's own words, German and English."""
    chosen = random.Random(11)
    words = [w for path in space.index.paths for w in words_of(space.text(path))]
    found = []
    for _ in range(count):
        if chosen.random() < 0.5:
            at = chosen.randrange(len(words) - 8)
            found.append(" ".join(words[at : at + chosen.randint(1, 8)]))
        else:
            found.append(" ".join(chosen.sample(words, chosen.randint(1, 6))))
    return found


class Checker:
    """Checks the answers of one space."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.seen: set[str] = set()

    def answer(self, query: str, locale: str, **options: object) -> list[QueryHit]:
        hits = self.space.hits(query, locale=locale, **options)
        for hit in hits:
            self.breakdown(hit)
            for sentence in hit.reasons:
                self.sentence(sentence, hit, query, hits)
        return hits

    def breakdown(self, hit: QueryHit) -> None:
        parts = hit.score_breakdown
        assert parts is not None
        total = parts.semantic + parts.lexical + parts.edge_bonus + parts.centrality
        assert abs(total - hit.score) < 1e-6
        assert abs(parts.total - hit.score) < 1e-6
        assert min(parts.semantic, parts.lexical, parts.edge_bonus, parts.centrality) >= 0
        scoring = self.space.config.retriever.scoring
        assert parts.semantic <= scoring.semantic_weight + 1e-9
        assert parts.lexical <= scoring.lexical_weight + scoring.title_weight + 1e-9
        assert parts.edge_bonus <= scoring.edge_weight + 1e-9
        assert parts.centrality <= scoring.centrality_weight + 1e-9

    def sentence(self, sentence: str, hit: QueryHit, query: str, hits: list[QueryHit]) -> None:
        if found := CLOSE.fullmatch(sentence):
            self.seen.add("meaning")
            assert found[1] == f"{self.cosine(hit, query):.2f}"
        elif found := re.match(r"contains parts of |enthält Teile von ", sentence):
            self.seen.add("parts")
            self.words(sentence, hit, query, "grams")
        elif re.match(r"contains |enthält ", sentence):
            self.seen.add("words")
            self.words(sentence, hit, query, "stems")
        elif sentence.endswith((" points here", " point here", " verweist hierher",
                                " verweisen hierher")):  # fmt: skip
            self.seen.add("incoming")
            self.links(sentence, hit, hits, outgoing=False)
        elif sentence.startswith(("points to ", "verweist auf ")):
            self.seen.add("outgoing")
            self.links(sentence, hit, hits, outgoing=True)
        elif found := TYPE.fullmatch(sentence):
            self.seen.add("type")
            assert hit.score_breakdown is not None
            config = self.space.config
            strength = config.retriever.scoring.type_strength
            usual = 1 - strength * (1 - config.types.default.retriever_weight)
            factor = hit.score_breakdown.type_weight
            own = config.types.effective(self.space.index.notes[hit.path])
            assert found[1] == own.name
            assert found[3] == f"{factor:.2f}"
            assert (found[2] in ("more", "mehr")) == (factor > usual)
        else:
            pytest.fail(f"nobody can check {sentence!r}")

    def cosine(self, hit: QueryHit, query: str) -> float:
        embedder = self.space.embedder
        assert embedder is not None
        window = self.space.store.chunks.get([hit.chunk_id])[0].payload["window"]
        return float(np.dot(embedder.embed_documents([window])[0], embedder.embed_query(query)))

    def words(self, sentence: str, hit: QueryHit, query: str, terms: str) -> None:
        window = self.space.store.chunks.get([hit.chunk_id])[0].payload["window"]
        there = [word_terms(word) for word in words_of(window)]
        named = QUOTED.findall(sentence)
        assert named
        for word in named:
            assert word in words_of(query)
            assert is_telling(word)
            mine = set(getattr(word_terms(word), terms))
            shared = mine & set(chain.from_iterable(getattr(t, terms) for t in there))
            assert len(shared) >= (1 if terms == "stems" else len(mine) / 2), (word, window)

    def links(self, text: str, hit: QueryHit, hits: list[QueryHit], *, outgoing: bool) -> None:
        named = LISTED.findall(text)
        assert named
        linked = {
            other.note_id
            for other in hits
            for source, _, target in self.space.facts
            if (source, target)
            == ((hit.note_id, other.note_id) if outgoing else (other.note_id, hit.note_id))
        }
        for title, label in named:
            others = [h.note_id for h in hits if h.title == title and h.note_id != hit.note_id]
            assert others, f"{title} is no hit"
            ends = [(hit.note_id, o) if outgoing else (o, hit.note_id) for o in others]
            kinds = {kind for source, kind, target in self.space.facts if (source, target) in ends}
            if label:
                locale = "de" if "„" in text else "en"
                assert label in {RELATIONS.label(kind, locale) for kind in kinds}, (text, kinds)
            else:
                assert "references" in kinds, text
        more = MORE.search(text)
        if not outgoing:
            assert len(named) + (int(more[1]) if more else 0) == len(linked)


@pytest.mark.parametrize("locale", ["de", "en"])
def test_random_queries_tell_the_truth(example: Space, locale: str) -> None:
    checker = Checker(example)
    for number, query in enumerate(queries(example, 100)):
        checker.answer(query, locale, hops=number % 3, top_k=8)
    assert checker.seen == {"meaning", "words", "parts", "incoming", "outgoing", "type"}


def matched(word: str, score: float, *, whole: bool = True, share: float = 1.0) -> MatchedWord:
    return MatchedWord(word, score, whole, share)


def told(
    words: list[MatchedWord] = [],  # noqa: B006  (never changed)
    referred_by: list[tuple[str, str]] = [],  # noqa: B006
    refers_to: list[tuple[str, str]] = [],  # noqa: B006
    locale: str = "en",
    weight: float = 0.9,
    cosine: float | None = None,
) -> list[str]:
    one = Candidate("a#0", {"note_id": "a"}, cosine=cosine, type_weight=weight)
    return reasons(
        one, words, referred_by, refers_to, "decision", RELATIONS, locale, closeness=1.0, usual=0.9
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"cosine": 0.614}, ["close in meaning (cosine 0.61)"]),
        ({"cosine": 0.614, "locale": "de"}, ["ähnlicher Sinn (Kosinus 0.61)"]),
        ({"cosine": -0.1}, []),
        ({"words": [matched("the", 9), matched("wheel", 4)]}, ["contains “wheel”"]),
        ({"words": [matched("warum", 9), matched("e", 4)]}, []),
        ({"words": [matched("oak", 9), matched("mill", 1)]}, ["contains “oak”"]),
        ({"words": [matched("media", 3, whole=False, share=0.4)]}, []),
        (
            {"words": [matched("Rad", 3, whole=False)], "locale": "de"},
            ["enthält Teile von „Rad“"],
        ),
        ({"referred_by": [("A", "references")]}, ["“A” points here"]),
        (
            {"referred_by": [("A", "supports"), ("B", "references")]},
            ["“A” (supports) and “B” point here"],
        ),
        (
            {"referred_by": [(x, "references") for x in "ABCD"], "locale": "de"},
            ["„A“, „B“ und 2 weitere Treffer verweisen hierher"],
        ),
        (
            {"referred_by": [("A", "references")], "refers_to": [("A", "references")]},
            ["“A” points here"],
        ),
        (
            {"refers_to": [("A", "related_to")], "locale": "de"},
            ["verweist auf „A“ (hängt zusammen mit)"],
        ),
        ({"weight": 0.99}, ["type decision counts more than others (×0.99)"]),
        ({"weight": 0.8, "locale": "de"}, ["Typ decision zählt weniger als andere (×0.80)"]),
    ],
)
def test_sentences(given: dict[str, object], expected: list[str]) -> None:
    assert told(**given) == expected  # type: ignore[arg-type]
