"""From a folder to an index: scan, take from the cache what is unchanged, parse the rest."""

from __future__ import annotations

import logging
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import Cancelled, MindnetError
from core.model import Note
from core.parse import parse_note
from core.vault.cache import Cached, read_index, share_strings
from core.vault.gcpause import collection_paused
from core.vault.index import VaultIndex
from core.vault.read import read_scanned
from core.vault.scan import UNREADABLE_FILE, FileProblem, FileStamp, never, scan
from core.vault.together import Helpers, helped

REPLACED_BYTES = "replaced-bytes"
PARSER_FAILED = "parser-failed"

_REPORT_EVERY = 50
_PATIENCE = 0.05
"""Seconds between two looks at whether the work is still wanted."""
_MANY = 0.25
"""Share of changed notes from which building anew is less work than changing."""

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
    helpers: int = 0,
) -> Loaded:
    """Read the vault at `root`. Writes nothing; `write_index` keeps the result.

    A note that cannot be read or parsed is left out and reported. So many `helpers` are
    processes that read and parse with `parse_note` where there is much to do
    (`together.spare_cores`); the result is the same. Raises Cancelled.
    """
    with collection_paused():
        found = scan(root, ignore, cancelled)
        useful = cache_path is not None and found.notes
        cached = read_index(cache_path) if cache_path and useful else Cached({}, None)
        known = {
            path: FileStamp(entry.size, entry.mtime_ns) for path, entry in cached.notes.items()
        }
        stale, gone = found.changes(known)
        stamps = dict(found.notes)
        fresh: dict[str, Note] = {}
        problems = list(found.problems)
        reader = _Reader(root, parse, problems)
        watch = _Watch(len(stamps), len(stale), on_progress, cancelled)
        with helped(root, deque(stale), helpers) as others:
            read = reader.read_all(others, watch)
        for path in stale:
            if path in read:
                fresh[path], stamps[path] = read[path]
            else:
                del stamps[path]
                gone.append(path)
        index = _index(cached, fresh, gone, found.attachments)
    return Loaded(index, stamps, tuple(sorted(problems)), len(stale))


def _index(
    cached: Cached, fresh: Mapping[str, Note], gone: list[str], attachments: Iterable[str]
) -> VaultIndex:
    """The index of what was read and what the cache has of the rest."""
    before = cached.links
    if before is None or len(fresh) + len(gone) > _MANY * len(cached.notes):
        old = {path: entry.note for path, entry in cached.notes.items()}
        for path in gone:
            old.pop(path, None)
        return VaultIndex.build({**old, **fresh}.values(), attachments)
    wanted = frozenset(attachments)
    lost = [path for path in before.attachments if path not in wanted]
    return before.update(fresh.values(), gone, wanted, lost)


class _Reader:
    def __init__(self, root: Path, parse: Parse, problems: list[FileProblem]) -> None:
        self._root, self._parse, self._problems = root, parse, problems
        self._strings: dict[str, str] = {}

    def read_all(self, helpers: Helpers, watch: _Watch) -> dict[str, tuple[Note, FileStamp]]:
        """The notes that can be read, by path. Raises Cancelled."""
        found: dict[str, tuple[Note, FileStamp]] = {}
        own = 0

        def read(path: str) -> None:
            nonlocal own
            watch.look(own + len(helpers.found))
            own += 1
            if note := self.read(path):
                found[path] = note

        while (path := helpers.next()) is not None:
            read(path)
        while helpers.are_busy(_PATIENCE):
            watch.ask()
            watch.look(own + len(helpers.found))
        for path in helpers.left:
            read(path)
        for each in helpers.found:
            share_strings(each.note.links, self._strings)
            found[each.note.path] = each.note, FileStamp(each.size, each.mtime_ns)
        watch.end()
        return found

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
            note = self._parse(path, content.text)
        except Exception as error:  # one note must not take the vault down
            # neither message nor traceback: both may hold text of the note
            frame = traceback.extract_tb(error.__traceback__)[-1]
            reason = f"{type(error).__name__} in {frame.name}, line {frame.lineno}"
            _log.error("the parser failed on %s: %s", path, reason)
            self._problems.append(FileProblem(path, PARSER_FAILED, reason))
            return None
        share_strings(note.links, self._strings)
        return note, content.stamp


class _Watch:
    """Reports and asks from time to time."""

    def __init__(
        self, total: int, todo: int, report: Progress | None, cancelled: Callable[[], bool]
    ) -> None:
        self._total, self._before = total, total - todo
        self._report, self._cancelled = report, cancelled
        self._next = 0

    def look(self, done: int) -> None:
        """So many are done. Raises Cancelled."""
        if done < self._next:
            return
        self._next = done + _REPORT_EVERY
        self.ask()
        if self._report is not None:
            self._report(self._before + done, self._total)

    def ask(self) -> None:
        """Raises Cancelled where that is wanted."""
        if self._cancelled():
            raise Cancelled("loading the vault was cancelled")

    def end(self) -> None:
        if self._report is not None:
            self._report(self._total, self._total)
