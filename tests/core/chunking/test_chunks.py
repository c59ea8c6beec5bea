"""Chunks: nothing lost, nothing twice, cut where it does least harm."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.chunking.chunks import Chunk, chunk_note
from core.chunking.profiles import PROFILES
from core.parse import parse_note
from core.text import LineIndex

BY_NAME = sorted(PROFILES)


def chunks_of(text: str, profile: str = "medium", path: str = "guide.md") -> tuple[Chunk, ...]:
    return chunk_note(parse_note(path, text), text, PROFILES[profile])


def check(text: str, profile: str = "medium") -> tuple[Chunk, ...]:
    """The chunks of a text, after what holds for all chunks of all texts."""
    note = parse_note("guide.md", text)
    chunks = chunk_note(note, text, PROFILES[profile])
    body = text[note.body_start :]
    if not body.strip():
        assert chunks == ()
        return chunks
    assert chunks
    assert "".join(chunk.text for chunk in chunks) == body
    lines = LineIndex(text)
    limits = PROFILES[profile]
    for index, chunk in enumerate(chunks):
        assert chunk.index == index
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.text.strip()
        assert chunk.start_line <= chunk.end_line < len(lines)
        assert lines.line_at(chunk.start) <= chunk.start_line
        assert chunk.end_line <= lines.line_at(chunk.end - 1)
        assert lines.line(chunk.start_line).strip()
        assert lines.line(chunk.end_line).strip()
        assert chunk.window.startswith("guide")
        assert text[chunk.start - chunk.overlap_left : chunk.end + chunk.overlap_right].strip() in (
            chunk.window
        )
        assert limits.overlap or not (chunk.overlap_left or chunk.overlap_right)
    assert chunks[0].overlap_left == chunks[-1].overlap_right == 0
    return chunks


LINES = st.one_of(
    st.sampled_from(
        [
            "# Head", "## Unter Kapitel", "### ", "Setext", "===", "---", "", "", "", "   ",
            "- item one", "  continued", "1. first", "* [ ] task", "> quoted words",
            "```py", "```", "~~~", "| a | b |", "|---|---|", "| 1 | 2 |", "x" * 700,
            "Ein Satz. Noch einer! Und? Ja…", "漢字とかな。交じり文！" * 30, "word " * 120,
            "\ufeff", "e\u0301" * 90, "👩‍👩‍👧 " * 40, "%% comment %%", "$$",
            "\t\tcode", "[[A#B|c]] text",
        ]
    ),
    st.text(max_size=40),
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
TEXTS = st.lists(st.tuples(LINES, ENDS), max_size=60).map(lambda ls: "".join(a + b for a, b in ls))


@given(TEXTS, st.sampled_from(BY_NAME))
@example("---\ntitle: x\n---\n", "medium")
@example("# only\n\n## heads\n", "by_heading")
@example("a\n" + "\n" * 5000 + "b", "by_heading")
def test_chunks_join_to_the_body(text: str, profile: str) -> None:
    assert check(text, profile) == check(text, profile)


def test_the_window_begins_with_where_the_text_stands() -> None:
    text = "---\ntags: [river]\n---\n# Locks\n\n## Upper gate\n\n### Opening\n\nTurn twice.\n"
    (chunk,) = check(text)
    assert chunk.window.splitlines()[0] == "guide › Locks › Upper gate › Opening"
    assert "tags" not in chunk.window
    assert (chunk.start_line, chunk.end_line) == (9, 9)
    assert chunk.section_path == "Locks › Upper gate › Opening"


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("---\ntitle: Weirs and locks\n---\n## Gate\n\nx\n", "guide › Weirs and locks › Gate"),
        ("---\ntitle: Guide\n---\nx\n", "guide"),
        ("x\n", "guide"),
        ("# guide\n\nx\n", "guide"),
    ],
)
def test_each_name_stands_once_in_the_context_line(text: str, context: str) -> None:
    assert check(text)[0].window.splitlines()[0] == context


def test_headings_without_content_join_the_next_section_or_the_last() -> None:
    text = "# A\n\n## B\n\nwords\n\n## C\n\n## D\n\nmore\n\n## E\n"
    chunks = check(text, "by_heading")
    assert [chunk.section for chunk in chunks] == [("A", "B"), ("A", "D")]
    assert chunks[1].text == "## C\n\n## D\n\nmore\n\n## E\n"
    assert (chunks[1].start_line, chunks[1].end_line) == (10, 12)


def test_a_note_of_headings_alone_is_one_chunk() -> None:
    (chunk,) = check("# A\n## B\n", "by_heading")
    assert chunk.section == ("A",)
    assert (chunk.start_line, chunk.end_line) == (0, 1)


def test_by_heading_makes_one_chunk_a_section() -> None:
    text = "intro\n\n" + "".join(f"## S{n}\n\n" + "word " * 30 + "\n\n" for n in range(5))
    chunks = check(text, "by_heading")
    assert [chunk.section for chunk in chunks] == [(), *((f"S{n}",) for n in range(5))]
    assert all(chunk.overlap_left == chunk.overlap_right == 0 for chunk in chunks)


def test_by_heading_splits_long_sections_at_2000_characters() -> None:
    text = "# Long\n\n" + "Ein Satz mit Wörtern darin. " * 300
    chunks = check(text, "by_heading")
    assert len(chunks) > 3
    assert all(len(chunk.text) <= 2000 for chunk in chunks)
    assert all(chunk.text.rstrip().endswith("darin.") for chunk in chunks)
    assert {chunk.section for chunk in chunks} == {("Long",)}


def test_small_sections_share_a_chunk_and_its_path_is_what_they_share() -> None:
    text = "# People\n\n## Ann\n\nLeeds.\n\n## Bo\n\nBonn.\n"
    (chunk,) = check(text)
    assert chunk.section == ("People",)
    assert (chunk.start_line, chunk.end_line) == (4, 8)


@pytest.mark.parametrize("profile", ["short", "medium", "long", "default"])
def test_chunks_keep_to_their_profile(profile: str) -> None:
    limit = PROFILES[profile].limit
    chunks = check("Dies ist ein Satz über Flüsse. " * 400, profile)
    assert all(chunk.tokens <= limit for chunk in chunks)
    assert all(chunk.tokens > limit // 2 for chunk in chunks[:-1])


def test_neighbours_windows_share_their_border() -> None:
    text = " ".join(f"word{n}." for n in range(600))
    chunks = check(text, "medium")
    for one, two in pairwise(chunks):
        right = text[one.end : one.end + one.overlap_right]
        left = text[two.start - two.overlap_left : two.start]
        assert (left + right).strip() in one.window
        assert (left + right).strip() in two.window
        assert left.strip().startswith("word")
        assert 20 <= one.overlap_right <= 32 * 12


def test_no_overlap_over_a_heading() -> None:
    text = "# A\n\n" + "alpha " * 200 + "\n\n# B\n\n" + "beta " * 200
    first, second = check(text)
    assert "beta" not in first.window
    assert "alpha" not in second.window


@pytest.mark.parametrize("profile", BY_NAME)
def test_code_and_table_rows_are_cut_between_lines_only(profile: str) -> None:
    code = "".join(f"value_{n} = compute({n}, 'a. b. c.')\n" for n in range(300))
    rows = "".join(f"| row {n} | {'cell ' * 20}|\n" for n in range(120))
    text = f"# T\n\n```py\n{code}```\n\n| a | b |\n|---|---|\n{rows}"
    chunks = check(text, profile)
    assert len(chunks) > 3
    for chunk in chunks[:-1]:
        assert chunk.text.endswith("\n")


def test_an_uncuttable_line_is_kept_whole() -> None:
    text = "```\n" + "x y " * 3000 + "\n```\n"
    assert any("x y " * 3000 in chunk.text for chunk in check(text))


def test_a_table_keeps_its_head_together() -> None:
    text = "word " * 250 + "\n\n| head | er |\n|---|---|\n| 1 | 2 |\n"
    chunks = check(text)
    assert any("| head | er |\n|---|---|\n" in chunk.text for chunk in chunks)


def test_marks_in_code_are_no_headings() -> None:
    chunks = check("```\n# not a heading\n```\n" + "word " * 30, "by_heading")
    assert len(chunks) == 1


def test_cjk_is_cut_at_sentences_and_never_lost() -> None:
    chunks = check("漢字とかなの交じり文です。" * 100)
    assert len(chunks) > 3
    assert all(chunk.text.endswith("。") for chunk in chunks)
    assert all(chunk.tokens <= 256 for chunk in chunks)


def test_a_cut_leaves_combining_characters_together() -> None:
    chunks = check("e\u0301" * 4000)
    assert all(not chunk.text.startswith("\u0301") for chunk in chunks)


def test_crlf_lines_are_file_lines() -> None:
    (chunk,) = check("---\r\na: b\r\n---\r\n# T\r\n\r\nText\r\n")
    assert (chunk.start_line, chunk.end_line) == (5, 5)


@pytest.mark.parametrize(
    "unit",
    ["Ein Satz, der endet. ", "x", "漢", "para\n\n", "# h\n\nb\n\n", "\n", "| a |\n", "- i\n"],
)
def test_large_notes_take_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        text = "# T\n\n" + unit * (size // len(unit)) + "end"
        note = parse_note("guide.md", text)
        begin = time.process_time()
        chunk_note(note, text, PROFILES["medium"])
        return time.process_time() - begin

    small, large = seconds(100_000), seconds(800_000)
    assert large < 40 * max(small, 0.01)
