"""Writing small files so that a reader finds the old one or the new one, whole."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import StoreError, StoreFull


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
