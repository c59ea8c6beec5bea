"""Every sentence and every number of an answer, checked against the notes and the graph."""

from __future__ import annotations

import random
import re
from itertools import chain
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from core.api import QueryHit
from core.config.load import load_config
from core.config.relations import RelationsConfig
from core.embedding.sparse import MatchedWord, word_terms, words_of
from core.explanation import Fact, LinksFact, LiteralFact, MeaningFact, TypeFact, WordsFact
from core.function_words import is_telling
from core.locale import Locale
from core.retrieval.candidates import Candidate
from core.retrieval.explain import facts, sentences
from tests.bench.generate import generate
from tests.core.retrieval.kit import Space

RELATIONS: RelationsConfig = load_config().relations
QUOTED = re.compile(r"[“„](.*?)[”“](?: \(([^()]*)\))?")
MORE = re.compile(r"(\d+) (?:more hits?|weitere Treffer)")
SENTENCES = {
    "called": r"is called so|heißt so",
    "phrases": r"(?:contains literally|enthält wörtlich) [“„].*[”“]",
    "meaning": r"close in meaning \(cosine (-?\d\.\d\d)\)|ähnlicher Sinn \(Kosinus (-?\d\.\d\d)\)",
    "name": r"[“„].*[”“] (?:in its name|im Namen)",
    "words": r"(?:contains|enthält) [“„].*[”“]",
    "parts": r"(?:contains parts of|enthält Teile von) [“„].*[”“]",
    "referred_by": r"[“„].* (?:points? here|verweis(?:t|en) hierher)",
    "refers_to": r"(?:points to|verweist auf) [“„].*",
    "type": r"(?:type|Typ) \S+ (?:counts|zählt) (?:more|mehr|less|weniger) .*×\d\.\d\d\)",
}


def queries(space: Space, count: int) -> list[str]:
    """Random runs and random picks of the vault's own words, German and English."""
    chosen = random.Random(11)
    words = [w for path in space.index.paths for w in words_of(space.text(path))]
    titles = [note.title for note in space.index.notes.values()]
    found = []
    for number in range(count):
        if number % 10 == 3:
            found.append(chosen.choice(titles))
        elif chosen.random() < 0.5:
            at = chosen.randrange(len(words) - 8)
            run = " ".join(words[at : at + chosen.randint(1, 8)])
            found.append(f'"{run}" {chosen.choice(words)}' if number % 10 == 7 else run)
        else:
            found.append(" ".join(chosen.sample(words, chosen.randint(1, 6))))
    return found


class Checker:
    """Checks the answers of one space."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.seen: set[str] = set()
        self.edges = space.facts
        self.titles = {space.index.note_id(p): n.title for p, n in space.index.notes.items()}

    def answer(self, query: str, locale: str, **options: object) -> None:
        hits = self.space.hits(query, locale=locale, **options)
        for hit in hits:
            self.breakdown(hit)
            assert len(hit.reasons) == len(hit.reason_facts)
            assert len({fact.kind for fact in hit.reason_facts}) == len(hit.reason_facts)
            for sentence, fact in zip(hit.reasons, hit.reason_facts, strict=True):
                self.seen.add(fact.kind)
                assert re.fullmatch(SENTENCES[fact.kind], sentence), (sentence, fact)
                self.fact(fact, sentence, hit, query, hits)

    def breakdown(self, hit: QueryHit) -> None:
        parts = hit.score_breakdown
        assert parts is not None
        total = parts.semantic + parts.lexical + parts.edge_bonus + parts.centrality
        assert abs(total - hit.score) < 1e-6
        assert abs(parts.total - hit.score) < 1e-6
        assert min(parts.semantic, parts.lexical, parts.edge_bonus, parts.centrality) >= 0
        assert 0 <= parts.title + parts.literal <= parts.lexical + 1e-9
        scoring = self.space.config.retriever.scoring
        most = max(1.0, parts.type_weight)
        assert parts.semantic <= scoring.semantic_weight * most + 1e-9
        by_words = (scoring.lexical_weight + scoring.title_weight) * most + 1e-9
        assert parts.lexical - parts.literal <= by_words
        assert parts.edge_bonus <= scoring.edge_weight + 1e-9
        assert parts.centrality <= scoring.centrality_weight + 1e-9

    def fact(
        self, fact: Fact, sentence: str, hit: QueryHit, query: str, hits: list[QueryHit]
    ) -> None:
        match fact:
            case LiteralFact():
                self.literal(fact, sentence, hit, query)
            case MeaningFact():
                assert fact.cosine == pytest.approx(self.cosine(hit, query), abs=1e-4)
                assert f"{fact.cosine:.2f}" in sentence
            case WordsFact():
                self.words(fact, sentence, hit, query)
            case LinksFact():
                self.links(fact, sentence, hit, hits)
            case TypeFact():
                self.type(fact, sentence, hit)

    def literal(self, fact: LiteralFact, sentence: str, hit: QueryHit, query: str) -> None:
        assert hit.score_breakdown is not None
        assert hit.score_breakdown.literal > 0
        if fact.kind == "called":
            assert self.space.index.resolve_name(query, "").path == hit.path
            return
        assert [found[0] for found in QUOTED.findall(sentence)] == fact.phrases
        there = " ".join(words_of(f"{hit.title} | {hit.section} | {hit.text}"))
        for phrase in fact.phrases:
            assert f'"{phrase}"' in query
            assert phrase in there

    def cosine(self, hit: QueryHit, query: str) -> float:
        embedder = self.space.embedder
        assert embedder is not None
        window = self.space.store.chunks.get([hit.chunk_id])[0].payload["window"]
        return float(np.dot(embedder.embed_documents([window])[0], embedder.embed_query(query)))

    def words(self, fact: WordsFact, sentence: str, hit: QueryHit, query: str) -> None:
        """In the hit's own text, which stands in the file, or in the headings above it."""
        name = f"{self.titles[hit.note_id]} {PurePosixPath(hit.path).stem}"
        text = f"{hit.section}\n{hit.text}"
        assert hit.text.strip() in self.space.text(hit.path)
        assert [found[0] for found in QUOTED.findall(sentence)] == fact.words
        assert fact.words
        for word in fact.words:
            assert word in words_of(query)
            assert is_telling(word)
            own = word_terms(word)
            if fact.kind == "name":
                assert shared("stems", own, name), (word, name)
            elif fact.kind == "words":
                assert shared("stems", own, text), (word, text)
            else:
                assert not shared("stems", own, f"{name} {text}")
                assert len(shared("grams", own, f"{name} {text}")) >= len(own.grams) / 2

    def links(self, fact: LinksFact, sentence: str, hit: QueryHit, hits: list[QueryHit]) -> None:
        """Each told link is an edge of that kind in that direction, and none is kept back."""
        others = {other.note_id for other in hits} - {hit.note_id}
        named = QUOTED.findall(sentence)
        assert [title for title, _ in named] == [note.title for note in fact.notes]
        assert 0 < len(fact.notes) <= 2
        for note, (_, label) in zip(fact.notes, named, strict=True):
            assert note.note_id in others
            assert note.title == self.titles[note.note_id]
            ends = [hit.note_id, note.note_id]
            source, target = ends if fact.kind == "refers_to" else ends[::-1]
            assert (source, note.kind, target) in self.edges
            locale: Locale = "de" if "„" in sentence else "en"
            assert label in ("", RELATIONS.label(note.kind, locale))
        more = MORE.search(sentence)
        assert (int(more[1]) if more else 0) == fact.more
        incoming = {s for s, _, t in self.edges if t == hit.note_id} & others
        outgoing = {t for s, _, t in self.edges if s == hit.note_id} & others
        there = incoming if fact.kind == "referred_by" else outgoing - incoming
        assert len(fact.notes) + fact.more == len(there)

    def type(self, fact: TypeFact, sentence: str, hit: QueryHit) -> None:
        assert hit.score_breakdown is not None
        config = self.space.config
        strength = config.retriever.scoring.type_strength
        usual = 1 - strength * (1 - config.types.default.retriever_weight)
        own = config.types.effective(self.space.index.notes[hit.path])
        assert fact.type == own.name
        assert fact.type in sentence
        assert fact.factor == pytest.approx(hit.score_breakdown.type_weight)
        assert fact.factor == pytest.approx(1 - strength * (1 - own.retriever_weight))
        assert fact.usual == pytest.approx(usual)
        assert f"×{fact.factor:.2f}" in sentence
        assert bool(re.search("more|mehr", sentence)) == (fact.factor > usual)


def shared(part: str, own: object, text: str) -> set[int]:
    """The stems or grams of a word that a text has."""
    there = chain.from_iterable(getattr(word_terms(word), part) for word in words_of(text))
    return set(getattr(own, part)) & set(there)


@pytest.mark.parametrize("locale", ["de", "en"])
def test_random_queries_tell_the_truth(example: Space, locale: str) -> None:
    checker = Checker(example)
    for number, query in enumerate(queries(example, 100)):
        checker.answer(query, locale, hops=number % 3, top_k=8)
    assert checker.seen == set(SENTENCES)


def test_random_queries_to_a_generated_vault(tmp_path: Path) -> None:
    """Long notes of many chunks, hubs, aliases and every form of relation."""
    generate(tmp_path / "vault", 40, seed=7)
    checker = Checker(Space(tmp_path / "vault", None))
    for number, query in enumerate(queries(checker.space, 100)):
        checker.answer(query, ("de", "en")[number % 2], hops=number % 3, top_k=12)
    assert checker.seen == set(SENTENCES) - {"meaning"}


def matched(word: str, score: float, *, whole: bool = True, share: float = 1.0) -> MatchedWord:
    return MatchedWord(word, score, whole, share)


def told(
    words: list[MatchedWord] = [],  # noqa: B006  (never changed)
    named: tuple[str, ...] = (),
    referred_by: list[tuple[str, str]] = [],  # noqa: B006
    refers_to: list[tuple[str, str]] = [],  # noqa: B006
    locale: str = "en",
    weight: float = 0.9,
    cosine: float | None = None,
    called: bool = False,
    phrases: tuple[str, ...] = (),
) -> list[str]:
    one = Candidate("a#0", {"note_id": "a"}, cosine=cosine, type_weight=weight)
    found = facts(
        one,
        words,
        [(title.lower(), title, kind) for title, kind in referred_by],
        [(title.lower(), title, kind) for title, kind in refers_to],
        "decision",
        named=named,
        closeness=1.0,
        usual=0.9,
        called=called,
        phrases=phrases,
    )
    return sentences(found, RELATIONS, locale)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"cosine": 0.614}, ["close in meaning (cosine 0.61)"]),
        ({"cosine": 0.614, "locale": "de"}, ["ähnlicher Sinn (Kosinus 0.61)"]),
        ({"cosine": -0.1}, []),
        ({"called": True}, ["is called so"]),
        ({"phrases": ("the wheel",)}, ["contains literally “the wheel”"]),
        (
            {"called": True, "phrases": ("zu spät", "b"), "locale": "de"},
            ["heißt so", "enthält wörtlich „zu spät“, „b“"],
        ),
        ({"words": [matched("the", 9), matched("wheel", 4)]}, ["contains “wheel”"]),
        ({"words": [matched("warum", 9), matched("e", 4)]}, []),
        ({"words": [matched("oak", 9), matched("mill", 1)]}, ["contains “oak”"]),
        ({"words": [matched("media", 3, whole=False, share=0.4)]}, []),
        (
            {"words": [matched("Rad", 3, whole=False)], "locale": "de"},
            ["enthält Teile von „Rad“"],
        ),
        (
            {"words": [matched("oak", 9), matched("wheel", 4)], "named": ("oak",)},
            ["“oak” in its name", "contains “wheel”"],
        ),
        (
            {"words": [matched("rad", 9)], "named": ("rad",), "locale": "de"},
            ["„rad“ im Namen"],
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
