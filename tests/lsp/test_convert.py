"""Positions: every encoding, both directions, and never outside the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from core.model import Place, Span
from core.text import LineIndex
from mindnet_lsp.convert import UTF8, UTF16, UTF32, Converter, apply_changes

ENCODINGS = (UTF8, UTF16, UTF32)
TEXTS = st.text(st.sampled_from("ab[]# \n\rñ港🚢\u2028\x0b\U0001f469\u0301"), max_size=40)


def at(line: int, character: int) -> types.Position:
    return types.Position(line, character)


@pytest.mark.parametrize(
    ("encoding", "character"), [(UTF8, 8), (UTF16, 6), (UTF32, 6)], ids=ENCODINGS
)
def test_a_column_counts_in_the_clients_units(encoding: str, character: int) -> None:
    lines = LineIndex("ñandú [[Pump]]")
    assert Converter(encoding).position(lines, 6) == at(0, character)
    assert Converter(encoding).offset(lines, at(0, character)) == 6


@pytest.mark.parametrize(
    ("encoding", "start", "end"), [(UTF8, 26, 34), (UTF16, 22, 30), (UTF32, 20, 28)], ids=ENCODINGS
)
def test_a_place_needs_no_text(encoding: str, start: int, end: int) -> None:
    line = "🚢🚢 see [[Pump]] and [[Gone]]"
    place = Place(start=20, line=3, col=20, raw="[[Gone]]", wide8=6, wide16=2)
    assert line[20:] == place.raw
    found = Converter(encoding).place_range(place)
    assert (found.start, found.end) == (at(3, start), at(3, end))


def test_a_place_over_several_lines() -> None:
    place = Place(start=5, line=1, col=3, raw="[a\r\n🚢b](c)", wide16=1)
    convert = Converter(UTF16)
    assert convert.place_position(place, 2) == at(1, 6)
    assert convert.place_position(place, 6) == at(2, 3)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("position", "offset"),
    [(at(0, 999), 2), (at(7, 0), 12), (at(1, 8), 11), (at(2, 0), 12), (at(1, 99), 11)],
)
def test_positions_outside_are_clamped(
    encoding: str, position: types.Position, offset: int
) -> None:
    lines = LineIndex("ab\n[[Pump]]\n")
    assert Converter(encoding).offset(lines, position) == offset


def test_a_position_is_not_changed_by_reading_it() -> None:
    position = at(0, 99)
    Converter().offset(LineIndex("abc"), position)
    assert position == at(0, 99)


@pytest.mark.parametrize(("encoding", "character"), [(UTF8, 2), (UTF8, 3), (UTF16, 1)])
def test_a_position_inside_a_character_is_in_front_of_it(encoding: str, character: int) -> None:
    lines = LineIndex("🚢x")
    assert Converter(encoding).offset(lines, at(0, character)) == 0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_only_three_line_ends(end: str) -> None:
    lines = LineIndex(f"a\u2028b\x0cc{end}[[x]]")
    assert Converter().position(lines, len(f"a\u2028b\x0cc{end}")) == at(1, 0)


def test_between_cr_and_lf_is_the_end_of_the_line() -> None:
    assert Converter().position(LineIndex("ab\r\nc"), 3) == at(0, 2)


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_there_and_back(text: str, encoding: str) -> None:
    convert, lines = Converter(encoding), LineIndex(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            assert convert.offset(lines, convert.position(lines, offset)) == offset


@given(TEXTS, st.sampled_from(ENCODINGS), st.integers(0, 9), st.integers(0, 99))
def test_any_position_is_an_offset(text: str, encoding: str, line: int, column: int) -> None:
    offset = Converter(encoding).offset(LineIndex(text), at(line, column))
    assert 0 <= offset <= len(text)


@given(TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_a_place_is_where_its_text_is(text: str, encoding: str, data: st.DataObject) -> None:
    lines = LineIndex(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    line = lines.line_at(start)
    before = text[lines.start(line) : start]
    place = Place(
        start,
        line,
        start - lines.start(line),
        text[start:end],
        len(before.encode("utf-8")) - len(before),
        len(before.encode("utf-16-le")) // 2 - len(before),
    )
    if any(text[at - 1 : at + 1] == "\r\n" for at in (start, end)):
        return
    convert = Converter(encoding)
    assert convert.place_range(place) == convert.range(lines, Span(start, end))


@given(TEXTS, TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_a_ranged_change_does_what_the_client_does(
    text: str, new: str, encoding: str, data: st.DataObject
) -> None:
    convert, lines = Converter(encoding), LineIndex(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if any(text[at - 1 : at + 1] == "\r\n" for at in (start, end)):
        return
    wanted = convert.range(lines, Span(start, end))
    change = types.TextDocumentContentChangePartial(wanted, new)
    assert apply_changes(text, [change], convert) == text[:start] + new + text[end:]


def change(line: int, start: int, end: int, text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(
        types.Range(at(line, start), at(line, end)), text, range_length=77
    )


def test_changes_apply_in_order_each_on_the_one_before() -> None:
    found = apply_changes(
        "[[A]]\n[[B]]\n", [change(0, 0, 0, "x\n"), change(2, 2, 3, "C")], Converter()
    )
    assert found == "x\n[[A]]\n[[C]]\n"


@given(TEXTS, st.lists(st.tuples(*[st.integers(0, 9)] * 4, TEXTS), max_size=5), st.booleans())
def test_changes_at_once_are_the_same_as_one_by_one(
    text: str, places: list[tuple[int, int, int, int, str]], descending: bool
) -> None:
    convert = Converter()
    if descending:
        places.sort(reverse=True)
    changes = [
        types.TextDocumentContentChangePartial(types.Range(at(a, b), at(c, d)), new)
        for a, b, c, d, new in places
    ]
    one_by_one = text
    for one in changes:
        one_by_one = apply_changes(one_by_one, [one], convert)
    assert apply_changes(text, changes, convert) == one_by_one


def test_a_change_without_a_range_replaces_all() -> None:
    whole = types.TextDocumentContentChangeWholeDocument("new")
    assert apply_changes("old", [change(0, 0, 0, "x"), whole], Converter()) == "new"


def test_a_change_beyond_the_line_is_at_its_end() -> None:
    found = apply_changes("ab\n[[Pump]]\n", [change(0, 999, 999, "Z")], Converter())
    assert found == "abZ\n[[Pump]]\n"


def test_lone_surrogates_do_not_stop_the_server() -> None:
    lines = LineIndex("a\ud83db")
    for encoding in ENCODINGS:
        convert = Converter(encoding)
        assert convert.offset(lines, convert.position(lines, 2)) == 2


@given(TEXTS, TEXTS, st.data(), st.sampled_from(ENCODINGS))
def test_a_place_in_numbers_is_where_it_is_in_the_text(
    before: str, raw: str, data: st.DataObject, encoding: str
) -> None:
    # a place never begins within a line end
    text = f"{before}|{raw}"
    at = len(before) + 1
    lines = LineIndex(text)
    line = lines.line_at(at)
    col = at - lines.start(line)
    left = text[lines.start(line) : at]
    wide8 = len(left.encode()) - col
    wide16 = len(left.encode("utf-16-le")) // 2 - col
    place = Place(at, line, col, raw, wide8, wide16)
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, len(raw)))
    convert = Converter(encoding)
    wanted = convert.range(lines, Span(at + start, at + end))
    assert convert.place_range(place, start, end) == wanted
    numbers = (wanted.start.line, wanted.start.character, wanted.end.line, wanted.end.character)
    assert convert.place_numbers(place, start, end) == numbers
    assert convert.numbers(lines, Span(at + start, at + end)) == numbers
