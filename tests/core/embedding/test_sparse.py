"""Words as sparse vectors: what finds what, and why."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.embedding.sparse import (
    AVERAGE_WORDS,
    MAX_QUERY_WORDS,
    document_vector,
    query_words,
    word_terms,
    words_of,
)
from core.store.lexicon import Lexicon
from core.store.memory import MemoryCollection
from core.store.ports import Point
from core.store.schema import CHUNKS, collections

TEXTS = {
    "Bewässerung": "Die Bewässerungspumpe am Stausee fördert im Sommer das Wasser auf die Felder.",
    "Häuser": "Alte Häuser an der Straße werden schön und größer wieder aufgebaut.",
    "Entscheidung": "Unsere Entscheidungen folgen Werten und Prinzipien, nicht der Laune.",
    "Budget": "Budget planning for the next year: values, priorities and running costs.",
    "Müller": "Telefonat mit Frau Müller-Lüdenscheidt über den Qdrant-Cluster v1.17.",
    "Wald": "Ein Spaziergang durch den Wald, es regnete, und niemand war unterwegs.",
    "港": "東京都の港について。長い一日だった。",
    "café": "A small café near the harbour sells crème brûlée.",
}


def ranked(query: str, texts: dict[str, str] = TEXTS) -> list[str]:
    """Keys of the texts that the query finds, best first."""
    chunks = MemoryCollection(collections("t", None)[CHUNKS])
    vectors = {key: document_vector(text) for key, text in texts.items()}
    chunks.upsert(Point(key, sparse=vector) for key, vector in vectors.items())
    lexicon = Lexicon()
    lexicon.add(vectors.values())
    return [hit.id for hit in chunks.search_sparse(query_words(query, lexicon.idf).vector)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        # a part of a compound, and a compound of which only the parts are there
        ("Pumpe", "Bewässerung"),
        ("Wasserpumpe", "Bewässerung"),
        ("Waldspaziergang", "Wald"),
        # inflection, both languages
        ("Entscheidung", "Entscheidung"),
        ("entscheiden", "Entscheidung"),
        ("Haus", "Häuser"),
        ("run", "Budget"),
        ("value priority", "Budget"),
        ("plans", "Budget"),
        # spellings of umlauts and ß, in any case
        ("haeuser", "Häuser"),
        ("HÄUSER", "Häuser"),
        ("Ha\u0308user", "Häuser"),
        ("strasse", "Häuser"),
        ("groesser", "Häuser"),
        ("schoen", "Häuser"),
        ("Mueller", "Müller"),
        ("muller", "Müller"),
        ("Luedenscheid", "Müller"),
        ("bewaesserung", "Bewässerung"),
        # names, versions, misspelt words, accents, CJK
        ("qdrant", "Müller"),
        ("1.17", "Müller"),
        ("Entscheidugen", "Entscheidung"),
        ("cafe creme brulee", "café"),
        ("東京の港", "港"),
        ("ｂｕｄｇｅｔ", "Budget"),
    ],
)
def test_found_first(query: str, first: str) -> None:
    assert ranked(query)[0] == first


def test_three_letters_are_found_as_a_whole_word_only() -> None:
    assert ranked("See", {"part": "am Stausee", "word": "am See"}) == ["word"]


def test_whole_word_beats_its_parts() -> None:
    texts = {"part": "Die Wasserpumpe läuft gut", "word": "Die Pumpe läuft gut"}
    assert ranked("Pumpe", texts) == ["word", "part"]


def test_rare_word_beats_frequent_ones() -> None:
    texts = {f"plain{n}": "die Pumpe und der Fluss und die Felder" for n in range(9)}
    texts["rare"] = "hier steht Qdrant und sonst wenig über alles"
    assert ranked("die Felder und Qdrant", texts)[0] == "rare"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \t\n—…!", []),
        ("Über-die_Brücke 2.5%", ["über", "die", "brücke", "2", "5"]),
        ("don't ﬁnd", ["don", "t", "find"]),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_terms_of_a_word() -> None:
    assert len(word_terms("pumpe").grams) == 2
    assert word_terms("see").grams == ()
    assert len(word_terms("2031").stems) == 1
    assert word_terms("2031").grams == ()
    assert word_terms("x" * 65).grams == ()
    assert word_terms("häuser").grams == word_terms("haeuser").grams
    assert set(word_terms("häuser").stems) <= set(word_terms("haeuser").stems)
    # Japanese text with Latin letters in it: bigrams and words
    assert set(word_terms("qdrantは港").grams) == set(word_terms("qdrant").grams)


def test_vector_is_well_formed() -> None:
    vector = document_vector("Fluss Fluss Fluss Brücke")
    assert list(vector.indices) == sorted(set(vector.indices))
    assert all(0 <= index < 2**32 for index in vector.indices)
    values = dict(zip(vector.indices, vector.values, strict=True))
    river, bridge = word_terms("fluss").stems[0], word_terms("brücke").stems[0]
    assert values[river] > values[bridge] > 0
    assert len(document_vector("… — !")) == 0


def test_a_term_once_in_a_chunk_of_average_length_is_worth_one() -> None:
    text = " ".join(["Fluss", *["die"] * (AVERAGE_WORDS - 1)])
    vector = document_vector(text)
    values = dict(zip(vector.indices, vector.values, strict=True))
    assert values[word_terms("fluss").stems[0]] == pytest.approx(1.0)


def test_long_text_damps_short_text_raises() -> None:
    river = word_terms("fluss").stems[0]

    def value(words: int) -> float:
        vector = document_vector(" ".join(["Fluss", *["die"] * words]))
        return dict(zip(vector.indices, vector.values, strict=True))[river]

    assert value(10) > value(100) > value(1000) > 0


def flat(terms: object) -> list[float]:
    return [1.0 for _ in terms]  # type: ignore[attr-defined]


def test_coverage() -> None:
    query = query_words("Bewässerung Brücke", flat)
    assert query.coverage(0) == 0
    assert query.coverage(query.best) == 1
    assert query.coverage(99 * query.best) == 1
    assert query.coverage(query.best / 2) == pytest.approx(0.5)
    assert query_words("…", flat).coverage(3) == 0
    # stems and grams of each of the two words count one each
    assert query.best == pytest.approx(4.0)


def test_matched_words_explain_the_score() -> None:
    query = query_words("Pumpe am Stausee, Qdrant", flat)
    document = document_vector(TEXTS["Bewässerung"])
    matched = query.matched(document)
    assert [one.word for one in matched if one.whole] == ["stausee", "am"]
    assert [one.word for one in matched if not one.whole] == ["pumpe"]
    values = dict(zip(document.indices, document.values, strict=True))
    score = sum(
        weight * values.get(index, 0.0)
        for index, weight in zip(query.vector.indices, query.vector.values, strict=True)
    )
    assert sum(one.score for one in matched) == pytest.approx(score)


def test_repeated_query_words_count_once() -> None:
    assert query_words("Fluss fluss FLUSS", flat) == query_words("fluss", flat)


def test_long_query_keeps_its_rarest_words() -> None:
    lexicon = Lexicon()
    common = [f"wort{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(100)]
    lexicon.add([document_vector(" ".join(common))] * 50)
    query = query_words(" ".join([*common, "Seltenes"]), lexicon.idf)
    assert len(query.words) == MAX_QUERY_WORDS
    assert "seltenes" in {one.word for one in query.words}


@given(st.text(st.characters(), max_size=60))
def test_any_text_gives_a_vector(text: str) -> None:
    vector = document_vector(text)
    assert all(value > 0 for value in vector.values)
    assert document_vector(text) == vector
    query_words(text, flat)


def test_same_vector_in_another_process() -> None:
    text = "Häuser an der Straße, run 港口 v1.17 crème"
    script = f"from core.embedding.sparse import document_vector as d; print(d({text!r}))"
    command = [sys.executable, "-X", "utf8", "-c", script]
    output = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert output.strip() == str(document_vector(text))


@pytest.mark.parametrize(
    ("word", "stems", "grams"),
    [
        ("häuser", (1418968780,), (3253964686, 89839999, 1105679637)),
        ("values", (334873780, 2520158797), (56009487, 3022213975)),
        ("港口", (2390581122,), ()),
        ("2031", (2746015154,), ()),
    ],
)
def test_terms_are_stable(word: str, stems: tuple[int, ...], grams: tuple[int, ...]) -> None:
    """Stored vectors depend on these numbers: a change needs a new TERMS_VERSION."""
    assert word_terms(word) == (stems, grams)
