"""Questions and the notes that answer them: xquad-de, asked in German and in English."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.api import QueryRequest
from tests.eval.baselines import Bm25, grams_and_stems, stems
from tests.eval.indexed import CachedEmbedder, Indexed, indexed
from tests.eval.metrics import FIRST, Figures, ranked
from tests.eval.variants import MINDNET, PLAIN_ASKING, Variant
from tests.eval.vaults import SHARED, Vault, read_vault

XQUAD = "xquad-de"
LANGUAGES = {"German": "question_de", "English to German": "question_en"}
Rows = dict[str, Figures]


@dataclass(frozen=True)
class Question:
    """`answers` are the paths of the notes that answer it."""

    text: str
    answers: frozenset[str]


def xquad(shared: Path = SHARED) -> tuple[Vault, dict[str, list[Question]]] | None:
    """The notes, and the questions by language; None where they are not there."""
    root = shared / XQUAD
    if not (root / "queries.jsonl").is_file():
        return None
    lines = (root / "queries.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line) for line in lines]
    vault = read_vault(root / "notes", XQUAD)
    return vault, {
        language: [
            Question(one[key], frozenset((one["note"].removeprefix("notes/"),))) for one in asked
        ]
        for language, key in LANGUAGES.items()
    }


def sampled(questions: Sequence[Question], count: int, seed: int = 1) -> list[Question]:
    """Some of the questions, the same ones for a seed; all of them for 0."""
    if not count or count >= len(questions):
        return list(questions)
    return random.Random(seed).sample(questions, count)


def answer(
    vault: Vault,
    asked: Mapping[str, Sequence[Question]],
    embedder: CachedEmbedder,
    *,
    variants: Mapping[str, Variant] = PLAIN_ASKING,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, Rows]:
    """Figures by language and method."""
    found: dict[str, Rows] = {}
    with indexed(vault, embedder) as space:
        paths = list(space.index.paths)
        texts = [vault.texts[path] for path in paths]
        words = {"BM25 words": Bm25(texts, stems), "BM25 + 4-grams": Bm25(texts, grams_and_stems)}
        for language, questions in asked.items():
            tell(f"{vault.name}, {language}")
            rows = found.setdefault(language, {})
            for name, ranking in _rankings(space, paths, words, variants).items():
                figures = rows.setdefault(name, Figures())
                for one in questions:
                    figures.add_any(ranking(one.text), one.answers)
    return found


def _rankings(
    space: Indexed,
    paths: Sequence[str],
    words: Mapping[str, Bm25],
    variants: Mapping[str, Variant],
) -> dict[str, Callable[[str], list[str]]]:
    plain = space.config

    def asked(variant: Variant, mode: str = "hybrid") -> Callable[[str], list[str]]:
        def ranking(text: str) -> list[str]:
            space.config = variant.of(plain)
            request = QueryRequest(query=text, top_k=FIRST, mode=mode, explain=False)
            return [hit.path for hit in space.searcher.query(request, vectors=variant.vectors).hits]

        return ranking

    def by_words(bm25: Bm25) -> Callable[[str], list[str]]:
        return lambda text: ranked(zip(paths, bm25.scores(text).tolist(), strict=True))[:FIRST]

    return {
        **{name: asked(variant) for name, variant in variants.items()},
        f"{MINDNET}, semantic mode (vectors alone)": asked(Variant(), "semantic"),
        **{name: by_words(bm25) for name, bm25 in words.items()},
    }
