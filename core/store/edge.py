"""A collection in Qdrant Edge: one shard, which is one folder, in this process.

What shapes this module: the engine never releases Python's lock, so writes go in small
batches; its write-ahead log makes every acknowledged write survive a kill and is the
lock between processes, so it stays on; exact search is fast enough, so no HNSW index
is ever built (`indexing_threshold=0`); a full disk kills the process, so free space is
checked before writing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import StoreError
from core.ids import point_id
from core.store.checks import check_delete, check_point, check_vector
from core.store.edge_convert import (
    engine_error,
    index_type,
    shard_config,
    to_filter,
    to_point,
    to_vectors,
)
from core.store.files import MIN_FREE_BYTES, check_room
from core.store.ports import Condition, Hit, Payload, Point, SparseVector, constant
from core.store.qdrant import DENSE, SPARSE, hits_of, in_order, selector
from core.store.schema import CollectionSchema

if TYPE_CHECKING:
    from core.store.ports import Vector

logger = logging.getLogger(__name__)

BATCH = 64
"""Points per write: about 10 ms during which nothing else of this process runs."""
FLUSH_BYTES = 16 << 20
"""Flush after this much, so that the log to be replayed after a kill stays short."""

T = TypeVar("T")


class EdgeCollection:
    """`Collection` in the folder `path`. Opened by `ensure`."""

    def __init__(
        self, path: Path, schema: CollectionSchema, *, min_free: int = MIN_FREE_BYTES
    ) -> None:
        self.path = path
        self.schema = schema
        self._min_free = min_free
        self._shard: Any = None
        self._pending = 0
        self._lock = threading.RLock()

    def ensure(self) -> None:
        """Load or create the shard, create missing payload indexes and drop needless ones.

        Raises `StoreLocked` if another process has it, `StoreCorrupt` if its files
        cannot be read, `StoreFull` without room for a new one.
        """
        import qdrant_edge as edge

        with self._lock:
            if self._shard is None:
                if (self.path / "edge_config.json").exists():
                    self._shard = self._engine(lambda: edge.EdgeShard.load(str(self.path)))
                else:
                    self._check_room(0)
                    self.path.mkdir(parents=True, exist_ok=True)
                    config = shard_config(self.schema)
                    self._shard = self._engine(
                        lambda: edge.EdgeShard.create(str(self.path), config)
                    )
            present, wanted = self.indexes(), self.schema.indexed_embedded
            for name in sorted(wanted.keys() - present):
                make = edge.UpdateOperation.create_field_index
                self._update(make(name, index_type(wanted[name])))
            for name in sorted(present - wanted.keys()):  # an older mindnet's
                self._update(edge.UpdateOperation.delete_field_index(name))

    def indexes(self) -> frozenset[str]:
        return frozenset(self._do(lambda shard: shard.info()).payload_schema)

    def lacking(self) -> frozenset[str]:
        return frozenset(self.schema.indexed_embedded.keys() - self.indexes())

    def upsert(self, points: Iterable[Point]) -> int:
        import qdrant_edge as edge

        done = 0
        stream = iter(points)
        while batch := list(islice(stream, BATCH)):
            size = sum(check_point(self.schema, point) for point in batch)
            name = self.schema.id_field
            records = [
                edge.Point(point_id(point.id), to_vectors(point), _named(point, name))
                for point in batch
            ]
            with self._lock:
                self._check_room(size)
                self._update(edge.UpdateOperation.upsert_points(records))
                self._wrote(size)
            done += len(batch)
        return done

    def delete(self, where: Condition) -> int:
        import qdrant_edge as edge

        if not check_delete(self.schema, where):
            return 0
        with self._lock:
            found = self.count(where)
            if found:
                self._update(edge.UpdateOperation.delete_points_by_filter(to_filter(where)))
                self._wrote(64 * found)
        return found

    def delete_ids(self, ids: Iterable[str]) -> None:
        import qdrant_edge as edge

        if points := [point_id(natural) for natural in ids]:
            with self._lock:
                self._update(edge.UpdateOperation.delete_points([*points]))
                self._wrote(64 * len(points))

    def set_payload(self, where: Condition, payload: Payload) -> None:
        import qdrant_edge as edge

        if constant(where) is False or not payload:
            return
        size = check_point(self.schema, Point("set_payload", payload=payload))
        operation = edge.UpdateOperation.set_payload_by_filter(
            to_filter(where) or edge.Filter(), dict(payload)
        )
        with self._lock:
            self._check_room(size)
            self._update(operation)
            self._wrote(size)

    def get(self, ids: Iterable[str], *, vectors: bool = False) -> list[Point]:
        keys = [point_id(natural) for natural in ids]
        if not keys:
            return []
        records = self._do(
            lambda shard: shard.retrieve(keys, with_payload=True, with_vector=vectors)
        )
        return in_order(keys, ((r.id, to_point(r, self.schema, vectors)) for r in records))

    def scan(
        self,
        where: Condition | None = None,
        fields: Sequence[str] | None = None,
        *,
        vectors: bool = False,
        page: int = 512,
    ) -> Iterator[Point]:
        import qdrant_edge as edge

        if constant(where) is False:
            return
        condition = to_filter(where)
        offset = None
        while True:
            request = edge.ScrollRequest(
                offset=offset,
                limit=page,
                filter=condition,
                with_payload=selector(self.schema, fields),
                with_vector=vectors,
            )
            records, offset = self._do(partial(_scroll, request=request))
            for record in records:
                yield to_point(record, self.schema, vectors)
            if offset is None:
                return

    def count(self, where: Condition | None = None) -> int:
        import qdrant_edge as edge

        if constant(where) is False:
            return 0
        request = edge.CountRequest(exact=True, filter=to_filter(where))
        return int(self._do(lambda shard: shard.count(request)))

    def search(
        self,
        vector: Vector,
        where: Condition | None = None,
        limit: int = 10,
        fields: Sequence[str] | None = None,
    ) -> list[Hit]:
        check_vector(self.schema, vector, "the query")
        return self._query(vector.tolist(), DENSE, where, limit, fields)

    def search_sparse(
        self,
        sparse: SparseVector,
        where: Condition | None = None,
        limit: int = 10,
        fields: Sequence[str] | None = None,
    ) -> list[Hit]:
        import qdrant_edge as edge

        if not sparse.indices:
            return []
        query = edge.SparseVector(list(sparse.indices), list(sparse.values))
        return self._query(query, SPARSE, where, limit, fields)

    @property
    def pending_bytes(self) -> int:
        return self._pending

    def flush(self) -> None:
        with self._lock:
            if self._pending:
                self._do(lambda shard: shard.flush())
                self._pending = 0

    def optimize(self) -> None:
        with self._lock:
            self._do(lambda shard: shard.optimize())

    def close(self) -> None:
        with self._lock:
            if self._shard is None:
                return
            try:
                self.flush()
            finally:
                shard, self._shard = self._shard, None
                shard.close()

    def _query(
        self,
        vector: Any,
        using: str,
        where: Condition | None,
        limit: int,
        fields: Sequence[str] | None,
    ) -> list[Hit]:
        import qdrant_edge as edge

        if constant(where) is False or limit < 1:
            return []
        request = edge.QueryRequest(
            limit=limit,
            query=edge.Query.Nearest(vector, using=using),
            filter=to_filter(where),
            with_payload=selector(self.schema, fields),
        )
        return hits_of(self.schema, self._do(lambda shard: shard.query(request)))

    def _check_room(self, size: int) -> None:
        check_room(self.path, 4 * size, self._min_free)

    def _wrote(self, size: int) -> None:
        self._pending += max(size, 1)
        if self._pending >= FLUSH_BYTES:
            self.flush()

    def _update(self, operation: Any) -> None:
        self._do(lambda shard: shard.update(operation))

    def _do(self, call: Callable[[Any], T]) -> T:
        shard = self._shard
        if shard is None:
            raise StoreError(f"{self.schema.name} is closed")
        return self._engine(lambda: call(shard))

    def _engine(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except BaseException as exc:
            if error := engine_error(exc, self.schema.name):
                raise error from exc
            raise


def _named(point: Point, name: str) -> dict[str, Any]:
    """The payload with the point's natural id in it."""
    payload = point.payload
    if type(payload) is dict and payload.get(name) == point.id:
        return payload
    return {**payload, name: point.id}


def _scroll(shard: Any, request: Any) -> Any:
    return shard.scroll(request)
