"""The names that a text may mention: a table for looking up every phrase of a long note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.model import Note
from core.text import fold
from core.vault.registry import FOLDER_NOTES

MIN_LETTERS = 4
"""Shorter names are found by chance too often."""
MIN_INFLECTED = 6
"""Shorter names are not looked for in inflected forms: “Thomas” is not Thoma's."""
MAX_WORDS = 6
"""Longest name, in words, that is looked for."""

_HEAD = 4
_FIRST = re.compile(r"[^\W_]+")
_OUTER = " \t.,;:!?…\"'„“”‚‘’«»()[]{}*_~–—-"
_ENDINGS = ("es", "en", "er", "em", "s", "n", "e")
"""Endings of German (and English plural) inflection, longest first."""
_PLURALS = ("en", "n", "s")


class Named(NamedTuple):
    """The note that a phrase names; `written` is the name in the note's own spelling."""

    path: str
    written: str
    exact: bool


class NameBook:
    """Titles, file names and aliases of notes by folded name.

    A name that two notes have names none of them; a file name or title goes before an
    alias. Built once for each state of the vault.
    """

    def __init__(self, notes: Iterable[Note]) -> None:
        self._names: dict[str, tuple[int, str, str]] = {}
        self._heads: dict[str, int] = {}
        ambiguous: set[tuple[str, int]] = set()
        for note in notes:
            for rank, name in _names_of(note):
                key = fold(name).strip(_OUTER)
                if len(key) < MIN_LETTERS or key.isdigit():
                    continue
                known = self._names.get(key)
                if known is None or rank < known[0]:
                    self._names[key] = (rank, note.path, name)
                elif rank == known[0] and note.path != known[1]:
                    ambiguous.add((key, rank))
        for key, rank in ambiguous:
            if self._names[key][0] == rank:
                del self._names[key]
        for key in self._names:
            head = _head(_FIRST.match(key))
            self._heads[head] = max(self._heads.get(head, 0), min(_length(key), MAX_WORDS))

    def longest(self, word: str) -> int:
        """How many words the longest name has that may begin with this folded word."""
        # an inflected form differs from its name only at the end
        return self._heads.get(word[:_HEAD], 0)

    def find(self, phrase: str) -> Iterator[Named]:
        """Notes that a folded phrase names, the exact name before inflected ones."""
        for key, exact in _forms(phrase):
            if found := self._names.get(key):
                yield Named(found[1], found[2], exact)


def _names_of(note: Note) -> Iterator[tuple[int, str]]:
    yield 0, note.title
    if fold(note.stem) not in FOLDER_NOTES:
        yield 0, note.stem
    for alias in note.aliases:
        yield 1, alias


def _forms(phrase: str) -> Iterator[tuple[str, bool]]:
    """The phrase, and what it may be an inflected form of."""
    yield phrase, True
    for ending in _ENDINGS:
        if phrase.endswith(ending) and len(phrase) - len(ending) >= MIN_INFLECTED:
            yield phrase[: -len(ending)], False
    if len(phrase) >= MIN_INFLECTED and phrase[-1].isalpha():
        for ending in _PLURALS:
            yield phrase + ending, False


def _head(first: re.Match[str] | None) -> str:
    return first[0][:_HEAD] if first else ""


def _length(key: str) -> int:
    """An upper bound of the words of a name, as a text is cut into words."""
    return 1 + sum(not char.isalnum() for char in key)
