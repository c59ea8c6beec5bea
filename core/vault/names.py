"""The names of all notes, sorted for completion and searched for what somebody may mean."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from typing import NamedTuple

from core.model import Note, strip_note_suffix
from core.text import fold

TITLE, STEM, ALIAS, PATH = "title", "stem", "alias", "path"


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
    """Immutable; `updated` gives the next one."""

    __slots__ = ("_entries",)

    def __init__(self, entries: list[Entry] | None = None) -> None:
        self._entries = entries or []

    def __len__(self) -> int:
        return len(self._entries)

    def updated(self, old: Iterable[Note], new: Iterable[Note]) -> NameTable:
        """The table without the names of `old` notes and with those of `new` ones."""
        before = {entry for note in old for entry in entries_of(note)}
        after = {entry for note in new for entry in entries_of(note)}
        gone, come = before - after, after - before
        if not gone and not come:
            return self
        if len(gone) + len(come) > 64:
            return NameTable(sorted((set(self._entries) - gone) | come))
        entries = self._entries.copy()
        for entry in gone:
            del entries[bisect_left(entries, entry)]
        for entry in come:
            insort(entries, entry)
        return NameTable(entries)

    def search(self, query: str, limit: int = 50) -> list[NameHit]:
        """The names that fit `query` best, best first."""
        wanted = fold(query)
        hits: list[NameHit] = []
        for key, path, name, kind in self._entries:
            at = key.find(wanted)
            if at >= 0:
                hits.append(NameHit(path, name, kind, 100.0 if at == 0 else 80.0))
        hits.sort(key=lambda hit: (-hit.score, len(hit.name), hit.name, hit.path))
        return hits[:limit]


def entries_of(note: Note) -> list[Entry]:
    """The different names of a note, each once."""
    found: dict[str, Entry] = {}
    names = [(note.stem, STEM), (note.title, TITLE)]
    names += [(alias, ALIAS) for alias in note.aliases]
    if "/" in note.path:
        names.append((strip_note_suffix(note.path), PATH))
    for name, kind in names:
        key = fold(name)
        if key and key not in found:
            found[key] = Entry(key, note.path, name, kind)
    return list(found.values())
