"""What a written link means.

Order of the ways to match: note id, exact path, file name (also as trailing path
segments), a folder's own note, title, alias. Names are compared without letter case
and in NFC. Where nothing matches, a `#` in the link may belong to the name. Among several
matches of the same way: exact letter case, the linking note's folder, then below it,
fewest path segments, path order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.ids import path_note_id
from core.model import WIKILINK, Link, Note
from core.text import fold
from core.vault import targets
from core.vault.anchors import find_block, find_heading
from core.vault.candidates import Resolution, Way, chosen, ends_exactly, nfc, with_suffix
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

__all__ = [
    "Resolution",
    "Resolver",
    "Way",
    "find_block",
    "find_heading",
    "may_be_reversed",
    "whole_name",
]

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
        if markdown:
            return found
        if found.is_unresolved and (whole := whole_name(link)):
            named = self._name(whole, source.rpartition("/")[0])
            if named is not None:
                return replace(named, is_whole=True)
        if not link.alias or not may_be_reversed(found, link.alias):
            return found
        return self._reversed(link.alias, source) or found

    def name(self, target: str, source: str, markdown: bool = False) -> Resolution:
        """What a target, written in the note at `source`, means; "" is that note itself."""
        target = target.strip()
        if not target:
            return Resolution(source, candidates=(source,), way="self")
        target = targets.without_vault_prefix(target)
        if not markdown and targets.is_external(target, markdown):
            return _EXTERNAL
        folder = source.rpartition("/")[0]
        found = self._path(target, folder) if markdown else self._name(target, folder)
        if found is not None:
            return found
        # `Plan%3A%20B.md` is a path with a colon, which looks like a scheme once decoded
        if targets.is_external(target, markdown):
            return _EXTERNAL
        return _MISSING_FILE if targets.names_attachment(target, markdown) else UNRESOLVED

    def owner(self, note_id: str) -> str | None:
        """The note that keeps a frontmatter id: of several the first by path order."""
        claims = self.registry.find(CLAIMS, note_id)
        return claims[0] if claims else None

    def _reversed(self, right: str, source: str) -> Resolution | None:
        """The right side of `[[label|target]]`: an id, a path or a file name, as display
        text that happens to be some note's title is far more common than this form."""
        target, _, anchor = right.partition("#")
        target = targets.without_vault_prefix(target.strip())
        if not target and anchor and (note := self.notes.get(source)):
            if find_heading(note, anchor) is None:
                return None
            return Resolution(
                source, candidates=(source,), way="self", is_reversed=True, anchor=anchor
            )
        if not target or targets.is_external(target, markdown=False):
            return None
        found = self._file_name(target, source.rpartition("/")[0])
        return found and replace(found, is_reversed=True, anchor=anchor or None)

    def _name(self, target: str, folder: str) -> Resolution | None:
        if target.startswith("/") or targets.has_dots(target):
            base = "" if target.startswith("/") else folder
            path = targets.joined(base, target)
            return None if path is None else self._exact(path, folder)
        if targets.names_attachment(target, markdown=False) and (
            found := self._attachment(target, folder)
        ):
            return found
        if found := self._file_name(target, folder):
            return found
        folded, written = fold(target), nfc(target)
        titled = self.registry.find(TITLES, folded)
        if titled:
            return chosen(
                "title", titled, folder, lambda path: nfc(self.notes[path].title) == written
            )
        named = self.registry.find(ALIASES, folded)
        if named:
            return chosen(
                "alias",
                named,
                folder,
                lambda path: any(nfc(alias) == written for alias in self.notes[path].aliases),
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
            files = with_suffix(files, targets.note_suffix(target))
            return chosen("name", files, folder, ends_exactly(target))
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
        if target.startswith("/") or targets.has_dots(target):
            return None
        if targets.names_attachment(target, markdown=True):
            return self._attachment(target, folder)
        return self._file_name(target, folder) or self._attachment(target, folder)

    def _exact(self, path: str, folder: str) -> Resolution | None:
        """The file or folder at a vault path."""
        if files := self._files(path, whole=True):
            return chosen("path", files, folder, ends_exactly(path), attachment=True)
        return self._at(path, folder) or self._folder_at(path, folder)

    def _at(self, path: str, folder: str) -> Resolution | None:
        """The note at a vault path, with or without its suffix."""
        matching = self.registry.find(PATHS, folded_path(path))
        matching = with_suffix(matching, targets.note_suffix(path))
        return chosen("path", matching, folder, ends_exactly(path)) if matching else None

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
        if not matching:
            return None
        return chosen("folder", matching, folder, ends_exactly(target, True))

    def _id(self, target: str) -> Resolution | None:
        found = self.registry.find(IDS, fold(target))
        if not found:
            return None
        owners = tuple(path for path in found if self._has_id(path, target))
        if not owners:
            return None
        return chosen("id", owners, "", lambda path: self.notes[path].note_id == target)

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
        if not files:
            return None
        return chosen("name", files, folder, ends_exactly(target), attachment=True)


def whole_name(link: Link) -> str:
    """`Talk #24` in `[[Talk #24]]`: what would be a name if the `#` belonged to it; "" where
    there is no `#` with a text.

    Asked for only where no note has the name in front. Files with a `#` in their name are
    rare, and Obsidian cannot link to them at all; people do all the same.
    """
    if not link.heading or link.form != WIKILINK or link.target_at < 0:
        return ""
    return link.raw[link.target_at : link.anchor_end]


def may_be_reversed(left: Resolution, right: str) -> bool:
    """Whether the right side of `[[left|right]]` is asked for a target.

    It is where the left side has none; where that is but some note's title or alias and
    the right side looks like an identifier (`[[Title|note-id]]`); and where the right
    side is one of Dendron's addresses.
    """
    if left.is_unresolved or right.startswith(targets.DENDRON):
        return True
    return left.way in ("title", "alias") and targets.is_identifier(right)


def _folded_folder(path: str) -> str:
    return fold(path.rpartition("/")[0])


def _folded_stem(path: str) -> str:
    return folded_path(path).rpartition("/")[2]
