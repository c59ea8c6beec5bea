"""Where a text is running text, in which a name is a mention and a link can be made."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from core.features.document import Document
from core.features.surroundings import DELIMITER_ROW
from core.model import Note, Place
from core.parse.places import flatten
from core.parse.scan import Body

_NOT_PROSE = re.compile(
    r"!?\[[^\]\n]*\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^()\n]*\)"
    r"|\[\[[^\]\n]*\]\]|\[[^\]\n]*\]\[[^\]\n]*\]|\[[^\]\n]*\](?=:)"
    r"|<[/A-Za-z][^<>\n]*>"
    r"|\b[A-Za-z][A-Za-z0-9+.-]*://\S+|\bwww\.\S+|\S+@\S+\.\w+"
    r"|[^\s()]*[\\/][^\s()]*\.[A-Za-z]{1,5}\b"
)
"""Links of any form, HTML tags, addresses, paths of files."""

_KEPT = 8
_known: dict[int, tuple[Note, Prose]] = {}
"""Keyed by identity, which holds while the note is kept here."""


def prose_of(document: Document) -> Prose:
    """The prose of a document, headings and tables with it; kept for the notes asked for last,
    as a cursor moves within one text."""
    known = _known.get(id(document.note))
    if known is not None and known[0] is document.note:
        return known[1]
    prose = Prose(document, headings=True, tables=True)
    if len(_known) >= _KEPT:
        _known.clear()
    _known[id(document.note)] = document.note, prose
    return prose


class Prose:
    """Which parts of a text are running text and nothing else.

    No links, tags, code, comments, math, HTML, addresses and paths of files. Headings but
    for the title, and tables, count only where asked for.
    """

    def __init__(self, document: Document, *, headings: bool = False, tables: bool = False) -> None:
        note, text = document.note, document.text
        flat = flatten(text)
        places: list[Place] = [
            *note.links, *note.tags, *note.blocks, *note.kinds, *note.fields, *note.callouts,
        ]  # fmt: skip
        if not headings:
            places += note.headings
        else:  # a link in it would change the name of the note
            places += [heading for heading in note.headings[:1] if heading.level == 1]
        spans = [(place.start, place.end) for place in places]
        spans += Body(flat, note.body_start).regions.dead
        spans += (match.span() for match in _NOT_PROSE.finditer(flat, note.body_start))
        if not tables:
            spans += _tables(document)
        spans.sort()
        self._starts = [start for start, _ in spans]
        self._reach = list(accumulate((end for _, end in spans), max))
        """The furthest end of all spans up to one, as spans may lie in each other."""
        self._text = text
        self._begin = note.body_start

    def holds(self, start: int, end: int) -> bool:
        """Whether nothing else stands there, and a link over it would be one."""
        if start < self._begin:
            return False
        at = bisect_right(self._starts, end - 1) - 1
        if at >= 0 and self._reach[at] > start:
            return False
        return self._text[start - 1 : start] not in ("[", "\\") and self._text[end : end + 1] != "]"


def _tables(document: Document) -> Iterator[tuple[int, int]]:
    """Lines of tables: those that begin with a pipe, and those around a delimiter row."""
    if "|" not in document.text:
        return
    lines = document.lines
    inside = False
    for number in range(document.note.body_line, len(lines)):
        row = lines.line(number)
        if "|" not in row:
            inside = False
            continue
        if DELIMITER_ROW.match(row):
            inside = True
            if number > document.note.body_line:
                yield lines.start(number - 1), lines.end(number - 1)
        if inside or row.lstrip(" >\t").startswith("|"):
            yield lines.start(number), lines.end(number)
