"""Reading bytes, and the line table."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import LineIndex, decode, fold


@pytest.mark.parametrize(
    ("data", "text", "replaced"),
    [
        (b"plain\r\n", "plain\r\n", False),
        ("\ufeffBOM".encode(), "BOM", False),
        (b"a\x00b", "ab", False),
        ("Müller 🚢".encode(), "Müller 🚢", False),
        (b"M\xfcller", "M\ufffdller", True),
        (b"", "", False),
    ],
)
def test_decode(data: bytes, text: str, replaced: bool) -> None:
    found = decode(data)
    assert (found.text, found.replaced) == (text, replaced)


@given(st.binary())
def test_decode_never_raises(data: bytes) -> None:
    assert "\0" not in decode(data).text


@pytest.mark.parametrize(
    ("one", "other"),
    [("Straße", "STRASSE"), ("Mu\u0308ller", "Müller"), (" A ", "a"), ("İ", "i\u0307")],
)
def test_fold_makes_equal_what_people_take_for_equal(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text())
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet=st.sampled_from("ab\r\n\u2028\u0085\x0c🚢")))
def test_lines_are_split_at_the_three_line_ends_only(text: str) -> None:
    lines = LineIndex(text)
    expected = re.split("\r\n|\n|\r", text)
    assert [lines.line(n) for n in range(len(lines))] == expected


@given(st.text(alphabet=st.sampled_from("ab\r\n")), st.integers(-2, 20))
def test_line_at_is_the_line_that_holds_the_offset(text: str, offset: int) -> None:
    lines = LineIndex(text)
    line = lines.line_at(offset)
    clamped = min(max(offset, 0), len(text))
    assert lines.start(line) <= clamped
    assert line == len(lines) - 1 or clamped < lines.start(line + 1)


def test_outside_the_text_is_clamped() -> None:
    lines = LineIndex("ab\ncd")
    assert (lines.start(9), lines.end(9), lines.line(9)) == (5, 5, "")
    assert lines.line_at(99) == 1


@pytest.mark.parametrize(("text", "eol"), [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a", "\n")])
def test_eol(text: str, eol: str) -> None:
    assert LineIndex(text).eol == eol
