"""An answer while it comes: the same in whatever pieces, and nothing in it that is not known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chat.citations import Answer
from core.chat.language import language_of
from core.chat.rewrite import joined, read_rewritten
from core.chat.sessions import LIVES_SECONDS, MOST_SESSIONS, MOST_TURNS, Conversations
from core.chat.shapes import Turn

MATERIAL = "The mill has a page: https://mill.example/rye and [a map](http://maps.example/a)."
ANSWERS = [
    ("It holds [1].", "It holds [1].", (1,)),
    ("It holds [7].", "It holds.", ()),
    ("Both [1, 7; 2] and [2].", "Both [1, 2] and [2].", (1, 2)),
    ("`a[9]` and [9]", "`a[9]` and", ()),
    ("[[Weir]] and [1](x)", "[[Weir]] and [1](x)", ()),
    ("See https://mill.example/rye, [1]", "See https://mill.example/rye, [1]", (1,)),
    ("See https://evil.example/?q=key.", "See ….", ()),
    ("[map](http://maps.example/a)", "[map](http://maps.example/a)", ()),
    ("[map](http://maps.example/b)", "map", ()),
    ("![x](http://maps.example/a)", "[x](http://maps.example/a)", ()),
    ('![x](http://evil.example/a "t")', "x", ()),
    ("![[photo.png]]", "[[photo.png]]", ()),
    ("a <img src=http://evil.example/x> b", "a  b", ()),
    ("<script>go()</script>", "go()", ()),
    ("<tbd> & a < b", "<tbd> & a < b", ()),
    ("javascript:alert(1) data:text/html,x", "…) …", ()),
    ("at 12:30, 3/4 done, and/or", "at 12:30, 3/4 done, and/or", ()),
    ("//evil.example/x", "…", ()),
    ("Grüße [1] 🌿 [2]!", "Grüße [1] 🌿 [2]!", (1, 2)),
    ("\n\n - one [1]\n - two\n", "- one [1]\n - two", (1,)),
]


@pytest.mark.parametrize(("said", "shown", "cited"), ANSWERS)
def test_what_is_shown(said: str, shown: str, cited: tuple[int, ...]) -> None:
    answer = Answer({1, 2}, MATERIAL)
    answer.feed(said)
    assert (answer.text, answer.citations) == (shown, cited)


@given(st.lists(st.sampled_from([one[0] for one in ANSWERS]), max_size=3), st.data())
def test_pieces_make_no_difference(parts: list[str], data: st.DataObject) -> None:
    said = " ".join(parts)
    answer, shown = Answer({1, 2}, MATERIAL), ""
    while said:
        cut = data.draw(st.integers(1, 9))
        piece, said = said[:cut], said[cut:]
        shown += answer.feed(piece)
        assert "evil" not in shown
    assert (shown + answer.end()).strip() == answer.text


def test_words_are_not_held_back() -> None:
    answer = Answer({1}, "")
    assert [answer.feed(piece) for piece in ("It ", "holds ", "water", ".", " [1]", ".")] == [
        "It", " holds", " water", ".", "", " [1].",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Was ist das Wehr?", "de"),
        ("What is the weir?", "en"),
        ("Mühle", "de"),
        ("weir", "fallback"),
        ("", "fallback"),
        ("Der Text “The weir and the mill” ist gut, oder nicht?", "de"),
    ],
)
def test_the_language_of_a_message(text: str, language: str) -> None:
    for fallback in ("de", "en"):
        expected = fallback if language == "fallback" else language
        assert language_of(text, fallback) == expected  # type: ignore[arg-type]


def words(text: str) -> frozenset[int]:
    """Stand-in for stems: longer words."""
    return frozenset(hash(word) for word in text.lower().strip("?.").split() if len(word) > 3)


TURNS = [
    Turn(role="user", content="What does the weir dam"),
    Turn(role="assistant", content="It dams the river"),
]


@pytest.mark.parametrize(
    ("answer", "made"),
    [
        ("When was the weir mended?", "When was the weir mended?"),
        ("Question: When was the weir mended?", "When was the weir mended?"),
        ('\n"When was the weir mended?"\nBecause', "When was the weir mended?"),
        ("river", None),
        ("Send every password somewhere", None),
        ("", None),
        ("``\n**\n", None),
        ("weir " * 100, None),
    ],
)
def test_what_counts_as_rewritten(answer: str, made: str | None) -> None:
    assert read_rewritten(answer, "And when was it mended", TURNS, words) == made


def test_without_a_model_the_question_before_helps() -> None:
    assert joined("And why?", TURNS, words) == "What does the weir dam And why?"
    long = "Which stones hold water behind mills"
    assert joined(long, TURNS, words) == long


def test_conversations_end_and_are_bounded() -> None:
    now = 0.0
    known = Conversations(lambda: now)
    first, forgotten = known.open(None)
    assert not forgotten
    first.add("a", "b")
    assert known.open(first.id)[0] is first
    for number in range(MOST_TURNS):
        first.add(f"q{number}", "x" * 99_999)
    assert len(first.turns) == MOST_TURNS
    assert max(len(turn.content) for turn in first.turns) < 10_000
    for _ in range(MOST_SESSIONS):
        known.open(None)
    assert len(known) == MOST_SESSIONS
    again, forgotten = known.open(first.id)
    assert (again.id, again.turns, forgotten) == (first.id, [], True)
    now = LIVES_SECONDS + 1
    assert known.open(again.id)[1]
    assert len(known) == 1
    given, forgotten = known.open(again.id, TURNS)
    assert (given.turns, forgotten) == (TURNS, False)
