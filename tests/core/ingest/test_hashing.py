"""When a note counts as changed."""

from __future__ import annotations

import pytest

from core.ingest.hashing import HashOptions, hash_options, hash_signature
from core.ingest.records import date_number
from core.parse import parse_note

BASE = "---\na: 1\nb: [x, y]\n---\nbody\n"


def signature(text: str, **options: str) -> str:
    return hash_signature(parse_note("n.md", text), text, HashOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "options", "same"),
    [
        (BASE, {}, True),
        (BASE.replace("\n", "\r\n"), {}, True),
        (BASE.replace("body", "bodY"), {}, False),
        (BASE.replace("a: 1\nb: [x, y]", "b: [x, y]\na: '1'"), {}, True),
        (BASE.replace("a: 1\nb: [x, y]", "b: [x, y]\na: '1'"), {"source": "raw"}, False),
        (BASE.replace("a: 1", "a: 2"), {}, False),
        (BASE.replace("a: 1", "a: 2"), {"compare": "body"}, True),
        (BASE.replace("body", "other"), {"compare": "frontmatter"}, True),
        (BASE.replace("\n", "\r\n"), {"normalize": "none"}, False),
    ],
)
def test_what_counts_as_a_change(text: str, options: dict[str, str], same: bool) -> None:
    assert (signature(text, **options) == signature(BASE, **options)) is same


def test_unicode_forms_are_the_same_text() -> None:
    assert signature("Flüsse") == signature("Flu\u0308sse")
    assert signature("Flüsse", normalize="none") != signature("Flu\u0308sse", normalize="none")


def test_a_note_says_itself_how_it_is_compared() -> None:
    one = "---\nhash_mode: body\na: 1\n---\nbody\n"
    assert signature(one) == signature(one.replace("a: 1", "a: 2"))
    assert signature(one).startswith("body:")


def test_another_mode_is_another_signature() -> None:
    modes = [{}, {"compare": "body"}, {"source": "raw"}, {"normalize": "none"}]
    assert len({signature("text", **options) for options in modes}) == len(modes)


def test_options_come_from_the_environment() -> None:
    environ = {"MINDNET_HASH_COMPARE": "Body", "MINDNET_HASH_SOURCE": "nonsense"}
    assert hash_options(environ) == HashOptions(compare="body")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2024-05-06", 20240506000000),
        ("2024-05-06 07:08", 20240506070800),
        ("2024-05-06T07:08:09+02:00", 20240506070809),
        ("2024-5-6", 20240506000000),
        ("yesterday", None),
        ("2024-13-01", None),
        ("", None),
    ],
)
def test_dates_as_numbers(text: str, number: int | None) -> None:
    assert date_number(text) == number
