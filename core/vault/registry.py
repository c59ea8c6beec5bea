"""The names under which notes and attachments are found, as immutable tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from immutables import Map

from core.ids import path_note_id
from core.model import Note, strip_note_suffix
from core.text import fold
from core.vault.postings import Members, Postings

FOLDER_NOTES = ("index",)
"""Stems whose note stands for its folder, besides one named like the folder."""

IDS, CLAIMS, PATHS, STEMS, FOLDERS, TITLES, ALIASES, FILES = range(8)

Name = tuple[int, str, str]
"""A table, the key in it, and the name as written (on which the order of candidates
depends, so a change of letter case is a change)."""


@dataclass(frozen=True, slots=True)
class Registry:
    """Eight tables from a key to sorted paths. All keys but those of CLAIMS are folded.

    IDS: frontmatter ids and path-derived ids. CLAIMS: frontmatter ids as written.
    PATHS: paths without a note suffix. STEMS: last segments of those. FOLDERS: folder
    names, for the notes that stand for the folder. TITLES, ALIASES. FILES: names of
    attachments with their extension.
    """

    tables: tuple[Map[str, Members], ...] = field(
        default_factory=lambda: tuple(Map[str, Members]() for _ in range(8))
    )

    def find(self, table: int, key: str) -> Members:
        return self.tables[table].get(key, ())


@lru_cache(maxsize=1 << 14)
def link_key(name: str) -> str:
    """The key on which the meaning of a written name depends: its folded last segment.

    Every name of a note has one as well; a link can only mean notes that share its key.
    """
    return fold(strip_note_suffix(name.strip().rstrip("/").rpartition("/")[2]))


@lru_cache(maxsize=1 << 14)
def folded_path(path: str) -> str:
    """A note's path without suffix, in the form in which paths are compared."""
    return fold(strip_note_suffix(path))


def names_of(note: Note) -> Iterator[Name]:
    """Every name of a note; may repeat one."""
    path = strip_note_suffix(note.path)
    folder, _, stem = path.rpartition("/")
    folded_stem = fold(stem)
    yield PATHS, fold(path), path
    yield STEMS, folded_stem, stem
    folder_name = folder.rpartition("/")[2]
    if folded_stem in FOLDER_NOTES or (folder and folded_stem == fold(folder_name)):
        yield FOLDERS, fold(folder_name), folder_name
    derived = path_note_id(note.path)
    yield IDS, derived, derived
    if note.note_id:
        yield IDS, fold(note.note_id), note.note_id
        yield CLAIMS, note.note_id, note.note_id
    if note.title.strip() and note.title != stem:
        yield TITLES, fold(note.title), note.title
    for alias in note.aliases:
        if alias.strip():
            yield ALIASES, fold(alias), alias


def names_of_attachment(path: str) -> Iterator[Name]:
    """The one name of an attachment: its file name."""
    name = path.rpartition("/")[2]
    yield FILES, fold(name), name


class RegistryDraft:
    """Collects changed names; `touched` are the link keys whose meaning may differ."""

    def __init__(self) -> None:
        self._postings = tuple(Postings() for _ in range(8))
        self.touched: set[str] = set()

    def replace(self, path: str, old: set[Name], new: set[Name]) -> None:
        """Record that the names of the file at `path` were `old` and are `new`."""
        for table, key, written in old - new:
            self._postings[table].remove(key, path)
            self.touched.add(link_key(written))
        for table, key, written in new - old:
            self._postings[table].add(key, path)
            self.touched.add(link_key(written))
        if old - new:
            # the same key may stay under another spelling
            for table, key, _ in new & old:
                self._postings[table].add(key, path)

    def finish(self, base: Registry) -> Registry:
        """The registry after the changes."""
        pairs = zip(self._postings, base.tables, strict=True)
        return Registry(tuple(postings.apply(table) for postings, table in pairs))
