"""The names of all notes, sorted for completion and searched for what somebody may mean.

Immutable: `updated` gives the next table. Names and paths are kept apart, as a path
would be found again by every name in it. What only a search needs is made at the
first search of a table and not when a note changes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import accumulate, islice
from typing import NamedTuple

from core.model import Note, strip_note_suffix
from core.text import fold
from core.vault.spelling import spelled, subsequence, words

TITLE, STEM, ALIAS, PATH = "title", "stem", "alias", "path"

EXACT, PREFIX, WORD, INSIDE, WORDS, SCATTERED = 100.0, 90.0, 80.0, 70.0, 60.0, 45.0
"""Scores of the ways to match. A longer name loses up to `_LENGTH` of it."""

_LENGTH = 8.0
_KIND_COST = {STEM: 0.0, TITLE: 0.0, ALIAS: 0.5, PATH: 1.0}
_MOST = 2_000
"""Hits of one way that are looked at; more are no help to anybody."""
_FEW = 64
_LEAST_ALIKE = 60.0
_MOVED = 3.0


class Entry(NamedTuple):
    """One name: folded for search, the note's path, the name as written, and what it is."""

    key: str
    path: str
    name: str
    kind: str


class NameHit(NamedTuple):
    """A found name. `score` is 0-100, higher is better."""

    path: str
    name: str
    kind: str
    score: float


class NameTable:
    """Titles, file names, aliases and paths of all notes."""

    __slots__ = ("_names", "_paths")

    def __init__(self, names: Column | None = None, paths: Column | None = None) -> None:
        self._names = names or Column([])
        self._paths = paths or Column([])

    def __len__(self) -> int:
        """Number of names, paths included."""
        return len(self._names.entries) + len(self._paths.entries)

    def named(self) -> Sequence[Entry]:
        """Every name but the paths, sorted. As long as no name changes the table is the same."""
        return self._names.entries

    def named_paths(self) -> Sequence[Entry]:
        """The paths of notes in folders, sorted."""
        return self._paths.entries

    @classmethod
    def of(cls, named: list[Entry], named_paths: list[Entry]) -> NameTable:
        """The table with these names and paths, both sorted."""
        return cls(Column(named), Column(named_paths))

    def updated(self, old: Iterable[Note], new: Iterable[Note]) -> NameTable:
        """The table without the names of `old` notes and with those of `new` ones."""
        old, new = list(old), list(new)
        if [_named(note) for note in old] == [_named(note) for note in new]:
            return self  # as with most keystrokes
        before = {entry for note in old for entry in entries_of(note)}
        after = {entry for note in new for entry in entries_of(note)}
        if before == after:
            return self
        return NameTable(
            self._names.updated(
                {entry for entry in before if entry.kind != PATH},
                {entry for entry in after if entry.kind != PATH},
            ),
            self._paths.updated(
                {entry for entry in before if entry.kind == PATH},
                {entry for entry in after if entry.kind == PATH},
            ),
        )

    def search(self, query: str, limit: int = 50, enough: int = 0) -> list[NameHit]:
        """The names that fit `query` best, best first; equal ones by name and path.

        Exact, prefix, start of a word, anywhere, all words in any order, and where these
        give too few also letters in order. A query with `/` is looked for in paths too.
        "" gives the first names. Worse ways to match are tried until there are `enough` hits
        (default: `limit`).
        """
        wanted = searched(query)
        columns = (self._names, self._paths) if "/" in wanted else (self._names,)
        return best_hits((hit for c in columns for hit in c.search(wanted, enough or limit)), limit)

    def by_path(self, query: str, limit: int) -> list[NameHit]:
        """The notes whose folders and file name fit `query`, best first."""
        return best_hits(self._paths.search(searched(query), limit), limit)

    def nearest(self, name: str, limit: int = 5) -> list[NameHit]:
        """The names most like `name`, for mending a link that resolves to nothing.

        Compared by edit distance, also with the words sorted, after umlauts and accents
        are spelled out and dashes, dots and underscores taken for blanks. One hit a note.
        """
        found: dict[str, NameHit] = {}
        for score, entry in self._nearest(name, limit * 4):
            known = found.get(entry.path)
            hit = NameHit(entry.path, entry.name, entry.kind, round(score, 2))
            if known is None or _order(hit) < _order(known):
                found[entry.path] = hit
        return nsmallest(limit, found.values(), key=_order)

    def _nearest(self, name: str, limit: int) -> Iterator[tuple[float, Entry]]:
        folder, _, last = name.rpartition("/")
        if folder:
            yield from self._paths.nearest(name, limit)
            # a note that was moved to another folder is like none of the paths
            for score, entry in self._names.nearest(last, limit):
                yield score - _MOVED, entry
        else:
            yield from self._names.nearest(name, limit)


class Column:
    """Sorted names, and what searching them needs, made when it is first asked for."""

    __slots__ = ("_plain", "_starts", "_text", "entries")

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        self._text: str | None = None
        self._starts: list[int] = []
        self._plain: list[str] | None = None

    def updated(self, before: set[Entry], after: set[Entry]) -> Column:
        """The names without `before` and with `after`."""
        gone, come = before - after, after - before
        if not gone and not come:
            return self
        if len(gone) + len(come) > _FEW:
            return Column(sorted((set(self.entries) - gone) | come))
        entries = self.entries.copy()
        for entry in gone:
            del entries[bisect_left(entries, entry)]
        for entry in come:
            insort(entries, entry)
        return Column(entries)

    def search(self, wanted: str, enough: int) -> Iterator[tuple[float, Entry]]:
        """Scores and entries for a folded query, best way to match first, until `enough`."""
        seen: set[int] = set()
        for way in (self._prefixed, self._containing, self._with_words, self._scattered):
            for score, at in way(wanted):
                if at not in seen:
                    seen.add(at)
                    yield score, self.entries[at]
            if len(seen) >= enough:
                return

    def nearest(self, name: str, limit: int) -> Iterator[tuple[float, Entry]]:
        from rapidfuzz import fuzz, process

        if self._plain is None:
            self._plain = spelled(self._joined()).split("\n")[1:-1]
        wanted = spelled(fold(name))
        for scorer, cost in ((fuzz.ratio, 0.0), (fuzz.token_sort_ratio, 2.0)):
            for _, score, at in process.extract(
                wanted, self._plain, scorer=scorer, limit=limit, score_cutoff=_LEAST_ALIKE
            ):
                entry = self.entries[at]
                yield score - cost - _KIND_COST[entry.kind], entry

    def _prefixed(self, wanted: str) -> Iterator[tuple[float, int]]:
        entries = self.entries
        at = bisect_left(entries, (wanted,))
        end = min(len(entries), at + _MOST)
        while at < end and (key := entries[at].key).startswith(wanted):
            yield (EXACT if key == wanted else _score(PREFIX, wanted, key)), at
            at += 1

    def _containing(self, wanted: str) -> Iterator[tuple[float, int]]:
        if not wanted:
            return
        text, left = self._joined(), _MOST
        found = text.find(wanted)
        while found >= 0 and left:
            at = bisect_right(self._starts, found) - 1
            way = INSIDE if text[found - 1].isalnum() else WORD
            yield _score(way, wanted, self.entries[at].key), at
            left -= 1
            found = text.find(wanted, self._starts[at + 1] - 1)

    def _with_words(self, wanted: str) -> Iterator[tuple[float, int]]:
        parts = words(wanted)
        if len(parts) < 2:
            return
        longest = max(parts, key=len)
        for _, at in self._containing(longest):
            key = self.entries[at].key
            if all(part in key for part in parts):
                yield _score(WORDS, wanted, key), at

    def _scattered(self, wanted: str) -> Iterator[tuple[float, int]]:
        if len(wanted) < 2:
            return
        pattern = subsequence(wanted)
        for match in islice(pattern.finditer(self._joined()), _MOST):
            at = bisect_right(self._starts, match.start("first")) - 1
            spread = match.end() - match.start("first")
            yield SCATTERED * len(wanted) / spread, at

    def _joined(self) -> str:
        """All keys, each between line ends."""
        if self._text is None:
            keys = [entry.key for entry in self.entries]
            self._starts = list(accumulate((len(key) + 1 for key in keys), initial=1))
            self._text = "\n".join(("", *keys, ""))
        return self._text


def entries_of(note: Note) -> list[Entry]:
    """The different names of a note, each once; those with umlauts also spelled out."""
    found: dict[str, Entry] = {}
    names = [(note.stem, STEM), (note.title, TITLE)]
    names += [(alias, ALIAS) for alias in note.aliases]
    if "/" in note.path:
        names.append((strip_note_suffix(note.path), PATH))
    for name, kind in names:
        key = " ".join(fold(name).split())
        if key and key not in found:
            found[key] = Entry(key, note.path, name, kind)
            if not key.isascii() and (plain := spelled(key, punctuation=False)) not in found:
                found[plain] = Entry(plain, note.path, name, kind)
    return list(found.values())


def _named(note: Note) -> tuple[str, str, tuple[str, ...]]:
    """What the names of a note come from."""
    return note.path, note.title, note.aliases


def searched(query: str) -> str:
    """A query as names are searched for it: folded, single blanks."""
    return " ".join(fold(query).split())


def best_hits(found: Iterable[tuple[float, Entry]], limit: int) -> list[NameHit]:
    """The best `limit` of what columns found, each name of a note once, best first."""
    best: dict[tuple[str, str], tuple[float, int, str, str, str]] = {}
    for score, entry in found:
        _, path, name, kind = entry
        cost = _KIND_COST.get(kind, 0.0) - score
        known = best.get((path, name))
        if known is None or cost < known[0]:
            best[path, name] = (cost, len(name), name, path, kind)
    ranked = nsmallest(limit, best.values())
    return [NameHit(path, name, kind, round(-cost, 2)) for cost, _, name, path, kind in ranked]


def _score(way: float, wanted: str, key: str) -> float:
    return way - _LENGTH * (1.0 - len(wanted) / max(len(key), len(wanted)))


def _order(hit: NameHit) -> tuple[float, int, str, str]:
    return (-hit.score, len(hit.name), hit.name, hit.path)
