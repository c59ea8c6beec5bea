"""Looks at the vault's files: reads those that may have changed, knows the others."""

from __future__ import annotations

import hashlib
import logging
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from core.errors import MindnetError
from core.ingest.hashing import HashOptions, hash_signature
from core.ingest.state import Seen, load_state, save_state
from core.model import Note
from core.parse import parse_note
from core.vault.cache import Cached, read_index, write_index
from core.vault.ignore import IgnoreRules, is_hidden
from core.vault.index import VaultIndex
from core.vault.read import read_note
from core.vault.scan import UNDECODABLE_NAME, FileStamp, is_note_path, never, scan

logger = logging.getLogger(__name__)

KEPT_TEXT = 16_000_000
"""Code points of read text that are kept for writing; the rest is read again then."""

_ASK_EVERY = 64


class Content(msgspec.Struct, frozen=True):
    """What a file holds. `raw` are its bytes where the text alone does not give them back."""

    note: Note
    text: str
    raw: bytes | None
    stamp: FileStamp

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        return self.text.encode("utf-8") if self.raw is None else self.raw

    @property
    def file_hash(self) -> str:
        """A hash of them, 32 hex digits."""
        return hashlib.sha256(self.data).hexdigest()[:32]


class Looked(msgspec.Struct):
    """What a look gave: notes that differ from before, paths without a file, paths that
    could not be read with the reason, and the content of some that were read."""

    changed: dict[str, Note] = msgspec.field(default_factory=dict)
    gone: list[str] = msgspec.field(default_factory=list)
    failed: dict[str, str] = msgspec.field(default_factory=dict)
    contents: dict[str, Content] = msgspec.field(default_factory=dict)


class FileReader:
    """Reads the notes below `root`. `seen` says, by path, what it knows of a file."""

    def __init__(
        self, root: Path, options: HashOptions, ignore: Sequence[str], folder: Path | None
    ) -> None:
        self.root = root
        self.seen: dict[str, Seen] = {}
        self._options = options
        self._ignore = tuple(ignore)
        self._state = folder / "import-state" if folder else None
        self._cache = folder / "import-links" if folder else None
        self._unsaved = False

    def restore(self) -> VaultIndex:
        """The links of the notes that are known from an earlier process, resolved as they were
        then; their files may have changed."""
        if self._state is None or self._cache is None:
            return VaultIndex()
        seen = load_state(self._state, self._options)
        cached = read_index(self._cache) if seen else Cached({}, None)
        notes, others = [], []
        for path, entry in cached.notes.items():
            known = seen.get(path)
            if known is not None and known.stamp == (entry.size, entry.mtime_ns):
                self.seen[path] = known
                notes.append(entry.note)
            else:
                others.append(path)
        if cached.links is None:
            return VaultIndex.build(notes)
        return cached.links.update(removed=others)

    def save(self, index: VaultIndex) -> None:
        """Keep what is known for the next process; errors are logged, it is only a cache."""
        if not self._unsaved or self._state is None or self._cache is None:
            return
        try:
            write_index(self._cache, index, {p: seen.stamp for p, seen in self.seen.items()})
            save_state(self._state, self._options, self.seen)
        except OSError as error:
            logger.warning("the importer's state could not be saved: %s", error.strerror)
        else:
            self._unsaved = False

    def look(
        self,
        paths: Sequence[str] | None,
        known: Mapping[str, Note],
        stored: Iterable[str],
        step: Callable[[int, int], None],
        looked: Looked,
    ) -> None:
        """Look at some files, or at all, and fill `looked`. `known` are notes as they were,
        `stored` the paths that the store has; `step` is told how many of how many files are
        done, and may raise to end it there."""
        if paths is None:
            scope = self.seen.keys() | set(stored)
            stamps = self._all(scope, looked)
        else:
            scope = set(paths)
            stamps = self._some(paths)
        # what cannot be looked at is not gone
        looked.gone = sorted(p for p in scope if p not in stamps and p not in looked.failed)
        for path in looked.gone:
            self._unsaved = self.seen.pop(path, None) is not None or self._unsaved
        kept = 0
        for done, (path, stamp) in enumerate(sorted(stamps.items())):
            if done % _ASK_EVERY == 0:
                step(done, len(stamps))
            seen = self.seen.get(path)
            if seen is not None and seen.stamp == stamp and path in known:
                continue
            try:
                content = self.read(path)
            except MindnetError as error:
                looked.failed[path] = error.message
                continue
            except Exception as error:  # one note must not take the others down
                logger.exception("the parser failed on %s", path)
                looked.failed[path] = f"could not be parsed ({type(error).__name__})"
                continue
            if known.get(path) != content.note:
                looked.changed[path] = content.note
            signature = hash_signature(content.note, content.text, self._options)
            stamp = content.stamp
            self.seen[path] = Seen(stamp.size, stamp.mtime_ns, signature, content.file_hash)
            self._unsaved = True
            size = len(content.text) + len(content.raw or b"")
            if kept + size <= KEPT_TEXT:
                looked.contents[path] = content
                kept += size
        step(len(stamps), len(stamps))

    def read(self, path: str) -> Content:
        """Read and parse a file. Raises MindnetError."""
        read = read_note(self.root, path)
        return Content(parse_note(path, read.text), read.text, read.raw, read.stamp)

    def read_again(self, path: str, note: Note) -> Content | None:
        """The content of a file that was seen as this note; None if its bytes are others by
        now, so that it need not be parsed again. Raises MindnetError."""
        read = read_note(self.root, path)
        content = Content(note, read.text, read.raw, read.stamp)
        seen = self.seen.get(path)
        return content if seen and seen.file_hash == content.file_hash else None

    def forget(self, path: str) -> None:
        """Have a file read again at the next look."""
        if seen := self.seen.get(path):
            self.seen[path] = msgspec.structs.replace(seen, mtime_ns=-1)

    def _all(self, scope: Iterable[str], looked: Looked) -> dict[str, FileStamp]:
        found = scan(self.root, self._ignore, never)
        for problem in found.problems:
            if problem.reason == UNDECODABLE_NAME:
                looked.failed[problem.path] = "its name is not UTF-8"
        unreadable = [p.path for p in found.problems if p.path not in looked.failed]
        for path in scope if unreadable else ():
            if path not in found.notes and any(_below(path, folder) for folder in unreadable):
                looked.failed[path] = "its folder cannot be read"
        return found.notes

    def _some(self, paths: Iterable[str]) -> dict[str, FileStamp]:
        rules, _ = IgnoreRules.read(self.root, self._ignore)
        stamps: dict[str, FileStamp] = {}
        for path in paths:
            if not _belongs(path, rules):
                continue
            try:
                found = os.stat(self.root / path)
            except (OSError, ValueError):
                continue  # there is no such file: it counts as gone
            if stat.S_ISREG(found.st_mode):
                stamps[path] = FileStamp(found.st_size, found.st_mtime_ns)
        return stamps


def _belongs(path: str, rules: IgnoreRules) -> bool:
    parts = path.split("/")
    if not is_note_path(path) or any(part in ("", "..") or is_hidden(part) for part in parts):
        return False
    folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return not rules.excludes(path) and not any(rules.excludes(f, is_folder=True) for f in folders)


def _below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")
