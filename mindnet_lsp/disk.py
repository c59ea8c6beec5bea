"""Looking at a vault's files again: some of them, or all. Runs in worker threads."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import MindnetError
from core.model import Note
from core.vault.ignore import IgnoreRules, is_hidden
from core.vault.index import VaultIndex
from core.vault.read import read_note
from core.vault.scan import FileStamp, is_note_path, never, scan
from mindnet_lsp.overlay import parse_safely
from mindnet_lsp.session import DiskChange


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the disk; taken on the event loop, never changed afterwards."""

    root: Path
    ignore: tuple[str, ...]
    stamps: Mapping[str, FileStamp]
    index: VaultIndex


def look_at(known: Known, paths: Iterable[str]) -> DiskChange | None:
    """What is new at these vault paths; None where only a whole scan can tell (a folder came
    or went)."""
    rules, _ = IgnoreRules.read(known.root, known.ignore)
    notes: list[tuple[Note, FileStamp]] = []
    removed: list[str] = []
    added: list[str] = []
    gone: list[str] = []
    for path in sorted(set(paths)):
        if not belongs(path, rules):
            if known.index.get(path) is not None:
                removed.append(path)  # was in the index only while it was open
            continue
        try:
            found = os.stat(known.root / path)
        except OSError:
            if _has_below(known.index.paths, path) or _has_below(known.index.attachments, path):
                return None
            (removed if is_note_path(path) else gone).append(path)
            continue
        if stat.S_ISDIR(found.st_mode):
            return None
        if not stat.S_ISREG(found.st_mode):
            continue
        if not is_note_path(path):
            added.append(path)
        elif known.stamps.get(path) != (found.st_size, found.st_mtime_ns):
            _read(known.root, path, notes, removed)
    return DiskChange(tuple(notes), tuple(removed), tuple(added), tuple(gone))


def rescan(
    known: Known, open_paths: Collection[str], cancelled: Callable[[], bool] = never
) -> DiskChange:
    """What is new in the whole vault; only changed notes are read. Open documents that are
    not on disk yet are no removals. Raises Cancelled."""
    found = scan(known.root, known.ignore, cancelled)
    notes: list[tuple[Note, FileStamp]] = []
    removed = [
        path for path in known.index.paths if path not in found.notes and path not in open_paths
    ]
    for path, stamp in found.notes.items():
        if known.stamps.get(path) != stamp:
            _read(known.root, path, notes, removed)
    before, after = set(known.index.attachments), set(found.attachments)
    return DiskChange(
        tuple(notes), tuple(removed), tuple(sorted(after - before)), tuple(sorted(before - after))
    )


def belongs(path: str, rules: IgnoreRules) -> bool:
    """Whether a vault path is one that a scan would find."""
    parts = path.split("/")
    if any(is_hidden(part) for part in parts):
        return False
    folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    if any(rules.excludes(folder, is_folder=True) for folder in folders):
        return False
    return not rules.excludes(path)


def _read(root: Path, path: str, notes: list[tuple[Note, FileStamp]], removed: list[str]) -> None:
    try:
        content = read_note(root, path)
    except MindnetError:  # gone or unreadable by now
        removed.append(path)
    else:
        notes.append((parse_safely(path, content.text), content.stamp))


def _has_below(paths: Sequence[str], folder: str) -> bool:
    prefix = f"{folder}/"
    at = bisect_left(paths, prefix)
    return at < len(paths) and paths[at].startswith(prefix)
