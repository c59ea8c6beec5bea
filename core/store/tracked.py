"""A collection whose store knows about every write: for the manifest and the lexicon."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from core.store.lexicon import Lexicon
from core.store.ports import Collection, Condition, Hit, Payload, Point, SparseVector, constant
from core.store.schema import CollectionSchema

if TYPE_CHECKING:
    from core.store.ports import Vector

BATCH = 64


class TrackedCollection:
    """`Collection` that calls `before_write` first, one writer at a time.

    With a lexicon, every sparse vector that comes or goes is counted there.
    """

    def __init__(
        self,
        inner: Collection,
        lock: threading.RLock,
        before_write: Callable[[], None],
        lexicon: Callable[[], Lexicon] | None = None,
    ) -> None:
        self._inner = inner
        self._lock = lock
        self._before_write = before_write
        self._lexicon = lexicon

    @property
    def schema(self) -> CollectionSchema:
        return self._inner.schema

    def ensure(self) -> None:
        self._inner.ensure()

    def indexes(self) -> frozenset[str]:
        return self._inner.indexes()

    def lacking(self) -> frozenset[str]:
        return self._inner.lacking()

    def upsert(self, points: Iterable[Point]) -> int:
        done = 0
        stream = iter(points)
        while batch := list(islice(stream, BATCH)):
            with self._lock:
                self._before_write()
                # a batch may hold one id twice: only the last of them stays
                batch = list({point.id: point for point in batch}.values())
                old = self._sparse_of(point.id for point in batch)
                done += self._inner.upsert(batch)
                self._count(old, [point.sparse for point in batch if point.sparse])
        return done

    def delete(self, where: Condition) -> int:
        with self._lock:
            self._before_write()
            old: list[SparseVector] = []
            if self._lexicon and constant(where) is None:
                old = [p.sparse for p in self._inner.scan(where, [], vectors=True) if p.sparse]
            found = self._inner.delete(where)
            self._count(old, [])
        return found

    def delete_ids(self, ids: Iterable[str]) -> None:
        if wanted := list(dict.fromkeys(ids)):
            with self._lock:
                self._before_write()
                old = self._sparse_of(wanted)
                self._inner.delete_ids(wanted)
                self._count(old, [])

    def set_payload(self, where: Condition, payload: Payload) -> None:
        with self._lock:
            self._before_write()
            self._inner.set_payload(where, payload)

    def get(self, ids: Iterable[str], *, vectors: bool = False) -> list[Point]:
        return self._inner.get(ids, vectors=vectors)

    def scan(
        self,
        where: Condition | None = None,
        fields: Sequence[str] | None = None,
        *,
        vectors: bool = False,
        page: int = 512,
    ) -> Iterator[Point]:
        return self._inner.scan(where, fields, vectors=vectors, page=page)

    def count(self, where: Condition | None = None) -> int:
        return self._inner.count(where)

    def search(
        self,
        vector: Vector,
        where: Condition | None = None,
        limit: int = 10,
        fields: Sequence[str] | None = None,
    ) -> list[Hit]:
        return self._inner.search(vector, where, limit, fields)

    def search_sparse(
        self,
        sparse: SparseVector,
        where: Condition | None = None,
        limit: int = 10,
        fields: Sequence[str] | None = None,
    ) -> list[Hit]:
        return self._inner.search_sparse(sparse, where, limit, fields)

    @property
    def pending_bytes(self) -> int:
        return self._inner.pending_bytes

    def flush(self) -> None:
        with self._lock:
            self._inner.flush()

    def optimize(self) -> None:
        with self._lock:
            self._inner.optimize()

    def close(self) -> None:
        with self._lock:
            self._inner.close()

    def _sparse_of(self, ids: Iterable[str]) -> list[SparseVector]:
        if self._lexicon is None:
            return []
        return [point.sparse for point in self._inner.get(ids, vectors=True) if point.sparse]

    def _count(self, old: list[SparseVector], new: list[SparseVector]) -> None:
        if self._lexicon is not None:
            lexicon = self._lexicon()
            lexicon.remove(old)
            lexicon.add(new)
