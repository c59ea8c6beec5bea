"""The token estimate, and cutting overlaps by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chunking.tokens import count_tokens, head_end, tail_start


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("the cat", 2),
        ("Embeddings", 2),
        ("Donaudampfschifffahrt", 4),
        ("漢字かな", 4),
        ("한국어 문장", 5),
        ("a漢b", 3),
        ("----", 2),
        ("snake_case", 3),
        ("über alles", 2),
    ],
)
def test_count(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(), st.text())
def test_counts_add_up_over_blanks(left: str, right: str) -> None:
    assert count_tokens(f"{left} {right}") == count_tokens(left) + count_tokens(right)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_ascii_counts_as_any_other_text(text: str) -> None:
    assert count_tokens(text) == count_tokens(text + " é") - 1


@given(st.text(), st.integers(0, 20))
def test_overlaps_are_no_longer_than_asked_for(text: str, tokens: int) -> None:
    start, end = tail_start(text, tokens), head_end(text, tokens)
    assert 0 <= start <= len(text)
    assert 0 <= end <= len(text)
    assert count_tokens(text[start:]) <= tokens
    assert count_tokens(text[:end]) <= tokens


def test_overlaps_end_at_words() -> None:
    text = "alpha beta gamma delta"
    assert text[tail_start(text, 2) :] == "gamma delta"
    assert text[: head_end(text, 2)] == "alpha beta"
    assert text[tail_start(text, 100) :] == text
