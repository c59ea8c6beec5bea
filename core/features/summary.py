"""A few lines of a note's text, safe to be put into other Markdown."""

from __future__ import annotations

import re

from core.features.document import Document
from core.model import Block, Heading, Note, Span
from core.parse.frontmatter import is_null
from core.text import LineIndex

MAX_LINES = 8
MAX_CHARS = 500

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_UNDERLINE = re.compile(r"\s*(?:=+|-+)[ \t]*(?=[\r\n])")
"""The second line of a heading that is underlined."""
_IMAGE = re.compile(r"!(?=\[[^\[\]]*\]\()")
"""An image would be fetched, or shown broken, wherever the text is shown."""
_SUMMARY_KEYS = ("summary", "description", "zusammenfassung", "beschreibung")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z)", re.DOTALL)


def section_span(document: Document, heading: Heading) -> Span:
    """From a heading's line to the next heading that is not below it."""
    start = document.lines.start(heading.line)
    for later in document.note.headings:
        if later.start > heading.start and later.level <= heading.level:
            return Span(start, document.lines.start(later.line))
    return Span(start, len(document.text))


def written_summary(note: Note) -> str:
    """What the note's frontmatter says that it is about, "" if nothing."""
    properties = note.frontmatter.properties if note.frontmatter else ()
    found = {
        prop.key.strip().lower(): " ".join(prop.values[0].text.split())
        for prop in properties
        if len(prop.values) == 1 and not is_null(prop.values[0])
    }
    return next((found[key] for key in _SUMMARY_KEYS if found.get(key)), "")


def excerpt(note: Note, text: str, place: Heading | Block | None = None) -> str:
    """The first lines of the note's text, of a heading's section, or a block's lines.

    Headings at its very start are left out, comments too; a fence that is cut is closed.
    """
    lines = LineIndex(text)
    if isinstance(place, Block):
        body = text[lines.start(place.first_line) : lines.end(place.line)]
        body = body.replace(place.raw, "")
    elif place is not None:
        body = text[lines.end(place.line) : _next_heading(note, place, text)]
        body = _UNDERLINE.sub("", body, count=1) if _UNDERLINE.match(body) else body
    else:
        first = note.headings[0] if note.headings else None
        skip = first is not None and not text[note.body_start : first.start].strip("# \r\n\t")
        start = lines.end(first.line) if first and skip else note.body_start
        body = text[start : start + 8 * MAX_CHARS]
    return _cut(_COMMENT.sub("", body[: 8 * MAX_CHARS]))


def _next_heading(note: Note, heading: Heading, text: str) -> int:
    for later in note.headings:
        if later.start > heading.start and later.level <= heading.level:
            return later.start - later.col
    return len(text)


def _cut(body: str) -> str:
    kept: list[str] = []
    fence, chars, cut = "", 0, False
    for line in re.split(r"\r\n|\n|\r", body.strip()):
        if len(kept) == MAX_LINES or chars + len(line) > MAX_CHARS:
            cut = True
            if not kept:
                kept.append(line[:MAX_CHARS].rstrip())
            break
        chars += len(line)
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[0]
        elif mark and mark[1].startswith(fence.lstrip()) and not line[mark.end() :].strip():
            fence = ""
        elif not fence and line.lstrip().startswith("<"):
            # an HTML block could swallow what comes after it
            line = line.replace("<", "\\<", 1)
        if not fence:
            line = _IMAGE.sub("", line)
        kept.append(line.rstrip())
    while kept and not kept[-1]:
        kept.pop()
    if fence and kept and _FENCE.match(kept[-1]):
        # nothing of it is shown
        kept.pop()
        while kept and not kept[-1]:
            kept.pop()
    elif fence:
        kept.append(fence)
    if cut:
        kept += ["", "…"]
    return "\n".join(kept)
