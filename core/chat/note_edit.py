"""Putting values into a note's text: frontmatter keys and sections. Everything else stays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from core.model import Heading, Note, Property
from core.parse import parse_note
from core.parse.frontmatter import is_null
from core.text import LineIndex, fold

_EMPTY_LINE = re.compile(r"\s*(?:[-*+](?:[ \t]+\[.\])?|\d+[.)]|>)?\s*")
"""A line in which nothing is said: a bullet or a check box that waits for text."""


def property_of(note: Note, key: str) -> Property | None:
    """The frontmatter property of a key, None where the note has none."""
    found = note.frontmatter.properties if note.frontmatter else ()
    return next((prop for prop in found if fold(prop.key) == fold(key)), None)


def has_property(note: Note, key: str) -> bool:
    """Whether a key has a value."""
    prop = property_of(note, key)
    if prop is None:
        return False
    return prop.nested or any(not is_null(value) and value.text.strip() for value in prop.values)


def with_property(text: str, key: str, lines: Sequence[str]) -> str:
    """The text with a key in its frontmatter, as these lines of YAML, in the place of what it
    had; the frontmatter is made where there is none. Line ends are those of the text."""
    eol = LineIndex(text).eol
    note = parse_note("draft.md", text)
    if note.frontmatter is None:
        return eol.join(["---", *lines, "---", "", text])
    own = re.split(r"\r\n|\n|\r", text)
    prop = property_of(note, key)
    if prop is not None:
        own[prop.line : max(prop.last_line, prop.line) + 1] = lines
    else:
        own[note.frontmatter.end_line : note.frontmatter.end_line] = lines
    return eol.join(own)


def section_of(note: Note, names: Iterable[str]) -> Heading | None:
    """The first heading below the title that has one of these names."""
    wanted = {fold(name) for name in names if name}
    return next((h for h in note.headings if fold(h.text).rstrip(":?") in wanted
                 or fold(h.text) in wanted), None)  # fmt: skip


def section_lines(note: Note, text: str, heading: Heading) -> tuple[int, int]:
    """The lines below a heading, up to the next one of its level or above: `(start, end)`."""
    later = (h.line for h in note.headings if h.line > heading.line and h.level <= heading.level)
    return heading.line + 1, next(later, len(LineIndex(text)))


def has_section(note: Note, text: str, names: Iterable[str]) -> bool:
    """Whether something is said below a heading of one of these names."""
    heading = section_of(note, names)
    if heading is None:
        return False
    start, end = section_lines(note, text, heading)
    lines = LineIndex(text)
    return any(not _EMPTY_LINE.fullmatch(lines.line(number)) for number in range(start, end))


def with_section(text: str, names: Sequence[str], title: str, value: str) -> str:
    """The text with a value below a heading of one of these names: in the place of nothing,
    behind what is there, or below a new heading `title` at the end."""
    eol = LineIndex(text).eol
    value = eol.join(re.split(r"\r\n|\n|\r", value.strip()))
    note = parse_note("draft.md", text)
    heading = section_of(note, names)
    if heading is None:
        return f"{text.rstrip()}{eol}{eol}## {title}{eol}{eol}{value}{eol}"
    start, end = section_lines(note, text, heading)
    own = re.split(r"\r\n|\n|\r", text)
    said = own[start:end]
    if all(_EMPTY_LINE.fullmatch(line) for line in said):
        said = []
    while said and not said[-1].strip():
        said.pop()
    behind = own[end:]
    gap = [""] if behind else []
    own[start:] = [*said, "", value, *gap, *behind]
    return eol.join(own).rstrip() + eol
