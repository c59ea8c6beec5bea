"""The example vault with the bundled model: its questions, its missing links."""

from __future__ import annotations

import re

import pytest
import yaml

from core.parse import parse_note
from tests.core.retrieval.kit import EXAMPLES, Space, applied

QUESTIONS = yaml.safe_load((EXAMPLES / "questions.yaml").read_text("utf-8"))["questions"]
README = (EXAMPLES / "README.md").read_text("utf-8")
SECTION = README.partition("## Links that nobody has drawn yet")[2]
PAIRS = re.findall(r"^\| `(.+?)` \| `(.+?)` \| `\w+` \|", SECTION, re.MULTILINE)
MENTIONS = re.findall(r"^\| `(.+?)` \| (\d+) \| (.+?) \| `(.+?)`", SECTION, re.MULTILINE)


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["question"])
def test_every_question_is_answered_in_the_first_three(example: Space, row: dict) -> None:
    found = example.found(row["question"], top_k=3, locale=row["lang"])
    assert set(found) & set(row["expected"]), found


def test_most_questions_are_answered_at_once(example: Space) -> None:
    first = [example.found(row["question"], top_k=1)[0] in row["expected"] for row in QUESTIONS]
    assert sum(first) >= 9, first


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_best_missing_links_are_suggested(example: Space, source: str, target: str) -> None:
    found = {one.path: one for one in example.suggest(source, top_k=3)}
    assert target in found
    edited = applied(example.text(source), found[target])
    index = example.index.update([parse_note(source, edited)])
    assert target in index.targets(source)


@pytest.mark.parametrize(("source", "line", "words", "target"), MENTIONS)
def test_mentions(example: Space, source: str, line: str, words: str, target: str) -> None:
    found = {one.path: one for one in example.suggest(source)}
    assert target in found
    one = found[target]
    text = example.text(source)
    assert text[one.start : one.end].lower() == words.lower()
    assert text[: one.start].count("\n") + 1 == int(line)
    assert one.kind == "references"


def test_the_tables_were_read() -> None:
    assert (len(PAIRS), len(MENTIONS), len(QUESTIONS)) == (3, 11, 12)


def test_no_note_gets_many_suggestions(example: Space) -> None:
    every = [one for path in example.index.paths for one in example.suggest(path)]
    wanted = {(s, t) for s, _, _, t in MENTIONS} | set(PAIRS)
    assert len(every) <= len(wanted) + 6, "suggestions that nobody asked for"


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_text_that_no_model_was_made_for(example: Space, mode: str) -> None:
    for query in ("\ud800", "?!", "🌊🌊", "x" * 5000):
        example.ask(query, mode=mode)
