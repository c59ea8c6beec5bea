"""What holds for any text whatever."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model import Note
from core.parse import parse_note
from core.parse.places import Places, flatten
from core.text import LineIndex
from tests.core.parse.kit import all_places, parse

PIECES = [
    "[[", "]]", "[", "]", "(", ")", "![", "![[", "|", "#", "^", "`", "``", "```", "~~~", "$",
    "$$", "%%", "<!--", "-->", "<", ">", "\\", "::", ":", "rel:", "rel:a", "[rel:b", "\n", "\n\n",
    "\r\n", "\r", "-", "*", "1.", ">", "[!edge]", "[!note]", "---", "===", "#", "##", "|", "|-|",
    ",", "und", "A.md", "a", "b", "#x", "^id", "\t", ".md", "ä", "🚢", "港", "é", "\u2028", "\x85",
    "\x0c", "\x00", "title:", "tags:", "aliases:", "depends_on:", "'a", "\"", "{{", "[a]:",
    "a.md", "@", "&", "*", "!", "?", "%ff", "%20", "://",
]  # fmt: skip
# the separator itself, and indentation
SPACES = [" ", "    ", "\t", "  "]
texts = st.lists(st.sampled_from(PIECES + SPACES) | st.text(max_size=4), max_size=60).map("".join)
notes = (
    texts
    | texts.map(lambda text: f"---\n{text}")
    | st.tuples(texts, texts).map(lambda pair: f"---\n{pair[0]}\n---\n{pair[1]}")
)


@settings(max_examples=600, deadline=None)
@given(notes)
def test_any_text_parses_and_every_place_is_right(text: str) -> None:
    parse(text)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_any_characters(text: str) -> None:
    parse(text)
    parse(f"---\n{text}\n---\n")


@settings(max_examples=200, deadline=None)
@given(notes)
def test_notes_survive_the_cache(text: str) -> None:
    note = parse_note("x/y.md", text)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(note), type=Note) == note


@settings(max_examples=300, deadline=None)
@given(notes)
def test_line_ends_make_no_difference(text: str) -> None:
    text = flatten(text)
    plain = parse_note("n.md", text)
    dos = parse_note("n.md", text.replace("\n", "\r\n"))
    if plain.frontmatter or dos.frontmatter:
        # YAML knows more line ends than the editors do; what it makes of them may differ
        text = "x" + text
        plain, dos = (parse_note("n.md", t) for t in (text, text.replace("\n", "\r\n")))
    for one, two in zip(all_places(plain), all_places(dos), strict=True):
        assert (one.line, one.col) == (two.line, two.col)
        assert one.raw.replace("\n", "") == two.raw.replace("\r\n", "")


@given(st.text("a\n\rä🚢", max_size=60), st.lists(st.integers(0, 60), max_size=20))
def test_places_in_any_order(text: str, offsets: list[int]) -> None:
    flat = flatten(text)
    lines = LineIndex(text)
    places = Places(flat, ascii_only=text.isascii())
    for offset in offsets:
        offset = min(offset, len(flat))
        line = lines.line_at(offset)
        before = text[lines.start(line) : offset]
        wide8 = len(before.encode()) - len(before)
        wide16 = len(before.encode("utf-16-le")) // 2 - len(before)
        assert places.at(offset) == (line, len(before), wide8, wide16)


@given(st.text(max_size=100))
def test_flat_text_has_the_same_lines(text: str) -> None:
    lines, flat = LineIndex(text), LineIndex(flatten(text))
    assert len(lines) == len(flat)
    assert [lines.start(at) for at in range(len(lines))] == [
        flat.start(at) for at in range(len(flat))
    ]
