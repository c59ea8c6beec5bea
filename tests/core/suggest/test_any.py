"""What holds for any text, any edit and any vault."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.features.document import Document
from core.features.suggested import FORMS, Shift, Suggested, write
from core.model import Span
from core.parse import parse_note
from core.suggest.company import company
from core.vault.index import VaultIndex

EXAMPLE = Path(__file__).parents[3] / "examples" / "vault"
LETTERS, GONE, CAME = (st.text(alphabet=some, max_size=12) for some in ("ab \n", "cd", "ef"))
PIECES = [
    "# T", "words here", "- item", "  - deeper", "> quote", "> [!edge]", "> supports: [[a]]", "```",
    "code", "| a | b |", "|---|---|", "---", "", "## See also", "- [[a]]", "%%",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=9).map("\n".join)


@given(head=LETTERS, old=GONE, new=CAME, tail=LETTERS, data=st.data())
def test_a_span_that_was_not_touched_keeps_its_letters(
    head: str, old: str, new: str, tail: str, data: st.DataObject
) -> None:
    before, after = head + old + tail, head + new + tail
    start = data.draw(st.integers(0, len(before)))
    end = data.draw(st.integers(start, len(before)))
    shift = Shift(before, after)
    found, around = shift.span(Span(start, end)), shift.around(Span(start, end))
    assert 0 <= around.start <= around.end <= len(after)
    assert 0 <= shift.end <= len(after)
    if found is not None:
        assert after[found.start : found.end] == before[start:end]
    elif end <= len(head) or start >= len(head) + len(old):
        raise AssertionError("nobody touched it")


@given(text=TEXTS, form=st.sampled_from((None, *FORMS)), line=st.integers(0, 9), eol=st.booleans())
def test_an_edit_adds_one_edge_and_takes_nothing(
    text: str, form: str | None, line: int, eol: bool
) -> None:
    """In any form, about any line: the rest of the text stays, and the target is linked, unless
    the note ends within code or a comment."""
    text = text.replace("\n", "\r\n") if eol else text
    notes = [parse_note("open.md", text), parse_note("wheel.md", "# Wheel"), parse_note("a.md", "")]
    index, document = VaultIndex.build(notes), Document.of(notes[0], text)
    at = document.lines.start(min(line, len(document.lines) - 1))
    about = Span(at, len(text)) if at < len(text) else None
    one = Suggested("wheel.md", index.note_id("wheel.md"), "Wheel", "depends_on", 0.9, (), about)
    found = write(index, document, one, form)  # type: ignore[arg-type]
    assert found.start == found.end
    edited = text[: found.start] + found.new_text + text[found.end :]
    after = index.update([parse_note("open.md", edited)])
    if any(link.target == "probe" for link in parse_note("x.md", f"{text}\n\n[[probe]]").links):
        assert "wheel.md" in after.targets("open.md"), edited
    links = [link.raw for link in notes[0].links]
    kept = [link.raw for link in after.notes["open.md"].links if "wheel" not in link.raw]
    assert kept == links


@pytest.fixture(scope="module")
def example() -> VaultIndex:
    files = sorted(EXAMPLE.rglob("*.md"))
    return VaultIndex.build(
        parse_note(file.relative_to(EXAMPLE).as_posix(), file.read_text("utf-8")) for file in files
    )


def test_company_is_what_the_graph_says(example: VaultIndex) -> None:
    pairs = 0
    for path in example.paths:
        mine = {one for one in example.targets(path) if one}
        for other, found in company(example, path).items():
            pairs += 1
            theirs = {one for one in example.targets(other) if one}
            assert other != path
            assert set(found.shared) <= mine & theirs
            assert set(found.citing) <= set(example.sources(path)) & set(example.sources(other))
            assert len(set(found.shared) | set(found.citing)) >= 2
            assert 0 < found.score <= 1
            assert company(example, other)[path].shared == found.shared
    assert pairs > 10
