"""Lines out of bytes, and answers out of thoughts, however they are cut."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.stream import Lines, Thinking


def cuts(text: str) -> list[list[str]]:
    """All ways to cut a text in two, and every character on its own."""
    return [[text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))]


def answer(pieces: list[str]) -> tuple[str, bool]:
    thinking = Thinking()
    found = "".join(thinking.feed(piece) for piece in pieces) + thinking.end()
    return found, thinking.seen


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Answer", "Answer"),
        ("<think>plan</think>Answer", "Answer"),
        ("\n<think>\nplan < 3\n</think>\n\nAnswer <b>", "Answer <b>"),
        ("<think>a</think> <think>b</think>Answer", "Answer"),
        ("<think></think>Answer", "Answer"),
        ("<think>never ends", ""),
        ("<think>plan</think>", ""),
        ("Write <think>x</think> so", "Write <think>x</think> so"),
        ("<thing> is not that", "<thing> is not that"),
        ("  indented", "  indented"),
        ("<th", "<th"),
        ("", ""),
    ],
)
def test_thinking_is_no_part_of_the_answer(text: str, expected: str) -> None:
    for pieces in cuts(text):
        assert answer(pieces) == (expected, text.lstrip().startswith("<think>")), pieces


@given(
    st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=8), max_size=3), max_size=5),
    st.lists(st.integers(0, 200), max_size=8),
    st.booleans(),
)
def test_lines_do_not_depend_on_how_they_are_cut(
    objects: list[dict[str, str]], at: list[int], ended: bool
) -> None:
    data = "\n".join(json.dumps(one, ensure_ascii=False) for one in objects).encode()
    data += b"\n" if ended else b""
    edges = sorted({0, len(data), *(min(a, len(data)) for a in at)})
    lines = Lines()
    found = [one for a, b in itertools.pairwise(edges) for one in lines.feed(data[a:b])]
    assert [*found, *lines.end()] == objects


@pytest.mark.parametrize("data", [b"{", b"[1]", b"null", b"<html>", b"\xff"])
def test_what_is_no_object_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        list(Lines().feed(data + b"\n"))
