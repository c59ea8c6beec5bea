"""Append-only JSON lines in one file and a few older ones.

Whatever happens while a line is written, the lines before it stay as they are: the next one
begins on a line of its own, and a torn one is left out when the file is read.
"""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.paths import ensure_private
from core.store.files import write_atomically

LOCK_PATIENCE = 5.0
"""Seconds to wait for another process that writes."""
OLDER = 3
"""Full files that are kept beside the one that is written."""

_APPENDING = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)

Keep = Callable[[], Callable[[Mapping[str, Any]], bool]]
"""Called once when files are put aside; what it returns tells for each record."""


class Journal:
    """The lines of `path`, and of `path` with `.1`, `.2`, … behind its stem, which are older.

    Of what gets too old, lines that `keep` wants are carried on. Safe for several threads and
    processes.
    """

    def __init__(self, path: Path, max_bytes: int | None = None, keep: Keep | None = None) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._keep = keep
        self._one_thread = threading.Lock()

    def append(self, record: Mapping[str, Any]) -> None:
        """Write one line, in one call of the system. Raises `OSError`."""
        ensure_private(self.path.parent)
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        # a lone surrogate becomes its escape, which is JSON
        line = text.encode("utf-8", "backslashreplace") + b"\n"
        with self._locked():
            if self._is_full(len(line)):
                self._rotate()
            handle = os.open(self.path, _APPENDING, 0o600)
            try:
                if not _ends_whole(handle):
                    line = b"\n" + line
                if os.write(handle, line) != len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
            finally:
                os.close(handle)

    def newest_first(self, bad: list[str] | None = None) -> Iterator[dict[str, Any]]:
        """The records. Lines that are none are left out, and their places put into `bad`."""
        for file, content in self._contents():
            lines = content.split(b"\n")
            for number in range(len(lines), 0, -1):
                line = lines[number - 1].strip()
                if not line:
                    continue
                record = _record(line)
                if record is not None:
                    yield record
                elif bad is not None:
                    bad.append(f"{file}:{number}")

    def _contents(self) -> Iterator[tuple[str, bytes]]:
        """Each file's name and content, the newest first, all of one moment."""
        with ExitStack() as opened:
            files = []
            if self.path.parent.is_dir():
                with self._locked():
                    for path in self._files():
                        if path.exists():
                            files.append(opened.enter_context(open(path, "rb")))
            for file in files:  # as they were, though one is renamed meanwhile
                yield Path(file.name).name, file.read()

    def _files(self) -> list[Path]:
        older = (self.path.with_suffix(f".{age}{self.path.suffix}") for age in range(1, OLDER + 1))
        return [self.path, *older]

    def _is_full(self, more: int) -> bool:
        if self._max_bytes is None or not self.path.exists():
            return False
        size = self.path.stat().st_size
        return size > 0 and size + more > self._max_bytes

    def _rotate(self) -> None:
        """Every file gets older by one. Ended in the middle, a line is there twice, never not."""
        files = self._files()
        *_, older, oldest = files
        if oldest.exists() and older.exists() and self._keep is not None:
            wanted = self._keep()
            records = ((line, _record(line)) for line in oldest.read_bytes().split(b"\n"))
            kept = [line + b"\n" for line, record in records if record and wanted(record)]
            write_atomically(oldest, b"".join(kept) + older.read_bytes())
            files.pop()
        for newer, old in reversed(list(pairwise(files))):
            if newer.exists():
                os.replace(newer, old)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        lock = self.path.with_suffix(".lock")
        with self._one_thread, FileLock(lock, timeout=LOCK_PATIENCE, mode=0o600):
            yield


def _ends_whole(handle: int) -> bool:
    if os.lseek(handle, 0, os.SEEK_END) == 0:
        return True
    os.lseek(handle, -1, os.SEEK_END)  # where it is written is not where it is read
    return os.read(handle, 1) == b"\n"


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
