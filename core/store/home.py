"""Where the generations of one store live: which one is in use, and who may write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Protocol

from core.errors import StoreLocked
from core.store.files import disk_errors, folder_size, write_atomically
from core.store.generation import Generation
from core.store.manifest import Expected, new_manifest, write_manifest
from core.store.place import FolderPlace, Make, MemoryPlace

GENERATION = re.compile(r"g\d{6,}")


class Home(Protocol):
    """All generations of one store. Methods raise `StoreError`."""

    def fresh(self, expected: Expected, old: Generation) -> Generation:
        """A new, empty generation that will replace `old`."""
        ...

    def adopt(self, fresh: Generation) -> None:
        """Make it the one in use: from here on it is found at the next opening."""
        ...

    def begin_write(self, used: Generation) -> bool:
        """Take the right to write, for as long as `keep_write` is called now and then; False
        where somebody else wrote in between, so that what is known of `used` is out of date.

        Raises `StoreLocked` while somebody else has it.
        """
        ...

    def keep_write(self) -> None:
        """Say that the writer is alive. Raises `StoreLocked` where it lost its right."""
        ...

    def end_write(self) -> None:
        """Give the right to write back."""
        ...

    def release(self) -> None:
        """Let others in; releasing twice is fine."""
        ...


class OwnHome:
    """A store that no other process can have open: the right to write goes with it."""

    def begin_write(self, used: Generation) -> bool:
        return True

    def keep_write(self) -> None: ...

    def end_write(self) -> None: ...


class FolderHome(OwnHome):
    """The folder `<store>/<prefix>`, whose lock is held."""

    def __init__(self, root: Path, prefix: str, lock: Any, make: Make | None) -> None:
        self.root = root
        self._prefix = prefix
        self._lock = lock
        self._make = make

    def open(self, folder: Path, manifest: Any) -> Generation:
        """Open the generation in a folder."""
        return Generation(self._prefix, manifest, FolderPlace(folder, self._make))

    def fresh(self, expected: Expected, old: Generation | None = None) -> Generation:
        place = FolderPlace(self.root / self._next(), self._make)
        if old is not None and old.folder is not None:
            # as much as the one in use takes, beside it
            old.place.require(folder_size(old.folder))
        assert place.folder is not None
        with disk_errors():
            place.folder.mkdir(mode=0o700)
            write_manifest(place.folder, new_manifest(expected))
        return Generation(self._prefix, new_manifest(expected), place)

    def adopt(self, fresh: Generation) -> None:
        assert fresh.folder is not None
        with disk_errors():
            write_atomically(self.root / "current", f"{fresh.folder.name}\n".encode())

    def release(self) -> None:
        self._lock.release()

    def _next(self) -> str:
        taken = [int(p.name[1:]) for p in self.root.iterdir() if GENERATION.fullmatch(p.name)]
        return f"g{max(taken, default=0) + 1:06d}"


class MemoryHome(OwnHome):
    """Generations in memory."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def fresh(self, expected: Expected, old: Generation | None = None) -> Generation:
        return Generation(self._prefix, new_manifest(expected), MemoryPlace())

    def adopt(self, fresh: Generation) -> None: ...

    def release(self) -> None: ...


def current_folder(root: Path) -> Path | None:
    """The folder of the generation in use in `<store>/<prefix>`; None where there is none."""
    try:
        name = (root / "current").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    folder = root / name
    return folder if GENERATION.fullmatch(name) and folder.is_dir() else None


def lock_store(root: Path) -> Any:
    """The held lock of a store; `release` it. Raises `StoreLocked`."""
    from filelock import FileLock, Timeout

    lock = FileLock(root / "lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout as exc:
        raise StoreLocked(
            "the index is in use by another process",
            "Close the other program that has this vault open, or wait for it to end.",
        ) from exc
    return lock
