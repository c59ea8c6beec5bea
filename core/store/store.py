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
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.errors import InvalidArguments, StoreCorrupt, StoreError
from core.store.files import disk_errors
from core.store.generation import Generation
from core.store.home import GENERATION, FolderHome, Home, MemoryHome, current_folder, lock_store
from core.store.lexicon import Lexicon
from core.store.manifest import Expected, Manifest, differences, read_manifest
from core.store.place import FolderPlace, Make
from core.store.ports import Collection
from core.store.schema import SCHEMA_VERSION

logger = logging.getLogger(__name__)

PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


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

    def __init__(self, generation: Generation, report: Report, home: Home) -> None:
        self._generation = generation
        self.report = report
        self._home = home

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

    def require(self, size: int) -> None:
        """Raise `StoreFull` unless there is room for `size` more bytes, roughly."""
        self._generation.require(size)

    def begin_write(self) -> bool:
        """Before a job that writes; then `keep_write` now and then, and `end_write`. False
        where another machine wrote in between: close and open the store first. Raises
        `StoreLocked` while another machine writes."""
        return self._home.begin_write(self._generation)

    def keep_write(self) -> None:
        """Say that the writer is alive; raises `StoreLocked` where another one took over."""
        self._home.keep_write()

    def end_write(self) -> None:
        """Make everything durable, and let other machines write."""
        self.flush()
        self._home.end_write()

    def begin_rebuild(self, expected: Expected) -> Generation:
        """An empty generation to be filled; then `finish_rebuild`, or `abandon_rebuild`.
        The old one stays in use meanwhile. Raises `StoreFull` without room for both."""
        return self._home.fresh(expected, self._generation)

    def finish_rebuild(self, fresh: Generation) -> None:
        """Put `fresh` in the place of the generation in use, and remove that one.

        A read that is under way in the old one may end with `StoreError`: try it again.
        """
        fresh.flush()
        self._home.adopt(fresh)
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
            self._home.release()

    def abandon(self) -> None:
        """Close without writing anything: what is known of the store is out of date."""
        self._generation.abandon()
        self._home.release()

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
    if not PREFIX.fullmatch(prefix):
        raise InvalidArguments("the collection prefix may hold letters, digits, - and _ only")
    root = path / prefix
    with disk_errors():
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = lock_store(root)
    home = FolderHome(root, prefix, lock, make)
    try:
        with disk_errors():
            generation, report = _opened(home, expected)
    except BaseException:
        lock.release()
        raise
    return Store(generation, report, home)


def memory_store(prefix: str = "mindnet", expected: Expected | None = None) -> Store:
    """An empty store in memory: for tests, and for dry runs that write nothing."""
    home = MemoryHome(prefix)
    return Store(home.fresh(expected or Expected()), Report("new"), home)


def report_of(
    manifest: Manifest, expected: Expected, reasons: list[str], generation: Generation
) -> Report:
    """What was found of a generation that could be opened; `reasons` speak for a rebuild."""
    if reasons:
        same_space = (manifest.model, manifest.dim) == (expected.model, expected.dim)
        return Report("rebuild", tuple(reasons), vectors=same_space)
    doubts = tuple(generation.doubts)
    return Report("resync", doubts) if doubts else Report("ready")


def _opened(home: FolderHome, expected: Expected) -> tuple[Generation, Report]:
    folder = current_folder(home.root)
    manifest = read_manifest(folder) if folder else None
    reasons: list[str] = []
    generation = None
    if folder and manifest is None:
        reasons.append("its manifest is missing or damaged")
    elif folder and manifest:
        reasons = differences(manifest, expected)
        if manifest.schema_version == SCHEMA_VERSION:
            try:
                generation = home.open(folder, manifest)
            except StoreCorrupt as exc:
                logger.warning("%s", exc.message)
                reasons = [exc.message]
    if generation is None or manifest is None:
        report = Report("rebuild", tuple(reasons)) if reasons else Report("new")
        generation = home.fresh(expected)
        home.adopt(generation)
    else:
        report = report_of(manifest, expected, reasons, generation)
    for other in home.root.iterdir():
        if GENERATION.fullmatch(other.name) and other != generation.folder:
            FolderPlace(other).remove()
    return generation, report


def _discard(generation: Generation) -> None:
    try:
        generation.close()
    except StoreError as exc:  # its points are not needed any more, damaged or not
        logger.info("discarding: %s", exc.message)
    generation.place.remove()
