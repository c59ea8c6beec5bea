"""Names of notes that stand in running text without being linked, inflected German ones too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.features.document import Document
from core.features.surroundings import in_code, in_table
from core.model import Place
from core.text import fold
from core.vault.index import VaultIndex

MAX_WORDS = 6
"""Longest name, in words, that is looked for."""
MIN_LETTERS = 4
"""Shorter names are found by chance too often."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_WITHIN = re.compile(r"[ \t]*[-–/&:.]?[ \t]*\Z|[ \t]*\n[ \t]*\Z")
_ENDINGS = ("es", "en", "er", "em", "s", "n", "e")
"""Endings of German (and English plural) inflection, longest first."""


class Mention(NamedTuple):
    """`start`..`end` in the text name the note at `path`; `exact` unless inflected."""

    path: str
    start: int
    end: int
    exact: bool


def mentions(index: VaultIndex, document: Document, start: int, end: int) -> list[Mention]:
    """The first mention of each other note between two offsets, in the order of the text.

    What is a link, a heading, a tag, code or a table already does not count; the
    longest name wins where several begin at one word.
    """
    taken = _Taken(document)
    words = [
        match.span()
        for match in _WORD.finditer(document.text, start, end)
        if taken.free(*match.span())
    ]
    found: dict[str, Mention] = {}
    behind = -1
    for at, (begin, _) in enumerate(words):
        if begin < behind:
            continue
        mention = next(_at(index, document, words, at), None)
        if mention is None or not _is_prose(document, mention.start):
            continue
        behind = mention.end
        found.setdefault(mention.path, mention)
    return list(found.values())


def _at(
    index: VaultIndex, document: Document, words: list[tuple[int, int]], at: int
) -> Iterator[Mention]:
    """Notes named from the word at `at` on, by the longest name first."""
    begin = words[at][0]
    ends = [words[at][1]]
    for (_, before), (behind, end) in zip(words[at:], words[at + 1 : at + MAX_WORDS], strict=False):
        if not _WITHIN.match(document.text[before:behind]):
            break
        ends.append(end)
    for end in reversed(ends):
        phrase = " ".join(document.text[begin:end].split())
        if len(phrase) < MIN_LETTERS or phrase.isdigit():
            continue
        for name, exact in _forms(phrase):
            path = index.resolve_name(name, document.path).path
            if path is not None and path != document.path and _is_name(index, path, name):
                yield Mention(path, begin, end, exact)


def _forms(phrase: str) -> Iterator[tuple[str, bool]]:
    """The phrase, and what it may be an inflected form of."""
    yield phrase, True
    for ending in _ENDINGS:
        if phrase.endswith(ending) and len(phrase) - len(ending) >= MIN_LETTERS:
            yield phrase[: -len(ending)], False
    if phrase[-1].isalpha():
        for ending in ("en", "n", "s"):
            yield phrase + ending, False


def _is_name(index: VaultIndex, path: str, name: str) -> bool:
    """Whether a note is really called so: a path or an id in running text is no mention."""
    note = index.notes[path]
    wanted = fold(name)
    return any(fold(own) == wanted for own in (note.title, note.stem, *note.aliases))


def _is_prose(document: Document, offset: int) -> bool:
    return not in_code(document, offset) and not in_table(
        document.lines, document.lines.line_at(offset)
    )


class _Taken:
    """What parts of the text are something else already."""

    def __init__(self, document: Document) -> None:
        note = document.note
        places: list[Place] = [*note.links, *note.headings, *note.tags, *note.blocks, *note.kinds]
        self._spans = sorted((place.start, place.end) for place in places)
        self._next = 0

    def free(self, start: int, end: int) -> bool:
        """Whether nothing stands there; to be asked in ascending order."""
        while self._next < len(self._spans) and self._spans[self._next][1] <= start:
            self._next += 1
        return self._next >= len(self._spans) or self._spans[self._next][0] >= end
