"""All headings of a vault, ready to be searched while somebody types.

One text of folded headings, a line each: looking through it is one search in C. Only the
lines of a changed note are made anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from typing import NamedTuple

from core.features.references import title_heading
from core.model import Note
from core.text import fold
from core.vault.index import VaultIndex
from core.vault.names import EXACT, INSIDE, PREFIX, SCATTERED, WORD, WORDS
from core.vault.spelling import spelled, subsequence, words

_MOST = 1_000
"""Hits of one way that are looked at."""
_LENGTH = 8.0
"""How much a heading loses at most for what is not in the query."""


class HeadingHit(NamedTuple):
    """A heading: its note and its number in it. `score` is 0-100."""

    path: str
    number: int
    score: float


class HeadingTable:
    """Immutable; `updated` gives the next one."""

    __slots__ = ("_lines", "_paths", "_starts", "_text")

    def __init__(self, lines: dict[str, str]) -> None:
        """`lines` are the keys of each note's headings, a line each."""
        self._lines = lines
        self._paths: list[str] = []
        self._starts: list[int] = []
        self._text: str | None = None

    @classmethod
    def of(cls, index: VaultIndex) -> HeadingTable:
        """The table of a whole vault."""
        notes = index.notes.items()
        return cls({path: _lines_of(note) for path, note in notes if note.headings})

    def updated(self, index: VaultIndex, paths: Iterable[str]) -> HeadingTable:
        """The table after the notes at `paths` came, changed or went."""
        lines = self._lines.copy()
        for path in paths:
            note = index.get(path)
            if note is None or not note.headings:
                lines.pop(path, None)
            else:
                lines[path] = _lines_of(note)
        return self if lines == self._lines else HeadingTable(lines)

    def search(self, query: str, limit: int) -> list[HeadingHit]:
        """The headings that fit `query` best, best first, then by path and place: exact, by
        their start, the start of a word, anywhere, all words in any order, and where these
        give nothing letters in their order."""
        wanted = _key(query)
        if not wanted:
            return []
        found: dict[tuple[str, int], float] = {}
        for way in (self._starting, self._containing, self._with_words, self._scattered):
            if way == self._scattered and found:
                break
            for score, at in way(wanted):
                place = self._place(at)
                found[place] = max(score, found.get(place, 0.0))
            if len(found) >= _MOST:
                break
        hits = [HeadingHit(*place, round(score, 2)) for place, score in found.items()]
        return sorted(hits, key=lambda hit: (-hit.score, hit.path, hit.number))[:limit]

    def _starting(self, wanted: str) -> Iterator[tuple[float, int]]:
        text = self._joined()
        for at in islice(_finds(text, f"\n{wanted}"), _MOST):
            yield self._score(PREFIX, wanted, at + 1), at + 1

    def _containing(self, wanted: str) -> Iterator[tuple[float, int]]:
        text = self._joined()
        for at in islice(_finds(text, wanted), _MOST):
            before = text[at - 1]
            way = PREFIX if before == "\n" else INSIDE if before.isalnum() else WORD
            yield self._score(way, wanted, at), at

    def _with_words(self, wanted: str) -> Iterator[tuple[float, int]]:
        parts = words(wanted)
        if len(parts) < 2:
            return
        text = self._joined()
        for at in islice(_finds(text, max(parts, key=len)), _MOST):
            line = text[text.rfind("\n", 0, at) + 1 : text.find("\n", at)]
            if all(part in line for part in parts):
                yield self._score(WORDS, wanted, at), at

    def _scattered(self, wanted: str) -> Iterator[tuple[float, int]]:
        if len(wanted) < 3 or " " in wanted:
            return
        for match in islice(subsequence(wanted).finditer(self._joined()), _MOST):
            spread = match.end() - match.start("first")
            yield SCATTERED * len(wanted) / spread, match.start("first")

    def _score(self, way: float, wanted: str, at: int) -> float:
        text = self._joined()
        length = text.find("\n", at) - text.rfind("\n", 0, at) - 1
        if way == PREFIX and length == len(wanted):
            return EXACT
        return way - _LENGTH * (1.0 - len(wanted) / max(length, len(wanted)))

    def _place(self, at: int) -> tuple[str, int]:
        note = bisect_right(self._starts, at) - 1
        return self._paths[note], self._joined().count("\n", self._starts[note], at)

    def _joined(self) -> str:
        if self._text is None:
            self._paths = sorted(self._lines)
            parts = [self._lines[path] for path in self._paths]
            self._starts = list(accumulate((len(part) + 1 for part in parts), initial=1))
            self._text = "\n".join(("", *parts, ""))
        return self._text


def _lines_of(note: Note) -> str:
    """The heading that is the note's title has an empty line: the note is found by it."""
    title = title_heading(note)
    own = title is not None and title.text == note.title
    return "\n".join("" if h is title and own else _key(h.text) for h in note.headings)


def _key(text: str) -> str:
    return spelled(" ".join(fold(text).split()), punctuation=False)


def _finds(text: str, wanted: str) -> Iterator[int]:
    """Where `wanted` stands, at most once a line."""
    at = text.find(wanted)
    while at >= 0:
        yield at
        end = text.find("\n", at + len(wanted))
        at = text.find(wanted, max(end, at + 1)) if end >= 0 else -1
