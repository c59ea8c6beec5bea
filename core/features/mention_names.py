"""Names of notes that stand in a text without being linked.

Exactly as they are written but for letter case, whole words only, the longest first. Names
are prepared once for each state of the vault's names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.features.document import Document
from core.features.prose import Prose, prose_of
from core.function_words import FUNCTION_WORDS
from core.text import fold
from core.vault.names import NameTable
from core.vault.registry import FOLDER_NOTES
from core.vault.spelling import spelled

MIN_LETTERS = 3
MAX_WORDS = 12
"""Longest name, in words, that is looked for."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class Mention(NamedTuple):
    """`start`..`end` of the text is `name`, a name of the note at `path`, in some letter case."""

    start: int
    end: int
    path: str
    name: str


class MentionNames:
    """Titles, file names and aliases by folded name.

    Left out: names of less than three characters, numbers, single function words, names of
    folder notes (`index`), and names that several notes have.
    """

    __slots__ = ("_names", "_plain", "_reach", "table")

    def __init__(self, table: NameTable, stop: Callable[[], bool] = lambda: False) -> None:
        """Some ten milliseconds for 10,000 notes, so not for the event loop. `stop` ends the
        work early, with what is known by then."""
        self.table = table
        """The names that this was made of; other names are another table."""
        self._names: dict[str, tuple[str, str]] = {}
        self._reach: dict[str, int] = {}
        self._plain: dict[str, str | None] | None = None
        several: set[str] = set()
        for number, (key, path, name, _) in enumerate(table.named()):
            if not number % 1024 and stop():
                return
            known = self._names.get(key)
            if known is not None:
                if known[0] != path:
                    several.add(key)
                continue
            if len(key) < MIN_LETTERS or key in FUNCTION_WORDS or key in FOLDER_NOTES:
                continue
            first = _WORD.match(key)
            if first is None or not any(char.isalpha() for char in key):
                continue
            self._names[key] = (path, name)
            words = 1 if first.end() == len(key) else len(_WORD.findall(key))
            if words > self._reach.get(first[0], 0):
                self._reach[first[0]] = words
        for key in several:
            del self._names[key]

    def __len__(self) -> int:
        return len(self._names)

    def same_but_for_spelling(self, name: str) -> str | None:
        """The one note with a name that differs from `name` only in how umlauts, accents,
        dashes, dots and blanks are written; None where there is none or several."""
        if self._plain is None:
            plain: dict[str, str | None] = {}
            for key, path, _, _ in self.table.named():
                spelling = plain_spelling(key)
                plain[spelling] = path if plain.get(spelling, path) == path else None
            self._plain = plain
        return self._plain.get(plain_spelling(fold(name)))

    def mentions(self, document: Document, start: int, end: int) -> Iterator[Mention]:
        """The mentions of other notes between two offsets, in order; none within a link, code,
        frontmatter and the like."""
        prose: Prose | None = None
        for found in self._matches(document, start, end):
            prose = prose or prose_of(document)
            if prose.holds(found.start, found.end):
                yield found

    def _matches(self, document: Document, start: int, end: int) -> Iterator[Mention]:
        text, behind = document.text, -1
        spans = [match.span() for match in _WORD.finditer(text, start, end)]
        for at, (begin, stop) in enumerate(spans):
            if begin < behind:
                continue
            reach = self._reach.get(fold(text[begin:stop]), 0)
            for last in range(min(at + reach, len(spans), at + MAX_WORDS), at, -1):
                written = text[begin : spans[last - 1][1]]
                if "\n" in written or "\r" in written:
                    continue
                found = self._names.get(fold(" ".join(written.split())))
                if found is not None and found[0] != document.path:
                    behind = spans[last - 1][1]
                    yield Mention(begin, behind, *found)
                    break


def plain_spelling(folded: str) -> str:
    """A folded name with umlauts spelled out and accents dropped, marks as single blanks."""
    return " ".join(spelled(folded).split())
