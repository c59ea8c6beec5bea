"""How large chunks are, which lines they cover, and that nothing takes long."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.chunking.chunks import Chunk, chunk_note
from core.chunking.profiles import PROFILES
from core.chunking.tokens import count_tokens
from core.parse import parse_note
from core.text import LineIndex
from tests.core.chunking.test_chunks import BY_NAME, TEXTS, chunks_of

FRONT = st.sampled_from(["", "---\ntitle: Übersicht\ntags: [a]\n---\n", "---\r\nid: x\r\n---\r\n"])
BY_TOKENS = [name for name in BY_NAME if not PROFILES[name].max_chars]


def too_large(chunk: Chunk, name: str) -> bool:
    profile = PROFILES[name]
    over = profile.max_chars and len(chunk.text.strip()) > profile.max_chars
    return bool(over or chunk.tokens > profile.limit)


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(BY_NAME))
def test_only_a_line_that_must_not_be_cut_is_larger_than_a_chunk(text: str, name: str) -> None:
    for chunk in chunks_of(text, name):
        if too_large(chunk, name):
            content = [line for line in chunk.text.splitlines() if line.strip()]
            longest = max(content, key=count_tokens)
            others = [line for line in content if line is not longest]
            # a line of code or a row of a table; headings may stand around it
            assert all(line.lstrip().startswith(("#", "|", "`", "~")) or len(line) < 40
                       for line in others), content  # fmt: skip
            alone = Chunk(0, longest, "", (), 0, 0, 0, 0, count_tokens(longest))
            room = sum(count_tokens(line) for line in others)
            assert too_large(alone, name) or chunk.tokens - room <= PROFILES[name].limit


@settings(max_examples=300, deadline=None)
@given(FRONT, TEXTS, st.sampled_from(BY_NAME))
def test_every_line_of_the_body_is_in_the_range_of_a_chunk(
    front: str, body: str, name: str
) -> None:
    text = front + body
    note = parse_note("guide.md", text)
    chunks = chunk_note(note, text, PROFILES[name])
    lines = LineIndex(text)
    covered = {line for c in chunks for line in range(c.start_line, c.end_line + 1)}
    headings = {heading.line for heading in note.headings}
    # the line below an underlined heading belongs to it
    headings |= {line + 1 for line in headings if not lines.line(line).lstrip().startswith("#")}
    content = {n for n in range(note.body_line, len(lines)) if lines.line(n).strip()}
    if chunks:
        assert content - headings <= covered
        assert min(covered) >= note.body_line
    starts = [chunk.start_line for chunk in chunks]
    assert starts == sorted(starts)
    for one, two in pairwise(chunks):
        assert one.end == two.start
        # a long line may be in two chunks, nothing else
        assert one.end_line <= two.start_line


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(BY_TOKENS))
def test_line_ends_make_no_difference(text: str, name: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    unix = chunks_of(plain, name)
    for eol in ("\r\n", "\r"):
        other = chunks_of(plain.replace("\n", eol), name)
        assert [c.text.replace(eol, "\n") for c in other] == [c.text for c in unix]
        assert [(c.start_line, c.end_line, c.section, c.tokens) for c in other] == [
            (c.start_line, c.end_line, c.section, c.tokens) for c in unix
        ]


@pytest.mark.parametrize(("name", "target", "limit"), [
    ("short", 128, 128), ("medium", 256, 256), ("long", 512, 512), ("default", 256, 256),
    ("sliding_standard", 400, 600), ("sliding_smart_edges", 400, 600),
])  # fmt: skip
@pytest.mark.parametrize("words", ["Ein Satz über Flüsse und Brücken. ", "漢字とかなの文です。"])
def test_prose_fills_its_chunks(name: str, target: int, limit: int, words: str) -> None:
    chunks = chunks_of(words * 800, name)
    assert all(chunk.tokens <= limit for chunk in chunks)
    assert all(chunk.tokens >= target * 0.75 for chunk in chunks[:-1])


HOSTILE = {
    "2 MB of prose": "Ein Satz über Flüsse und Brücken. Noch einer!\n\n" * 43_000,
    "one line of words": "word " * 40_000,
    "one word": "x" * 200_000,
    "one CJK line": "漢" * 200_000,
    "list items": "- item\n" * 50_000,
    "nested items": "".join("  " * (n % 50) + "- i\n" for n in range(50_000)),
    "nested quotes": "".join(">" * (n % 200) + " q\n" for n in range(20_000)),
    "one deep quote": "> " * 50_000 + "x",
    "a fence without an end": "```\n" + "code line\n" * 50_000,
    "table rows": "| a | b |\n|---|---|\n" + "| x | y |\n" * 30_000,
    "bars": "|" * 200_000,
    "a broken table rule": "a|b\n" + "|-" * 100_000 + "x\n",
    "headings": "# h\n" * 30_000,
    "sections": "# h\n\nt\n\n" * 20_000,
    "stops": "." * 200_000,
    "stops and quotes": ".\"'" * 70_000,
    "stops, then brackets": "!" * 100_000 + ")" * 100_000,
    "runs of stops": ("." * 50 + ")" * 50) * 2_000,
    "CJK stops": "。」" * 100_000,
    "underlines": "a\n===\n" * 20_000,
    "rules": "-" * 200_000,
    "blanks": "a" + " " * 500_000 + "b",
    "blank lines": "a" + "\n" * 500_000 + "b",
    "combining marks": "a" + "\u0301" * 200_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("name", ["medium", "by_heading"])
def test_hostile_notes_take_no_time(text: str, name: str) -> None:
    note = parse_note("guide.md", text)
    began = time.process_time()
    chunks = chunk_note(note, text, PROFILES[name])
    # 1 s on a quiet machine
    assert time.process_time() - began < 3
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(chunk.text.strip() for chunk in chunks)
