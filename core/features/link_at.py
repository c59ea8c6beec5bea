"""The link under a cursor, and the line and prose around it, for actions that rewrite it."""

from __future__ import annotations

import re

from core.features.document import Document
from core.features.prose import Prose
from core.features.surroundings import in_table
from core.model import FRONTMATTER, MDLINK, WIKILINK, Link, Span
from core.vault.candidates import Resolution

_LEAD = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?\Z")
_BOUNDARY = re.compile(r"[ \t]*(?:\Z|>|#{1,6}(?:[ \t]|\Z)|(?:[-*+]|\d{1,9}[.)])[ \t]|```|~~~|\|)")
_REL = re.compile(r"[ \t]*rel:[ \t]*[^\W\d][\w-]*[ \t]")


def link_at(document: Document, span: Span) -> Link | None:
    """The innermost wikilink or Markdown link of the body that holds the whole selection."""
    holding = [
        link
        for link in document.note.links
        if link.start <= span.start and span.end <= link.end
        if link.origin != FRONTMATTER and link.form in (WIKILINK, MDLINK)
    ]
    return min(holding, key=lambda link: len(link.raw), default=None)


def shown_text(link: Link, found: Resolution) -> str:
    """What a reader sees of a link; "" where it has nothing that can stand for it."""
    if link.alias or link.form == MDLINK:
        return link.alias or ""
    if found.is_whole:
        return link.raw[link.target_at : link.anchor_end]
    if link.heading and link.block is None:
        return f"{link.target} > {link.heading}" if link.target else link.heading
    return link.target


def relation_prefix(link: Link) -> tuple[int, int] | None:
    """Where in `link.raw` its `rel:kind ` stands, None where it has none within its brackets."""
    at = 3 if link.embed else 2
    found = _REL.match(link.raw, at) if link.form == WIKILINK else None
    return (at, found.end()) if found else None


def bare(link: Link) -> str:
    """The link without a relation in its brackets."""
    prefix = relation_prefix(link)
    return link.raw if prefix is None else link.raw[: prefix[0]] + link.raw[prefix[1] :]


def is_alone(document: Document, start: int, end: int) -> bool:
    """Whether nothing else stands in the line, a list mark aside."""
    line = document.lines.line_at(start)
    before = document.text[document.lines.start(line) : start]
    after = document.text[end : document.lines.end(line)]
    return bool(_LEAD.match(before)) and not after.strip()


def in_running_text(document: Document, link: Link) -> bool:
    """Whether a line can be added below the paragraph of the link: it is in no table, quote or
    heading."""
    line = document.lines.line(link.line)
    if line.lstrip().startswith((">", "#")) or in_table(document.lines, link.line):
        return False
    return all(heading.line != link.line for heading in document.note.headings)


def paragraph_end(document: Document, line: int) -> int:
    """Offset behind the last line of the paragraph or list item at `line`."""
    lines = document.lines
    while line + 1 < len(lines) and not _BOUNDARY.match(lines.line(line + 1)):
        line += 1
    return lines.end(line)


def paragraph_start(document: Document, line: int) -> int:
    """Number of the first line of the paragraph or list item at `line`."""
    lines = document.lines
    while line > 0 and not _BOUNDARY.match(lines.line(line)) and lines.line(line - 1).strip():
        line -= 1
    return line


def continuation(document: Document, line: int) -> str:
    """The blanks that a line needs to belong to the paragraph or list item at `line`."""
    first = document.lines.line(paragraph_start(document, line))
    found = re.match(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?", first)
    return re.sub(r"[^ \t]", " ", found[0]) if found else ""


def whole_line(document: Document, line: int) -> Span:
    """A line with its line end, and with one of two blank lines around it."""
    lines = document.lines
    start, end = lines.start(line), lines.start(line + 1)
    blank_above = line == 0 or not lines.line(line - 1).strip()
    if blank_above and line + 1 < len(lines) - 1 and not lines.line(line + 1).strip():
        end = lines.start(line + 2)
    elif end == len(document.text) and end == lines.end(line) and line:
        start = lines.end(line - 1)  # the last line has no end of its own
    return Span(start, end)


def mention_of(document: Document, text: str, start: int, end: int) -> Span | None:
    """Where the body first says `text` as words, between two offsets."""
    if not text.strip():
        return None
    prose = Prose(document)
    pattern = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    for found in pattern.finditer(document.text, start, end):
        if prose.holds(found.start(), found.end()):
            return Span(found.start(), found.end())
    return None
