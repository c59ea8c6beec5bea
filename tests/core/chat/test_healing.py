"""Healing what models write: a corpus of damage, and what holds for every text."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from core.chat.healing import heal
from core.chat.sanitise import Given, sanitise, title_in
from core.config.load import load_relations
from core.ids import path_note_id
from core.parse import parse_note

HERE = Path(__file__).parent
WANTED: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "damaged.yaml").read_text("utf-8"))
GIVEN = Given("drafts/x.md", "task", "", "2031-03-09", load_relations()[0])
FIRST = {
    "type": "task",
    "id": path_note_id("drafts/x.md"),
    "status": "draft",
    "created": "2031-03-09",
}


def damaged(name: str) -> str:
    return (HERE / "damaged" / f"{name}.md").read_bytes().decode()


def front_of(markdown: str) -> dict[str, Any]:
    """The frontmatter as any YAML program reads it, all values as texts."""
    block = markdown.split("\n---\n")[0].removeprefix("---\n")
    assert yaml.safe_load(block) is not None
    found: dict[str, Any] = yaml.load(block, Loader=yaml.BaseLoader)
    return found


def test_the_corpus_is_whole() -> None:
    files = {path.stem for path in (HERE / "damaged").iterdir()}
    assert files == set(WANTED)
    assert len(files) >= 60


@pytest.mark.parametrize("name", WANTED)
def test_a_damaged_answer(name: str) -> None:
    wanted = WANTED[name]
    healed = heal(damaged(name))
    draft = sanitise(healed, GIVEN)
    front = front_of(draft.markdown)
    title = {"title": wanted["title"]} if wanted["title"] else {}
    assert front == {**FIRST, **title, **wanted.get("front", {})}
    assert draft.title == title_in(healed) == wanted["title"]
    body = draft.markdown.split("\n---\n", 1)[1]
    for text in wanted.get("body", ()):
        assert body.count(text) == 1, body
    assert body.count("\n# ") == (1 if wanted["title"] else 0)
    assert list(draft.moved_to_body) == wanted.get("moved", [])
    assert set(wanted.get("repairs", ())) <= set(healed.repairs), healed.repairs
    for text in wanted.get("around", ()):
        assert text in healed.around
    if not wanted.get("around"):
        assert healed.around == ""
    sound(draft.markdown)


def sound(markdown: str) -> None:
    """The draft parses without a finding, and healing it again changes nothing."""
    note = parse_note("drafts/x.md", markdown)
    assert note.problems == ()
    assert note.frontmatter is not None
    assert note.frontmatter.valid
    assert not re.search("[\x00-\x08\r\x0b\x0c\ufeff\ud800-\udfff]", markdown)
    markdown.encode()
    again = sanitise(heal(markdown), GIVEN)
    assert again.markdown == markdown
    assert again.moved_to_body == ()


LINES = st.sampled_from(
    [
        "---", "----", "```", "```markdown", "```yaml", "````", "~~~", "", " ", "# A", "## B", "x",
        "title: A", "title: \"A", "title: a: b", "tags: [a, b", "tags:", "  - x", "\t- y", "- z: 1",
        "owner: {a: 1}", "key: |", "  more", "depends_on: [[A]]", "[[A]] & <b>", "&amp;lt;", "{",
        "}", '{"title": "A"}', "<think>", "</think>", "===", "a\r", "\u2028", "* title: B", "\x00",
        "description: >", "id: 1", "=", "title: '", "%x: y", "? a", ": b", "!tag a", "a:b:c", "…",
    ]
)  # fmt: skip


@given(st.lists(LINES, max_size=14).map("\n".join))
@settings(max_examples=400, deadline=None)
def test_any_damage_gives_a_sound_note(answer: str) -> None:
    sound(sanitise(heal(answer), GIVEN).markdown)


@given(st.text(max_size=200), st.text(max_size=30))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_a_sound_note(answer: str, title: str) -> None:
    draft = sanitise(heal(answer), GIVEN._replace(title=title))
    front_of(draft.markdown)
    assert parse_note("drafts/x.md", draft.markdown).problems == ()


WORDS = st.lists(st.from_regex(r"[a-zäöß]{2,8}", fullmatch=True), min_size=1, max_size=6)
BODY = st.lists(
    st.tuples(st.sampled_from(["", "## ", "- ", "> ", "1. ", "| ", "    "]), WORDS).map(
        lambda part: part[0] + " ".join(part[1])
    ),
    min_size=1,
    max_size=8,
)


@given(BODY, st.sampled_from(["plain", "front", "unclosed", "block", "chatter", "windows"]))
@settings(max_examples=200, deadline=None)
def test_no_word_of_a_body_is_lost(lines: list[str], way: str) -> None:
    body = "\n\n".join(lines)
    answer = {
        "plain": body,
        "front": f"---\ntitle: T\nowner: Bob\n---\n\n{body}",
        "unclosed": f"---\ntitle: T\n\n# T\n\n{body}",
        "block": f"```markdown\n---\ntitle: T\n---\n\n{body}\n```",
        "chatter": f"Sure:\n\n---\ntitle: T\n---\n{body}",
        "windows": f"---\ntitle: T\n---\n\n{body}".replace("\n", "\r\n"),
    }[way]
    made = sanitise(heal(answer), GIVEN).markdown
    at = 0
    for line in lines:
        at = made.index(line.strip(), at)


LONG = 10_000


@pytest.mark.parametrize(
    "part",
    [
        "---\n", "---\na: 1\n", "```\n", "```markdown\nx\n", "title: a\n", "`", "`a\n&amp;\n",
        "<think>", "{", '{"title":', "\t", " ", "\n", "&amp;", "# a\n", "**", "a:", "- ", "a",
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", ["", "---\ntitle: "])
def test_long_damage_is_read_in_time(before: str, part: str) -> None:
    """Seconds for what some patterns would need minutes for."""
    began = time.monotonic()
    sound_enough = sanitise(heal(before + part * LONG), GIVEN).markdown
    assert time.monotonic() - began < 10
    assert sound_enough.startswith("---\n")
