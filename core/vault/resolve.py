"""What a written link means.

Order of the ways to match: note id, exact path, file name (also as trailing path
segments), a folder's own note, title, alias. Names are compared without letter case
and in NFC. Among several matches of the same way: exact letter case, the linking
note's folder, then below it, fewest path segments, path order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from core.ids import path_note_id
from core.model import Link, Note, strip_note_suffix
from core.text import fold
from core.vault import targets
from core.vault.anchors import find_block, find_heading
from core.vault.registry import (
    ALIASES,
    CLAIMS,
    FILES,
    FOLDER_NOTES,
    FOLDERS,
    IDS,
    PATHS,
    STEMS,
    TITLES,
    Registry,
    folded_path,
    link_key,
)

__all__ = ["Resolution", "Resolver", "find_block", "find_heading"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a link means. At most one of `path` (a note) and `attachment` (a file) is set.

    `is_attachment` is also set where the ending says so and the file is missing.
    `candidates` are all files that match in the same way, best first. `ambiguous` says
    that only path length or path order decided between them. `is_reversed` marks the
    old form `[[label|target]]`; `anchor` is then what followed `#` in its right side.
    """

    path: str | None = None
    attachment: str | None = None
    candidates: tuple[str, ...] = ()
    ambiguous: bool = False
    is_attachment: bool = False
    is_external: bool = False
    is_reversed: bool = False
    anchor: str | None = None

    @property
    def is_unresolved(self) -> bool:
        """Whether the link names a note that does not exist."""
        return self.path is None and not self.is_attachment and not self.is_external


UNRESOLVED = Resolution()
_EXTERNAL = Resolution(is_external=True)
_MISSING_FILE = Resolution(is_attachment=True)


@dataclass(frozen=True, slots=True)
class Resolver:
    """Resolution over one state of the vault."""

    notes: Mapping[str, Note]
    registry: Registry = field(default_factory=Registry)

    def link(self, link: Link, source: str) -> Resolution:
        """What `link`, written in the note at `source`, means."""
        markdown = link.form in targets.MARKDOWN_FORMS
        found = self.name(link.target, source, markdown)
        if markdown or not link.alias or not found.is_unresolved:
            return found
        return self._reversed(link.alias, source)

    def name(self, target: str, source: str, markdown: bool = False) -> Resolution:
        """What a target, written in the note at `source`, means; "" is that note itself."""
        target = target.strip()
        if not target:
            return Resolution(source, candidates=(source,))
        target = targets.without_vault_prefix(target)
        if targets.is_external(target, markdown):
            return _EXTERNAL
        folder = source.rpartition("/")[0]
        found = self._path(target, folder) if markdown else self._name(target, folder)
        if found is not None:
            return found
        return _MISSING_FILE if targets.names_attachment(target, markdown) else UNRESOLVED

    def owner(self, note_id: str) -> str | None:
        """The note that keeps a frontmatter id: of several the first by path order."""
        claims = self.registry.find(CLAIMS, note_id)
        return claims[0] if claims else None

    def _reversed(self, right: str, source: str) -> Resolution:
        """The right side of `[[label|target]]`: an id, a path or a file name, as display
        text that happens to be some note's title is far more common than this form."""
        target, _, anchor = right.partition("#")
        target = targets.without_vault_prefix(target.strip())
        if not target or targets.is_external(target, markdown=False):
            return UNRESOLVED
        folder = source.rpartition("/")[0]
        found = self._file_name(target, folder)
        if found is None or found.path is None:
            return UNRESOLVED
        return Resolution(
            found.path,
            candidates=found.candidates,
            ambiguous=found.ambiguous,
            is_reversed=True,
            anchor=anchor or None,
        )

    def _name(self, target: str, folder: str) -> Resolution | None:
        if targets.is_relative(target) or target.startswith("/"):
            base = "" if target.startswith("/") else folder
            path = targets.joined(base, target)
            return None if path is None else self._exact(path, folder)
        if targets.names_attachment(target, markdown=False) and (
            found := self._attachment(target, folder)
        ):
            return found
        if found := self._file_name(target, folder):
            return found
        folded, written = fold(target), unicodedata.normalize("NFC", target)
        titled = self.registry.find(TITLES, folded)
        if titled:
            return _chosen(titled, folder, lambda path: _nfc(self.notes[path].title) == written)
        named = self.registry.find(ALIASES, folded)
        if named:
            return _chosen(
                named,
                folder,
                lambda path: any(_nfc(alias) == written for alias in self.notes[path].aliases),
            )
        return self._attachment(target, folder)

    def _file_name(self, target: str, folder: str) -> Resolution | None:
        """By id, exact path, trailing path segments, or as a folder with its own note."""
        if found := self._id(target):
            return found
        target = target.strip("/")
        if found := self._at(target, folder):
            return found
        tail = f"/{folded_path(target)}"
        key = tail.rpartition("/")[2]
        files = self.registry.find(STEMS, key)
        if "/" in target:
            files = tuple(path for path in files if f"/{folded_path(path)}".endswith(tail))
        if files:
            files = _with_suffix(files, targets.note_suffix(target))
            return _chosen(files, folder, _ends_exactly(target))
        own = self.registry.find(FOLDERS, key)
        return self._folder_notes(
            [path for path in own if f"/{_folded_folder(path)}".endswith(tail)], target, folder
        )

    def _path(self, target: str, folder: str) -> Resolution | None:
        """A Markdown destination: relative to the note, then to the vault root."""
        if target.startswith("/"):
            bases = [""]
        else:
            bases = [folder] if targets.is_relative(target) else [folder, ""]
        for base in bases:
            path = targets.joined(base, target)
            if path is not None and (found := self._exact(path, folder)):
                return found
        if target.startswith("/") or targets.is_relative(target) or "/../" in target:
            return None
        if targets.names_attachment(target, markdown=True):
            return self._attachment(target, folder)
        return self._file_name(target, folder) or self._attachment(target, folder)

    def _exact(self, path: str, folder: str) -> Resolution | None:
        """The file or folder at a vault path."""
        if files := self._files(path, whole=True):
            return _chosen(files, folder, _ends_exactly(path), attachment=True)
        return self._at(path, folder) or self._folder_at(path, folder)

    def _at(self, path: str, folder: str) -> Resolution | None:
        """The note at a vault path, with or without its suffix."""
        matching = self.registry.find(PATHS, folded_path(path))
        matching = _with_suffix(matching, targets.note_suffix(path))
        return _chosen(matching, folder, _ends_exactly(path)) if matching else None

    def _folder_at(self, path: str, folder: str) -> Resolution | None:
        folded = fold(path)
        own = self.registry.find(FOLDERS, link_key(path))
        return self._folder_notes(
            [note for note in own if _folded_folder(note) == folded], path, folder
        )

    def _folder_notes(self, notes: list[str], target: str, folder: str) -> Resolution | None:
        """Of the notes that stand for a folder, one named like it goes before an index."""
        named = [note for note in notes if _folded_stem(note) not in FOLDER_NOTES]
        matching = named or notes
        return _chosen(matching, folder, _ends_exactly(target, True)) if matching else None

    def _id(self, target: str) -> Resolution | None:
        found = self.registry.find(IDS, fold(target))
        if not found:
            return None
        owners = tuple(path for path in found if self._has_id(path, target))
        if not owners:
            return None
        return _chosen(owners, "", lambda path: self.notes[path].note_id == target)

    def _has_id(self, path: str, target: str) -> bool:
        """Whether the note at `path` keeps the id that matched, not just claims it."""
        own = self.notes[path].note_id
        if own and fold(own) == fold(target):
            return self.owner(own) == path
        return path_note_id(path) == fold(target)

    def _files(self, target: str, whole: bool) -> tuple[str, ...]:
        folded = fold(target.strip("/"))
        matching = self.registry.find(FILES, folded.rpartition("/")[2])
        if not matching:
            return ()
        if whole:
            return tuple(path for path in matching if fold(path) == folded)
        return tuple(path for path in matching if f"/{fold(path)}".endswith(f"/{folded}"))

    def _attachment(self, target: str, folder: str) -> Resolution | None:
        files = self._files(target, whole=True) or self._files(target, whole=False)
        return _chosen(files, folder, _ends_exactly(target), attachment=True) if files else None


def _chosen(
    paths: Iterable[str], folder: str, exact: Callable[[str], bool], attachment: bool = False
) -> Resolution:
    """The best of some matches of one way."""
    ranked = tuple(paths)
    ambiguous = False
    if len(ranked) > 1:
        below = f"{folder}/" if folder else ""
        keyed = sorted((_rank(path, folder, below, exact(path)), path) for path in ranked)
        ranked = tuple(path for _, path in keyed)
        ambiguous = keyed[0][0][:2] == keyed[1][0][:2]
    if attachment:
        return Resolution(None, ranked[0], ranked, ambiguous, is_attachment=True)
    return Resolution(ranked[0], None, ranked, ambiguous)


def _rank(path: str, folder: str, below: str, is_exact: bool) -> tuple[int, int, int]:
    parent = path.rpartition("/")[0]
    near = 0 if parent == folder else 1 if path.startswith(below) else 2
    return (0 if is_exact else 1, near, path.count("/"))


def _with_suffix(paths: tuple[str, ...], suffix: str) -> tuple[str, ...]:
    """Those with the written suffix, where one is written and there are any."""
    if not suffix or len(paths) < 2:
        return paths
    return tuple(path for path in paths if path.lower().endswith(suffix)) or paths


def _ends_exactly(target: str, of_folder: bool = False) -> Callable[[str], bool]:
    """Whether a path, or its folder's path, ends with the target in the same letters."""
    written = _nfc(strip_note_suffix(target))

    def ends(path: str) -> bool:
        own = path.rpartition("/")[0] if of_folder else strip_note_suffix(path)
        return f"/{_nfc(own)}".endswith(f"/{written}")

    return ends


def _folded_folder(path: str) -> str:
    return fold(path.rpartition("/")[0])


def _folded_stem(path: str) -> str:
    return folded_path(path).rpartition("/")[2]


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
