"""Names of notes that stand in running text without being linked, inflected German ones too."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from core.features.document import Document
from core.features.surroundings import DELIMITER_ROW
from core.model import Place
from core.parse.places import flatten
from core.parse.scan import Body
from core.retrieval.named import MAX_WORDS, NameBook
from core.text import fold

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_WITHIN = re.compile(r"[ \t]*[-–—/&:.,]?[ \t]*\Z|[ \t]*\r?\n[ \t]*\Z")
_NOT_PROSE = re.compile(
    r"!?\[[^\]\n]*\]\((?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^()\n]*\)"
    r"|\[\[[^\]\n]*\]\]|\[[^\]\n]*\]\[[^\]\n]*\]|\[[^\]\n]*\](?=:)"
    r"|<[/A-Za-z][^<>\n]*>"
    r"|\b[A-Za-z][A-Za-z0-9+.-]*://\S+|\bwww\.\S+|\S+@\S+\.\w+"
    r"|[^\s()]*[\\/][^\s()]*\.[A-Za-z]{1,5}\b"
)
"""Links of any form, HTML tags, addresses, paths of files."""

Common = Callable[[str, str], bool]
"""Whether a single word of the text is too common to mean the note at a path."""


class Mention(NamedTuple):
    """`start`..`end` in the text name the note at `path`; `exact` unless inflected."""

    path: str
    start: int
    end: int
    exact: bool


def mentions(
    names: NameBook,
    document: Document,
    start: int,
    end: int,
    common: Common = lambda _word, _path: False,
) -> list[Mention]:
    """The first mention of each other note between two offsets, in the order of the text.

    What is a link, a heading, a tag, code, math, a comment, an address or a table does not
    count; the longest name wins where several begin at one word.
    """
    text = document.text
    prose = _Prose(document)
    words = [match.span() for match in _WORD.finditer(text, start, end)]
    found: dict[str, Mention] = {}
    behind = -1
    for at, (begin, stop) in enumerate(words):
        if begin < behind:
            continue
        longest = names.longest(fold(text[begin:stop]))
        if not longest:
            continue
        for mention in _at(names, document, words[at : at + min(longest, MAX_WORDS)], common):
            if prose.holds(mention.start, mention.end):
                behind = mention.end
                found.setdefault(mention.path, mention)
                break
    return list(found.values())


def _at(
    names: NameBook, document: Document, words: list[tuple[int, int]], common: Common
) -> Iterator[Mention]:
    """Notes named from the first of these words on, by the longest name first."""
    text, begin = document.text, words[0][0]
    ends = [words[0][1]]
    for (_, before), (behind, end) in pairwise(words):
        if not _WITHIN.match(text[before:behind]):
            break
        ends.append(end)
    for end in reversed(ends):
        written = text[begin:end]
        for named in names.find(fold(" ".join(written.split()))):
            if named.path == document.path:
                continue
            if end == ends[0] and common(written, named.path):
                continue
            yield Mention(named.path, begin, end, named.exact)


class _Prose:
    """Which parts of a text are running text and nothing else."""

    def __init__(self, document: Document) -> None:
        note, text = document.note, document.text
        flat = flatten(text)
        places: list[Place] = [
            *note.links, *note.headings, *note.tags, *note.blocks, *note.kinds, *note.fields,
            *note.callouts,
        ]  # fmt: skip
        spans = [(place.start, place.end) for place in places]
        spans += Body(flat, note.body_start).regions.dead
        spans += (match.span() for match in _NOT_PROSE.finditer(flat, note.body_start))
        spans += _tables(document)
        spans.sort()
        self._starts = [start for start, _ in spans]
        self._reach = list(accumulate((end for _, end in spans), max))
        """The furthest end of all spans up to one, as spans may lie in each other."""
        self._text = text

    def holds(self, start: int, end: int) -> bool:
        """Whether nothing else stands there, and a link over it would be one."""
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
