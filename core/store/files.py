"""Writing small files so that a reader finds the old one or the new one, whole."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import StoreError, StoreFull

MIN_FREE_BYTES = 256 << 20
"""Room that is left on the disk, whatever is written: the engine allocates its files in large
steps, and a full disk kills the process."""


def check_room(folder: Path, size: int, spare: int = MIN_FREE_BYTES) -> None:
    """Raise `StoreFull` unless `size` bytes fit on the disk that holds `folder`, and `spare`
    bytes stay free."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    needed = size + spare
    if free < needed:
        raise StoreFull(
            f"the disk that holds the index has {megabytes(free)} MB free, but "
            f"{megabytes(needed)} MB are needed: {megabytes(needed - free)} MB are missing",
            "Free some room, then index again; nothing was lost.",
        )


def megabytes(size: int) -> int:
    """Rounded up, so that something missing is never 0."""
    return -(-size >> 20)


def folder_size(folder: Path) -> int:
    """Bytes that the files below take on the disk; holes in them take none. What vanishes
    meanwhile counts as nothing."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                state = os.stat(os.path.join(parent, name))
                total += getattr(state, "st_blocks", -(-state.st_size // 512)) * 512
    return total


@contextmanager
def disk_errors() -> Iterator[None]:
    """Turns an `OSError` into `StoreFull` or `StoreError`."""
    try:
        yield
    except OSError as exc:
        kind = StoreFull if exc.errno == errno.ENOSPC else StoreError
        raise kind(
            f"the index cannot be written: {exc.strerror}",
            "Check the data folder's disk and its permissions.",
        ) from exc


def write_atomically(path: Path, data: bytes) -> None:
    """Replace `path` by way of a synced temporary file beside it; raises `OSError`."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
