"""A collection on a Qdrant server, through `qdrant-client`.

Imported only where `store.mode` is `server`: the client costs a second and 55 MB. Searches
are exact, writes are waited for, and the server flushes and compacts by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import StoreError
from core.ids import point_id
from core.store.checks import check_delete, check_point, check_vector
from core.store.ports import Condition, Hit, Payload, Point, SparseVector, constant
from core.store.qdrant import DENSE, SPARSE, hits_of, in_order, selector
from core.store.schema import CollectionSchema
from core.store.server_calls import call
from core.store.server_convert import (
    collection_config,
    index_type,
    to_filter,
    to_point,
    to_record,
    to_sparse,
)

if TYPE_CHECKING:
    from core.store.ports import Vector

BATCH = 64
"""Points per request: a few hundred kilobytes, far below the server's limit of 32 MB."""

T = TypeVar("T")


class ServerCollection:
    """`Collection` under the name `name` on the server behind `client`, a `QdrantClient`
    that is shared and not closed here. Opened by `ensure`."""

    def __init__(
        self,
        client: Any,
        name: str,
        schema: CollectionSchema,
        *,
        shards: int = 1,
        replicas: int = 1,
    ) -> None:
        self.name = name
        self.schema = schema
        self._client = client
        self._spread = {"shard_number": shards, "replication_factor": replicas}
        self._open = False
        self._pending = 0
        self._lock = threading.RLock()

    def ensure(self) -> None:
        """Create the collection and its payload indexes where they are missing."""
        with self._lock:
            self._open = True
            if not self._do("collection_exists"):
                self._do("create_collection", **collection_config(self.schema), **self._spread)
            for field in sorted(self.lacking()):
                self._do(
                    "create_payload_index",
                    field_name=field,
                    field_schema=index_type(self.schema.indexed[field]),
                    wait=True,
                )

    def indexes(self) -> frozenset[str]:
        return frozenset(self._do("get_collection").payload_schema or ())

    def lacking(self) -> frozenset[str]:
        return frozenset(self.schema.indexed.keys() - self.indexes())

    def upsert(self, points: Iterable[Point]) -> int:
        done = 0
        stream = iter(points)
        while batch := list(islice(stream, BATCH)):
            size = sum(check_point(self.schema, point) for point in batch)
            # the last of several with one id counts, whatever order the server takes them in
            records = [to_record(point, self.schema) for point in {p.id: p for p in batch}.values()]
            with self._lock:
                self._do("upsert", points=records, wait=True)
                self._pending += max(size, 1)
            done += len(batch)
        return done

    def delete(self, where: Condition) -> int:
        from qdrant_client import models

        if not check_delete(self.schema, where):
            return 0
        condition = to_filter(where)
        if condition is None:  # never send an empty filter: it deletes everything
            raise StoreError(f"{self.schema.name}: a delete without a condition")
        with self._lock:
            found = self.count(where)
            if found:
                selector = models.FilterSelector(filter=condition)
                self._do("delete", points_selector=selector, wait=True)
                self._pending += 64 * found
        return found

    def delete_ids(self, ids: Iterable[str]) -> None:
        from qdrant_client import models

        if points := list(dict.fromkeys(point_id(natural) for natural in ids)):
            with self._lock:
                selector = models.PointIdsList(points=[*points])
                self._do("delete", points_selector=selector, wait=True)
                self._pending += 64 * len(points)

    def set_payload(self, where: Condition, payload: Payload) -> None:
        from qdrant_client import models

        if constant(where) is False or not payload:
            return
        size = check_point(self.schema, Point("set_payload", payload=payload))
        condition = to_filter(where) or models.Filter()
        with self._lock:
            self._do("set_payload", payload=dict(payload), points=condition, wait=True)
            self._pending += size

    def get(self, ids: Iterable[str], *, vectors: bool = False) -> list[Point]:
        wanted = [point_id(natural) for natural in ids]
        if not wanted:
            return []
        records = self._do("retrieve", ids=wanted, with_payload=True, with_vectors=vectors)
        return in_order(wanted, ((r.id, to_point(r, self.schema, vectors)) for r in records))

    def scan(
        self,
        where: Condition | None = None,
        fields: Sequence[str] | None = None,
        *,
        vectors: bool = False,
        page: int = 512,
    ) -> Iterator[Point]:
        if constant(where) is False:
            return
        ask = partial(
            self._do,
            "scroll",
            scroll_filter=to_filter(where),
            limit=page,
            with_payload=selector(self.schema, fields),
            with_vectors=vectors,
        )
        offset = None
        while True:
            records, offset = ask(offset=offset)
            for record in records:
                yield to_point(record, self.schema, vectors)
            if offset is None:
                return

    def count(self, where: Condition | None = None) -> int:
        if constant(where) is False:
            return 0
        return int(self._do("count", count_filter=to_filter(where), exact=True).count)

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
        if not sparse.indices:
            return []
        return self._query(to_sparse(sparse), SPARSE, where, limit, fields)

    @property
    def pending_bytes(self) -> int:
        return self._pending

    def flush(self) -> None:
        """Nothing to do: every write was waited for."""
        self._pending = 0

    def optimize(self) -> None:
        """Nothing to do: the server does it by itself."""

    def close(self) -> None:
        self._open = False
        self._pending = 0

    def drop(self) -> None:
        """Remove the collection from the server; a missing one is fine."""
        call(partial(self._client.delete_collection, collection_name=self.name))

    def _query(
        self,
        vector: Any,
        using: str,
        where: Condition | None,
        limit: int,
        fields: Sequence[str] | None,
    ) -> list[Hit]:
        from qdrant_client import models

        if constant(where) is False or limit < 1:
            return []
        answer = self._do(
            "query_points",
            query=vector,
            using=using,
            query_filter=to_filter(where),
            limit=limit,
            search_params=models.SearchParams(exact=True),
            with_payload=selector(self.schema, fields),
        )
        return hits_of(self.schema, answer.points)

    def _do(self, method: str, **arguments: Any) -> Any:
        if not self._open:
            raise StoreError(f"{self.schema.name} is closed")
        made: Callable[..., Any] = getattr(self._client, method)
        return call(partial(made, collection_name=self.name, **arguments))
