"""From a folder to an index: scan, take from the cache what is unchanged, parse the rest."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import Cancelled, MindnetError
from core.model import Note
from core.parse import parse_note
from core.vault.cache import read_cache
from core.vault.index import VaultIndex
from core.vault.read import read_scanned
from core.vault.scan import UNREADABLE_FILE, FileProblem, FileStamp, never, scan

REPLACED_BYTES = "replaced-bytes"
PARSER_FAILED = "parser-failed"

_REPORT_EVERY = 50

Parse = Callable[[str, str], Note]
"""From a vault path and the file's text to a note."""
Progress = Callable[[int, int], None]
"""Is told how many notes are done, of how many."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The index, the stamps of the files behind it (for the cache and for the next scan),
    problems sorted by path, and how many notes had to be parsed."""

    index: VaultIndex
    stamps: dict[str, FileStamp]
    problems: tuple[FileProblem, ...]
    parsed: int


def load_vault(
    root: Path,
    ignore: Iterable[str] = (),
    cache_path: Path | None = None,
    parse: Parse = parse_note,
    on_progress: Progress | None = None,
    cancelled: Callable[[], bool] = never,
) -> Loaded:
    """Read the vault at `root`. Writes nothing; `write_cache` keeps the result.

    A note that cannot be read or parsed is left out and reported. Raises Cancelled.
    """
    found = scan(root, ignore, cancelled)
    cached = read_cache(cache_path) if cache_path is not None and found.notes else {}
    notes: list[Note] = []
    stamps: dict[str, FileStamp] = {}
    stale: list[str] = []
    for path, stamp in found.notes.items():
        entry = cached.get(path)
        if entry is not None and stamp == (entry.size, entry.mtime_ns):
            notes.append(entry.note)
            stamps[path] = stamp
        else:
            stale.append(path)
    del cached
    problems = list(found.problems)
    reader = _Reader(root, parse, problems)
    for path, note, stamp in _watched(stale, reader, len(found.notes), on_progress, cancelled):
        notes.append(note)
        stamps[path] = stamp
    index = VaultIndex.build(notes, found.attachments)
    return Loaded(index, stamps, tuple(sorted(problems)), len(stale))


class _Reader:
    def __init__(self, root: Path, parse: Parse, problems: list[FileProblem]) -> None:
        self._root, self._parse, self._problems = root, parse, problems

    def read(self, path: str) -> tuple[Note, FileStamp] | None:
        """The parsed note, or None with a problem noted."""
        try:
            content = read_scanned(self._root, path)
        except MindnetError as error:
            self._problems.append(FileProblem(path, UNREADABLE_FILE, error.message))
            return None
        if content.replaced:
            self._problems.append(FileProblem(path, REPLACED_BYTES))
        try:
            return self._parse(path, content.text), content.stamp
        except Exception as error:  # one note must not take the vault down
            # neither message nor traceback: both may hold text of the note
            frame = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"{type(error).__name__} in {frame.name}, line {frame.lineno}"
            _log.error("the parser failed on %s: %s", path, reason)
            self._problems.append(FileProblem(path, PARSER_FAILED, reason))
            return None


def _watched(
    paths: list[str],
    reader: _Reader,
    total: int,
    on_progress: Progress | None,
    cancelled: Callable[[], bool],
) -> Iterator[tuple[str, Note, FileStamp]]:
    """The notes at `paths`, reporting and asking from time to time."""
    done = total - len(paths)
    for path in paths:
        if done % _REPORT_EVERY == 0:
            if cancelled():
                raise Cancelled("loading the vault was cancelled")
            if on_progress is not None:
                on_progress(done, total)
        found = reader.read(path)
        done += 1
        if found is not None:
            yield path, *found
    if on_progress is not None:
        on_progress(total, total)
