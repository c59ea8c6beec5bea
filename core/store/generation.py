"""One generation of a store: its collections, their lexicon and their manifest."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import msgspec

from core.errors import StoreError
from core.store.lexicon import Lexicon
from core.store.manifest import Manifest
from core.store.place import Place
from core.store.ports import Collection
from core.store.schema import CHUNKS, EDGES, NOTES, collections
from core.store.tracked import TrackedCollection


class Generation:
    """The collections of one generation, with its lexicon and manifest, in `place`.

    Writes are serialised by one lock; reads are not.
    """

    def __init__(self, prefix: str, manifest: Manifest, place: Place) -> None:
        self.manifest = manifest
        self.place = place
        self.prefix = prefix
        self._lock = threading.RLock()
        self._inner: dict[str, Collection] = {}
        tracked = {}
        try:
            for role, schema in collections(prefix, manifest.dim).items():
                inner = place.collection(schema)
                inner.ensure()
                self._inner[role] = inner
                words = self._words if role == CHUNKS else None
                tracked[role] = TrackedCollection(inner, self._lock, self._dirty, words)
            counts = self.counts()
        except StoreError:
            self._close_inner()
            raise
        self.notes: Collection = tracked[NOTES]
        self.chunks: Collection = tracked[CHUNKS]
        self.edges: Collection = tracked[EDGES]
        self.doubts = _doubts(manifest, counts)
        """Why the points may not be what was last written; empty if they are. While there
        are doubts, the manifest never gets clean."""
        loaded = place.load_lexicon(manifest) if counts[CHUNKS] else None
        self.lexicon = loaded or Lexicon()
        self.lexicon_stale = bool(
            self.doubts or (counts[CHUNKS] and self.lexicon.documents != manifest.words)
        )

    @property
    def folder(self) -> Path | None:
        """The folder of its files, None for one that has none on this machine."""
        return self.place.folder

    def require(self, size: int) -> None:
        """Raise `StoreFull` unless there is room for `size` more bytes, roughly."""
        self.place.require(size)

    @property
    def pending_bytes(self) -> int:
        """Roughly how much was written since the last flush."""
        return sum(inner.pending_bytes for inner in self._inner.values())

    def counts(self) -> dict[str, int]:
        """Exact number of points by role."""
        return {role: inner.count() for role, inner in self._inner.items()}

    def flush(self) -> None:
        """Make everything durable and the manifest clean: when idle, and before closing."""
        with self._lock:
            unchanged = not self.pending_bytes and not self.lexicon.changed
            if unchanged and self.manifest.clean == (not self.doubts):
                return
            for inner in self._inner.values():
                inner.flush()
            manifest = msgspec.structs.replace(
                self.manifest,
                counts=self.counts(),
                words=self.lexicon.documents,
                clean=not self.doubts,
            )
            if self.lexicon_stale:  # must not look right at the next start
                manifest = msgspec.structs.replace(manifest, words=-1)
            manifest = self.place.stamped(manifest)
            if not self.lexicon_stale:
                self.place.save_lexicon(self.lexicon, manifest)
            self.place.write_manifest(manifest)
            self.lexicon.changed = False
            self.manifest = manifest

    def settle(self) -> None:
        """All points are right by now: no doubts any more, and the lexicon counted anew
        where it was stale, which reads every chunk."""
        with self._lock:
            self.doubts = []
            if self.lexicon_stale:
                self.lexicon = Lexicon.count(self._inner[CHUNKS])
                self.lexicon_stale = False

    def optimize(self) -> None:
        """Reclaim the room of deleted points; only when idle."""
        for one in (self.notes, self.chunks, self.edges):
            one.optimize()

    def close(self) -> None:
        """Flush and release everything; closing twice is fine."""
        with self._lock:
            if not self._inner:
                return
            try:
                self.flush()
            finally:
                self._close_inner()

    def abandon(self) -> None:
        """Release everything and write nothing."""
        with self._lock:
            self._close_inner()

    def _words(self) -> Lexicon:
        return self.lexicon

    def _dirty(self) -> None:
        if self.manifest.clean:
            unclean = self.place.stamped(msgspec.structs.replace(self.manifest, clean=False))
            self.place.write_manifest(unclean)
            self.manifest = unclean

    def _close_inner(self) -> None:
        with ExitStack() as closing:  # each is closed, whatever happens to the others
            for inner in self._inner.values():
                closing.callback(inner.close)
            self._inner = {}


def _doubts(manifest: Manifest, counts: dict[str, int]) -> list[str]:
    """Why the points may not be what was last written."""
    if not manifest.clean:
        return ["the index was not closed properly"] if any(counts.values()) else []
    return [
        f"{counts[role]} {role} instead of {expected}"
        for role, expected in sorted(manifest.counts.items())
        if counts.get(role, 0) != expected
    ]
