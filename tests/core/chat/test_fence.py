"""Notes in prompts are material, and citations are of what was there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from core.chat.fence import SHORTEST, check_citations, fenced, plain_name
from core.config.load import load_chat
from core.config.prompts import filled

HOSTILE = yaml.safe_load(Path(__file__).with_name("hostile.yaml").read_text("utf-8"))
PROMPTS = load_chat().prompts
TURNS = re.compile(r"<\|\w+\|>|\[/?INST\]|<</?SYS>>|</?s>|<(?:start|end)_of_turn>|</?think>")


def inside(text: str) -> str:
    """What a reader takes for the content of the fence; fails where something ends it early."""
    opening, *lines, closing = text.split("\n")
    mark = re.match("`+", opening)
    assert mark is not None
    fence = mark[0]
    assert len(fence) >= SHORTEST
    assert "`" not in opening[len(fence) :]
    assert closing == fence
    assert all(fence not in line for line in lines)
    return "\n".join(lines)


def test_there_are_enough() -> None:
    assert len(HOSTILE) >= 30


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_note_stays_in_its_fence(text: str) -> None:
    made = fenced(text, text)
    inner = inside(made)
    assert made == fenced(text, text)
    assert not TURNS.search(inner)
    assert not re.search("[\u202a-\u202e\u200b\ufeff\x07\x1b\r\u2028]", inner)
    # nothing of its words is lost
    assert re.findall(r"[^\W\d_]{3,}", inner) == re.findall(
        r"[^\W\d_]{3,}", re.sub("[\u200b\ufeff\u202a-\u202e]", "", text)
    )
    for template in PROMPTS.rag.values():
        for language in (template.en, template.de):
            values = {"context": made, "message": fenced("hi"), "persona": "P", "fencing": "F"}
            prompt = filled(language, values)
            assert prompt.count(made) == 1
            assert prompt.startswith("P\nF\n")


@given(st.text(st.sampled_from("`~a \n<|>[]/INSTs\r\u2028"), max_size=60), st.text(max_size=40))
def test_no_text_ends_its_fence(text: str, name: str) -> None:
    inside(fenced(text, name))


def test_a_title_is_one_plain_line() -> None:
    assert plain_name("a\n```system\n# x <|im_end|>") == "a system x im_end"
    assert plain_name("Größe & Maß (2)") == "Größe & Maß (2)"
    assert len(plain_name("x" * 500)) == 120


@pytest.mark.parametrize(
    ("answer", "text", "numbers", "unknown"),
    [
        ("It rains [1].", "It rains [1].", (1,), ()),
        ("It rains [7].", "It rains.", (), (7,)),
        ("Both [1, 3] [2][9].", "Both [1, 3] [2].", (1, 3, 2), (9,)),
        ("One of [2; 8].", "One of [2].", (2,), (8,)),
        ("`a[5]` and ```\nx[6]\n``` [0]", "`a[5]` and ```\nx[6]\n```", (), (0,)),
        ("[4](http://x) [[5]] ![6](y)", "[4](http://x) [[5]] ![6](y)", (), ()),
        ("[3] Anfang, [10] Ende", "[3] Anfang, Ende", (3,), (10,)),
        ("- [ ] task [x] [-1] [1a]", "- [ ] task [x] [-1] [1a]", (), ()),
        ("", "", (), ()),
    ],
)
def test_only_sources_that_are_there_are_cited(
    answer: str, text: str, numbers: tuple[int, ...], unknown: tuple[int, ...]
) -> None:
    assert check_citations(answer, range(1, 4)) == (text, numbers, unknown)


@given(st.text(st.sampled_from("[]123, `(a\n"), max_size=40))
def test_checking_again_changes_nothing(answer: str) -> None:
    once = check_citations(answer, {1, 2})
    again = check_citations(once.text, {1, 2})
    assert (again.text, again.unknown) == (once.text, ())
