"""The store of one vault: three collections, their lexicon and their manifest.

On disk, below the vault's data folder:

    <prefix>/
      lock               held while a process has the store open; the kernel frees it
      current            names the generation in use
      g000001/           one generation: manifest.json, lexicon, and a folder a collection
      g000002/           the next one, while it is being rebuilt

A rebuild writes a fresh generation and then replaces `current`, so there are never two
embedding models in one collection, and a crash leaves the old generation in use.
"""

from __future__ import annotations

import logging
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.errors import InvalidArguments, StoreCorrupt, StoreError, StoreLocked
from core.store.files import disk_errors, write_atomically
from core.store.generation import Generation, Make
from core.store.lexicon import Lexicon
from core.store.manifest import (
    Expected,
    Manifest,
    differences,
    new_manifest,
    read_manifest,
    write_manifest,
)
from core.store.ports import Collection
from core.store.schema import SCHEMA_VERSION, CollectionSchema

logger = logging.getLogger(__name__)

_PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
GENERATION = re.compile(r"g\d{6,}")


@dataclass(frozen=True, slots=True)
class Report:
    """What opening found.

    `new`: empty, import everything. `ready`: nothing to do. `resync`: usable, but compare
    every note and its chunks with the store (it was not closed, or counts differ), then
    `Store.mark_synced`. `rebuild`: has to be built anew, `reasons` say why; what is there
    may be searched by words meanwhile, and by vectors if `vectors` is set.
    """

    state: Literal["new", "ready", "resync", "rebuild"]
    reasons: tuple[str, ...] = ()
    vectors: bool = True


class Store:
    """What the rest of the core works with: the generation in use, and its replacement."""

    def __init__(
        self, generation: Generation, report: Report, root: Path | None, make: Make, lock: Any
    ) -> None:
        self._generation = generation
        self.report = report
        self._root = root
        self._make = make
        self._lock = lock

    @property
    def notes(self) -> Collection:
        return self._generation.notes

    @property
    def chunks(self) -> Collection:
        return self._generation.chunks

    @property
    def edges(self) -> Collection:
        return self._generation.edges

    @property
    def lexicon(self) -> Lexicon:
        return self._generation.lexicon

    @property
    def manifest(self) -> Manifest:
        return self._generation.manifest

    @property
    def generation(self) -> Generation:
        return self._generation

    @property
    def pending_bytes(self) -> int:
        """Roughly how much was written since the last flush."""
        return self._generation.pending_bytes

    def counts(self) -> dict[str, int]:
        """Exact number of points by role: notes, chunks, edges."""
        return self._generation.counts()

    def flush(self) -> None:
        """Make everything durable: when idle, not after each save."""
        self._generation.flush()

    def optimize(self) -> None:
        """Reclaim the room of deleted points; only when idle."""
        self._generation.optimize()

    def begin_rebuild(self, expected: Expected) -> Generation:
        """An empty generation to be filled; then `finish_rebuild`, or `abandon_rebuild`.
        The old one stays in use meanwhile."""
        folder = None
        if self._root and self._generation.folder:
            folder = self._root / _next_name(self._root)
            with disk_errors():
                folder.mkdir(mode=0o700)
                write_manifest(folder, new_manifest(expected))
        return Generation(self._generation.prefix, new_manifest(expected), folder, self._make)

    def finish_rebuild(self, fresh: Generation) -> None:
        """Put `fresh` in the place of the generation in use, and remove that one.

        A read that is under way in the old one may end with `StoreError`: try it again.
        """
        fresh.flush()
        if self._root and fresh.folder:
            with disk_errors():
                _point_to(self._root, fresh.folder.name)
        old, self._generation = self._generation, fresh
        self.report = Report("ready")
        _discard(old)

    def abandon_rebuild(self, fresh: Generation) -> None:
        """Throw `fresh` away."""
        _discard(fresh)

    def mark_synced(self) -> None:
        """Every note was compared with the store (after `resync`, or an import): from here
        on the manifest may be clean again. Recounts the lexicon where that is due."""
        self._generation.settle()
        self.report = Report("ready")

    def close(self) -> None:
        """Flush, close, and let other processes in; closing twice is fine."""
        try:
            self._generation.close()
        finally:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(path: Path, prefix: str, expected: Expected, *, make: Make | None = None) -> Store:
    """Open or create the embedded store of a vault in `path`, and check it.

    Never waits and never rebuilds by itself: `Store.report` says what has to be done.
    Raises `StoreLocked` if another process has it open, `StoreFull` without room for a
    new one, `InvalidArguments` for a prefix that is no plain name.
    """
    if not _PREFIX.fullmatch(prefix):
        raise InvalidArguments("the collection prefix may hold letters, digits, - and _ only")
    root = path / prefix
    with disk_errors():
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = lock_store(root)
    try:
        with disk_errors():
            generation, report = _opened(root, prefix, expected, make or _edge)
    except BaseException:
        lock.release()
        raise
    return Store(generation, report, root, make or _edge, lock)


def memory_store(prefix: str = "mindnet", expected: Expected | None = None) -> Store:
    """An empty store in memory: for tests, and for dry runs that write nothing."""
    manifest = new_manifest(expected or Expected())
    return Store(Generation(prefix, manifest, None, _memory), Report("new"), None, _memory, None)


def _opened(root: Path, prefix: str, expected: Expected, make: Make) -> tuple[Generation, Report]:
    folder = current_folder(root)
    manifest = read_manifest(folder) if folder else None
    reasons: list[str] = []
    generation = None
    if folder and manifest is None:
        reasons.append("its manifest is missing or damaged")
    elif folder and manifest:
        reasons = differences(manifest, expected)
        if manifest.schema_version == SCHEMA_VERSION:
            try:
                generation = Generation(prefix, manifest, folder, make)
            except StoreCorrupt as exc:
                logger.warning("%s", exc.message)
                reasons = [exc.message]
    if generation is None or manifest is None:
        report = Report("rebuild", tuple(reasons)) if reasons else Report("new")
        generation = _created(root, prefix, expected, make)
    elif reasons:
        same_space = (manifest.model, manifest.dim) == (expected.model, expected.dim)
        report = Report("rebuild", tuple(reasons), vectors=same_space)
    else:
        doubts = tuple(generation.doubts)
        report = Report("resync", doubts) if doubts else Report("ready")
    for other in root.iterdir():
        if GENERATION.fullmatch(other.name) and other != generation.folder:
            _remove(other)
    return generation, report


def _created(root: Path, prefix: str, expected: Expected, make: Make) -> Generation:
    folder = root / _next_name(root)
    folder.mkdir(mode=0o700)
    write_manifest(folder, new_manifest(expected))
    generation = Generation(prefix, new_manifest(expected), folder, make)
    _point_to(root, folder.name)
    return generation


def current_folder(root: Path) -> Path | None:
    """The folder of the generation in use in `<store>/<prefix>`; None where there is none."""
    try:
        name = (root / "current").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    folder = root / name
    return folder if GENERATION.fullmatch(name) and folder.is_dir() else None


def _point_to(root: Path, name: str) -> None:
    write_atomically(root / "current", f"{name}\n".encode())


def _next_name(root: Path) -> str:
    taken = [int(p.name[1:]) for p in root.iterdir() if GENERATION.fullmatch(p.name)]
    return f"g{max(taken, default=0) + 1:06d}"


def _discard(generation: Generation) -> None:
    try:
        generation.close()
    except StoreError as exc:  # its points are not needed any more, damaged or not
        logger.info("discarding: %s", exc.message)
    _remove(generation.folder)


def _remove(folder: Path | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)  # what stays is removed at the next start


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


def _edge(schema: CollectionSchema, folder: Path | None) -> Collection:
    from core.store.edge import EdgeCollection

    if folder is None:
        raise StoreError(f"{schema.name} needs a folder")
    return EdgeCollection(folder, schema)


def _memory(schema: CollectionSchema, folder: Path | None) -> Collection:
    from core.store.memory import MemoryCollection

    return MemoryCollection(schema)
