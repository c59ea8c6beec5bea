"""A collection in memory, with the behaviour of the real ones: for tests and dry runs."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from core.ids import point_id
from core.store.checks import check_delete, check_point, check_vector
from core.store.ports import (
    Condition,
    Eq,
    Hit,
    In,
    Payload,
    Point,
    Range,
    SparseVector,
    Where,
    constant,
)
from core.store.schema import CollectionSchema

if TYPE_CHECKING:
    from core.store.ports import Vector


def matches(where: Condition | None, payload: Payload) -> bool:
    """Whether a payload meets the condition. A list matches if one of its elements does."""
    match where:
        case None:
            return True
        case Eq(field, value):
            return any(_same(found, value) for found in _values(payload, field))
        case In(field, values):
            return any(_same(found, value) for found in _values(payload, field) for value in values)
        case Range(field, gte, lte, gt, lt):
            return constant(where) is True or any(
                (gte is None or number >= gte)
                and (lte is None or number <= lte)
                and (gt is None or number > gt)
                and (lt is None or number < lt)
                for number in _values(payload, field)
                if isinstance(number, int | float) and not isinstance(number, bool)
            )
        case Where(all_, any_, none):
            return (
                all(matches(part, payload) for part in all_)
                and (not any_ or any(matches(part, payload) for part in any_))
                and not any(matches(part, payload) for part in none)
            )


def _values(payload: Payload, field: str) -> list[Any]:
    value = payload.get(field)
    return value if isinstance(value, list) else [value]


def _same(found: Any, value: Any) -> bool:
    return type(found) is type(value) and bool(found == value)


class MemoryCollection:
    """`Collection` in a dict by point id."""

    def __init__(self, schema: CollectionSchema) -> None:
        self.schema = schema
        self._points: dict[str, Point] = {}
        self._pending = 0

    def ensure(self) -> None:
        pass

    def indexes(self) -> frozenset[str]:
        return frozenset(self.schema.indexed)

    def lacking(self) -> frozenset[str]:
        return frozenset()

    def upsert(self, points: Iterable[Point]) -> int:
        batch = list(points)
        self._pending += sum(check_point(self.schema, point) for point in batch)
        for point in batch:
            payload = _json({**point.payload, self.schema.id_field: point.id})
            stored = Point(point.id, _unit(point.vector), _ascending(point.sparse), payload)
            self._points[point_id(point.id)] = stored
        return len(batch)

    def delete(self, where: Condition) -> int:
        if not check_delete(self.schema, where):
            return 0
        doomed = [key for key, point in list(self._points.items()) if matches(where, point.payload)]
        for key in doomed:
            del self._points[key]
        return len(doomed)

    def delete_ids(self, ids: Iterable[str]) -> None:
        for natural in ids:
            self._points.pop(point_id(natural), None)

    def set_payload(self, where: Condition, payload: Payload) -> None:
        check_point(self.schema, Point("set_payload", payload=payload))
        for key, point in list(self._points.items()):
            if matches(where, point.payload):
                changed = {**point.payload, **_json(payload)}
                self._points[key] = Point(point.id, point.vector, point.sparse, changed)

    def get(self, ids: Iterable[str], *, vectors: bool = False) -> list[Point]:
        found = (self._points.get(point_id(natural)) for natural in ids)
        return [_out(self.schema, point, None, vectors) for point in found if point is not None]

    def scan(
        self,
        where: Condition | None = None,
        fields: Sequence[str] | None = None,
        *,
        vectors: bool = False,
        page: int = 512,
    ) -> Iterator[Point]:
        for _, point in sorted(self._points.items()):
            if matches(where, point.payload):
                yield _out(self.schema, point, fields, vectors)

    def count(self, where: Condition | None = None) -> int:
        return sum(matches(where, point.payload) for point in list(self._points.values()))

    def search(
        self,
        vector: Vector,
        where: Condition | None = None,
        limit: int = 10,
        fields: Sequence[str] | None = None,
    ) -> list[Hit]:
        check_vector(self.schema, vector, "the query")
        query = _unit(vector)
        return self._best(
            (
                (float(point.vector @ query), point)
                for point in list(self._points.values())
                if point.vector is not None and matches(where, point.payload)
            ),
            limit,
            fields,
        )

    def search_sparse(
        self,
        sparse: SparseVector,
        where: Condition | None = None,
        limit: int = 10,
        fields: Sequence[str] | None = None,
    ) -> list[Hit]:
        query = dict(zip(sparse.indices, sparse.values, strict=True))

        def scored() -> Iterator[tuple[float, Point]]:
            for point in self._points.values():
                if point.sparse is None or not matches(where, point.payload):
                    continue
                pairs = zip(point.sparse.indices, point.sparse.values, strict=True)
                parts = [query[index] * value for index, value in pairs if index in query]
                if parts:
                    yield sum(parts), point

        return self._best(scored(), limit, fields)

    @property
    def pending_bytes(self) -> int:
        return self._pending

    def flush(self) -> None:
        self._pending = 0

    def optimize(self) -> None:
        pass

    def close(self) -> None:
        self.flush()

    def _best(
        self, scored: Iterable[tuple[float, Point]], limit: int, fields: Sequence[str] | None
    ) -> list[Hit]:
        best = sorted(scored, key=lambda pair: (-pair[0], pair[1].id))[: max(limit, 0)]
        return [
            Hit(point.id, score, _out(self.schema, point, fields, False).payload)
            for score, point in best
        ]


def _out(
    schema: CollectionSchema, point: Point, fields: Sequence[str] | None, vectors: bool
) -> Point:
    payload = point.payload
    if fields is not None:
        wanted = {schema.id_field, *fields}
        payload = {key: value for key, value in payload.items() if key in wanted}
    payload = copy.deepcopy(dict(payload))
    if vectors:
        return Point(point.id, point.vector, point.sparse, payload)
    return Point(point.id, payload=payload)


def _json(payload: Payload) -> dict[str, Any]:
    """A copy in JSON's own types, as a real backend would give it back."""
    import json

    return dict(json.loads(json.dumps(payload)))


def _unit(vector: Any) -> Any:
    if vector is None:
        return None
    import numpy as np

    return (vector / np.linalg.norm(vector)).astype(np.float32)


def _ascending(sparse: SparseVector | None) -> SparseVector | None:
    if sparse is None or not sparse.indices:
        return None
    import numpy as np

    order = np.argsort(np.asarray(sparse.indices))
    values = np.asarray(sparse.values, dtype=np.float32)[order]
    return SparseVector(np.asarray(sparse.indices)[order].tolist(), values.tolist())
