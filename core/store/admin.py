"""What can be said and done about a store without opening its collections."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from core.store.files import disk_errors
from core.store.home import GENERATION, current_folder, lock_store
from core.store.manifest import Expected, Manifest, differences, read_manifest


class Peek(msgspec.Struct, frozen=True):
    """A store that is there. `manifest` of None: it is damaged, and the next import builds it
    anew."""

    manifest: Manifest | None

    def outdated(self, expected: Expected) -> list[str]:
        """Why the next import builds it anew, in plain words; empty if it does not."""
        if self.manifest is None:
            return ["its manifest is missing or damaged"]
        return differences(self.manifest, expected)


def peek(path: Path, prefix: str) -> Peek | None:
    """The store of this prefix in `path`, None where there is none. Opens and changes nothing."""
    folder = current_folder(path / prefix)
    return None if folder is None else Peek(read_manifest(folder))


def wipe(path: Path, prefix: str) -> int:
    """Drop the collections of this prefix, of all generations; returns how many generations
    there were. Raises `StoreLocked` while a process has them open, and `StoreError`."""
    root = path / prefix
    if not root.is_dir():
        return 0
    with disk_errors():
        lock = lock_store(root)
        try:
            found = [one for one in root.iterdir() if GENERATION.fullmatch(one.name)]
            # first the pointer: what stays behind after a crash is removed at the next opening
            (root / "current").unlink(missing_ok=True)
            for one in found:
                shutil.rmtree(one)
        finally:
            lock.release()
    return len(found)
