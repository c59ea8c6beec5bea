"""Which files a vault has, without reading them."""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from core.errors import Cancelled
from core.model import NOTE_SUFFIXES
from core.vault.ignore import IgnoreRules, is_hidden

MAX_FILES = 500_000
"""Entries after which a scan ends: this is no vault but a whole disk."""

MARKERS = (".obsidian", ".mindnet")
"""Folders that say that their parent is meant to be a vault."""

UNREADABLE_FOLDER = "unreadable-folder"
UNREADABLE_FILE = "unreadable-file"
UNDECODABLE_NAME = "undecodable-name"
TOO_MANY_FILES = "too-many-files"
INVALID_IGNORE = "invalid-ignore"

_CHECK_EVERY = 2_000


class FileStamp(NamedTuple):
    """What tells whether a file may have changed: size in bytes, mtime in nanoseconds."""

    size: int
    mtime_ns: int


class FileProblem(NamedTuple):
    """Something wrong with a file or folder. `path` is vault-relative ("" the root),
    `reason` a stable key, `detail` its variable part (never text of a note)."""

    path: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Scan:
    """Notes with their stamps, the paths of all other files, and problems; all sorted."""

    notes: dict[str, FileStamp] = field(default_factory=dict)
    attachments: tuple[str, ...] = ()
    problems: tuple[FileProblem, ...] = ()

    def changes(self, known: Mapping[str, FileStamp]) -> tuple[list[str], list[str]]:
        """The notes to read again and those that are gone, against the stamps of an earlier
        reading."""
        stale = [path for path, stamp in self.notes.items() if known.get(path) != stamp]
        return stale, [path for path in sorted(known) if path not in self.notes]


def never() -> bool:
    """The cancel callback of work that nobody cancels."""
    return False


def is_note_path(path: str) -> bool:
    """Whether a file of this name is a note."""
    return path.lower().endswith(NOTE_SUFFIXES)


def is_too_broad(root: Path) -> bool:
    """Whether `root` is the file system's root, the home folder or a parent of it.

    Such a folder is opened by mistake and is not walked, unless a marker folder in it says
    that it is meant.
    """
    real = Path(os.path.realpath(root))
    if any((real / marker).is_dir() for marker in MARKERS):
        return False
    try:
        home = Path(os.path.realpath(Path.home()))
    except RuntimeError:  # the system does not say where it is
        return real == Path(real.anchor)
    return real == Path(real.anchor) or home.is_relative_to(real)


def scan(
    root: Path,
    ignore: Iterable[str] = (),
    cancelled: Callable[[], bool] = never,
    max_files: int = MAX_FILES,
) -> Scan:
    """Find the notes and other files below `root`.

    Left out: hidden files and folders, `node_modules`, what `.gitignore` at the root or the
    `ignore` patterns (same syntax, and they may take back) exclude, and what is no regular
    file. A symbolic link is followed where it leads to something inside the vault that is
    not found without it; so no file comes twice and no loop is walked. Folders that cannot
    be read are reported. Raises Cancelled as soon as `cancelled()` says so.
    """
    return _Scanner(root, ignore, cancelled, max_files).run()


class _Scanner:
    def __init__(
        self, root: Path, ignore: Iterable[str], cancelled: Callable[[], bool], max_files: int
    ) -> None:
        self._root = os.path.realpath(root)
        self._cancelled = cancelled
        self._left = max_files
        self._notes: dict[str, FileStamp] = {}
        self._attachments: list[str] = []
        self._problems: list[FileProblem] = []
        self._links: list[str] = []
        self._visited: set[str] = set()
        self._rules, bad = IgnoreRules.read(Path(self._root), ignore)
        self._problems += [FileProblem(".gitignore", INVALID_IGNORE, detail) for detail in bad]

    def run(self) -> Scan:
        self._walk("", self._root)
        # links last: what they lead to may be found without them
        while self._links and self._left > 0:
            links, self._links = sorted(self._links), []
            for path in links:
                self._follow(path)
        if self._left <= 0:
            self._problems.append(FileProblem("", TOO_MANY_FILES))
        return Scan(
            dict(sorted(self._notes.items())),
            tuple(sorted(self._attachments)),
            tuple(sorted(self._problems)),
        )

    def _walk(self, path: str, real: str) -> None:
        """Everything below the folder at `path`, nearest first."""
        folders = deque([(path, real)])
        while folders and self._left > 0:
            if self._cancelled():
                raise Cancelled("the scan of the vault was cancelled")
            path, real = folders.popleft()
            if real in self._visited:
                continue
            self._visited.add(real)
            for entry in self._entries(path, real):
                name = entry.name
                if is_hidden(name):
                    continue
                below = f"{path}/{name}" if path else name
                if not self._count():
                    return
                if not _is_encodable(name):
                    self._problems.append(FileProblem(_shown(below), UNDECODABLE_NAME))
                elif entry.is_symlink():
                    self._links.append(below)
                elif entry.is_dir(follow_symlinks=False):
                    if not self._rules.excludes(below, is_folder=True):
                        folders.append((below, entry.path))
                elif entry.is_file(follow_symlinks=False):
                    self._add(below, entry)

    def _entries(self, path: str, real: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(real) as found:
                return sorted(found, key=lambda entry: entry.name)
        except FileNotFoundError:
            if path:  # gone since its parent was read
                return []
            self._problems.append(FileProblem(path, UNREADABLE_FOLDER, "does not exist"))
        except OSError as error:
            self._problems.append(FileProblem(path, UNREADABLE_FOLDER, _why(error)))
        return []

    def _add(self, path: str, entry: os.DirEntry[str]) -> None:
        if self._rules.excludes(path):
            return
        if not is_note_path(path):
            self._attachments.append(path)
            return
        try:
            found = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        except OSError as error:
            self._problems.append(FileProblem(path, UNREADABLE_FILE, _why(error)))
            return
        self._notes[path] = FileStamp(found.st_size, found.st_mtime_ns)

    def _follow(self, path: str) -> None:
        """A symbolic link: to a folder or file of the vault that has not been seen."""
        real = os.path.realpath(os.path.join(self._root, path))
        if not real.startswith(self._root.rstrip(os.sep) + os.sep) or real in self._visited:
            return
        try:
            found = os.stat(real)
        except OSError:  # leads nowhere
            return
        if stat.S_ISDIR(found.st_mode):
            if not self._rules.excludes(path, is_folder=True):
                self._walk(path, real)
        elif stat.S_ISREG(found.st_mode) and not self._rules.excludes(path):
            self._follow_file(path, real, found)

    def _follow_file(self, path: str, real: str, found: os.stat_result) -> None:
        if os.path.dirname(real) in self._visited:
            own = os.path.relpath(real, self._root).replace(os.sep, "/")
            if own in self._notes or (not is_note_path(own) and not is_hidden(own)):
                return
        self._visited.add(real)
        if is_note_path(path):
            self._notes[path] = FileStamp(found.st_size, found.st_mtime_ns)
        else:
            self._attachments.append(path)

    def _count(self) -> bool:
        self._left -= 1
        if self._left % _CHECK_EVERY == 0 and self._cancelled():
            raise Cancelled("the scan of the vault was cancelled")
        return self._left > 0


def _is_encodable(name: str) -> bool:
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: str) -> str:
    return path.encode("utf-8", "replace").decode("utf-8")


def _why(error: OSError) -> str:
    return error.strerror or type(error).__name__
