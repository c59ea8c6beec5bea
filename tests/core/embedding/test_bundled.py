"""The bundled model: meaning across German and English, and every text survived."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.embedding.bundled import DIM, BundledEmbedder, clean

PAIRS = [
    ("Der Hund schläft im Garten.", "The dog is sleeping in the garden."),
    ("Wir müssen das Budget kürzen.", "We have to cut the budget."),
    ("Die Pumpe im Keller ist undicht.", "The pump in the basement leaks."),
    ("Ich habe schlecht geschlafen.", "I slept badly last night."),
    ("Vektordatenbanken speichern Einbettungen.", "Vector databases store embeddings."),
    ("Unsere Werte bestimmen Entscheidungen.", "Our values guide decisions."),
]


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


def test_loaded_at_first_use() -> None:
    one = BundledEmbedder()
    assert one.state == "idle"
    one.embed_query("ready?")
    assert one.state == "ready"


def test_shapes_and_lengths(embedder: BundledEmbedder) -> None:
    found = embedder.embed_documents([german for german, _ in PAIRS])
    assert found.shape == (len(PAIRS), DIM) == (len(PAIRS), embedder.dim)
    assert found.dtype == np.float32
    assert np.linalg.norm(found, axis=1) == pytest.approx(np.ones(len(PAIRS)), abs=1e-5)
    assert embedder.embed_documents([]).shape == (0, DIM)
    assert embedder.embed_query("eine Frage").shape == (DIM,)


@pytest.mark.parametrize("number", range(len(PAIRS)))
def test_english_finds_german_and_back(embedder: BundledEmbedder, number: int) -> None:
    german = embedder.embed_documents([de for de, _ in PAIRS])
    english = embedder.embed_documents([en for _, en in PAIRS])
    assert int(np.argmax(german @ embedder.embed_query(PAIRS[number][1]))) == number
    assert int(np.argmax(english @ embedder.embed_query(PAIRS[number][0]))) == number


def test_alone_or_in_a_batch_is_the_same(embedder: BundledEmbedder) -> None:
    batch = embedder.embed_documents([en for _, en in PAIRS])
    for row, (_, english) in enumerate(PAIRS):
        assert embedder.embed_query(english) == pytest.approx(batch[row], abs=1e-5)


@pytest.mark.parametrize("text", ["x" * 20_000, "half \ud83d and \udc00", "\x00\x07", "😀", "a"])
def test_odd_texts(embedder: BundledEmbedder, text: str) -> None:
    (row,) = embedder.embed_documents([text])
    assert np.isfinite(row).all()
    assert np.linalg.norm(row) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_blank_text_is_a_row_of_zeros(embedder: BundledEmbedder, text: str) -> None:
    found = embedder.embed_documents(["Wald", text, "See"])
    assert not found[1].any()
    assert found[2] == pytest.approx(embedder.embed_query("See"), abs=1e-5)


def test_threads_may_embed_together() -> None:
    one = BundledEmbedder()
    texts = [text for pair in PAIRS for text in pair]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(one.embed_query, texts * 3))
    expected = one.embed_documents(texts)
    for row, vector in enumerate(found):
        assert vector == pytest.approx(expected[row % len(texts)], abs=1e-5)


def test_clean() -> None:
    assert clean(" a \ud800 ") == "a \ufffd"
    assert max(map(len, clean("x" * 1001).split())) == 200
    assert clean("x" * 200) == "x" * 200
    assert clean("kurz und gut") == "kurz und gut"
