"""Names of notes that stand in running text without being linked, inflected German ones too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from core.features.document import Document
from core.features.prose import Prose
from core.retrieval.named import MAX_WORDS, NameBook
from core.text import fold

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_WITHIN = re.compile(r"[ \t]*[-–—/&:.,]?[ \t]*\Z|[ \t]*\r?\n[ \t]*\Z")
Common = Callable[[str, str, str], bool]
"""Whether a single word of the text is too common to mean the note at a path; the third is the
word right behind it, "" where a mark or nothing follows."""


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
    common: Common = lambda _word, _path, _next: False,
) -> list[Mention]:
    """The first mention of each other note between two offsets, in the order of the text.

    What is a link, a heading, a tag, code, math, a comment, an address or a table does not
    count; the longest name wins where several begin at one word.
    """
    text = document.text
    prose = Prose(document)
    words = [match.span() for match in _WORD.finditer(text, start, end)]
    found: dict[str, Mention] = {}
    behind = -1
    for at, (begin, stop) in enumerate(words):
        if begin < behind:
            continue
        longest = names.longest(fold(text[begin:stop]))
        if not longest:
            continue
        here = words[at : at + min(longest, MAX_WORDS) + 1]
        for mention in _at(names, document, here, min(longest, MAX_WORDS), common):
            if prose.holds(mention.start, mention.end):
                behind = mention.end
                found.setdefault(mention.path, mention)
                break
    return list(found.values())


def _at(
    names: NameBook,
    document: Document,
    words: list[tuple[int, int]],
    longest: int,
    common: Common,
) -> Iterator[Mention]:
    """Notes named from the first of these words on, by the longest name first."""
    text, begin = document.text, words[0][0]
    ends = [words[0][1]]
    behind_it = text[slice(*words[1])] if len(words) > 1 else ""
    if behind_it and text[words[0][1] : words[1][0]] != " ":
        behind_it = ""
    for (_, before), (behind, end) in pairwise(words[:longest]):
        if not _WITHIN.match(text[before:behind]):
            break
        ends.append(end)
    for end in reversed(ends):
        written = text[begin:end]
        for named in names.find(fold(" ".join(written.split()))):
            if named.path == document.path:
                continue
            if end == ends[0] and common(written, named.path, behind_it):
                continue
            yield Mention(named.path, begin, end, named.exact)
