"""Our points and conditions in Qdrant Edge's words, and back."""

from __future__ import annotations

from typing import Any

from core.errors import StoreCorrupt, StoreError, StoreLocked
from core.store.ports import (
    Condition,
    Eq,
    In,
    Point,
    Range,
    SparseVector,
    Where,
    constant,
)
from core.store.qdrant import DENSE, SPARSE
from core.store.schema import CollectionSchema, IndexKind

UNUSED = "_none"
"""Declared where a collection has no vectors at all; the engine wants at least one."""


def to_filter(where: Condition | None) -> Any:
    """A `qdrant_edge.Filter`, or None where `where` matches everything."""
    import qdrant_edge as edge

    if where is None or constant(where) is True:
        return None
    found = _condition(where)
    return found if isinstance(found, edge.Filter) else edge.Filter(must=[found])


def _condition(where: Condition) -> Any:
    import qdrant_edge as edge

    match where:
        case Eq(field, value):
            return edge.FieldCondition(field, match=edge.MatchValue(value))
        case In(field, values):
            return edge.FieldCondition(field, match=edge.MatchAny([*values]))
        case Range(field, gte, lte, gt, lt):
            if constant(where):
                return edge.Filter()
            bounds = edge.RangeFloat(gte=gte, lte=lte, gt=gt, lt=lt)
            return edge.FieldCondition(field, range=bounds)
        case Where(all_, any_, none):
            return edge.Filter(
                must=[_condition(part) for part in all_] or None,
                should=[_condition(part) for part in any_] or None,
                must_not=[_condition(part) for part in none] or None,
            )


def to_point(record: Any, schema: CollectionSchema, vectors: bool) -> Point:
    """The point of a `qdrant_edge.Record`; `vectors` says whether they were asked for."""
    natural = record.payload[schema.id_field]
    if not vectors or not record.vector:
        return Point(natural, payload=record.payload)
    import numpy as np

    dense, sparse = record.vector.get(DENSE), record.vector.get(SPARSE)
    return Point(
        natural,
        None if dense is None else np.asarray(dense, dtype=np.float32),
        None if sparse is None else SparseVector(sparse.indices, sparse.values),
        record.payload,
    )


def index_type(kind: IndexKind) -> Any:
    """The `qdrant_edge.PayloadSchemaType` of an index."""
    import qdrant_edge as edge

    kinds = edge.PayloadSchemaType
    return {"keyword": kinds.Keyword, "integer": kinds.Integer, "text": kinds.Text}[kind]


def shard_config(schema: CollectionSchema) -> Any:
    """The `qdrant_edge.EdgeConfig` of a new shard."""
    import qdrant_edge as edge

    dense = {}
    if schema.dim is not None:
        dense[DENSE] = edge.EdgeVectorParams(schema.dim, edge.Distance.Cosine)
    sparse = {}
    if schema.sparse or not dense:
        sparse[SPARSE if schema.sparse else UNUSED] = edge.EdgeSparseVectorParams()
    return edge.EdgeConfig(
        vectors=dense or None,
        sparse_vectors=sparse or None,
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=0),
        wal_enabled=True,
    )


def to_vectors(point: Point) -> dict[str, Any]:
    """The named vectors of a point; a missing one is left out, not sent as null."""
    import qdrant_edge as edge

    vectors: dict[str, Any] = {}
    if point.vector is not None:
        vectors[DENSE] = point.vector.tolist()
    if point.sparse is not None and point.sparse.indices:
        vectors[SPARSE] = edge.SparseVector(list(point.sparse.indices), list(point.sparse.values))
    return vectors


def engine_error(exc: BaseException, name: str) -> StoreError | None:
    """What an error of the engine means, None for one that is not the engine's.

    The engine raises bare `Exception`, and panics (no `Exception` at all) on some
    damaged files. Our input is checked before, so a failure inside it means damage.
    """
    panic = type(exc).__name__ == "PanicException"
    if not panic and not isinstance(exc, Exception):
        return None
    text = str(exc).partition("\n")[0][:200]
    if "WouldBlock" in text:
        return StoreLocked(
            "the index is in use by another process",
            "Close the other program that has this vault open, or wait for it to end.",
        )
    if "not initialized" in text:
        return StoreError(f"{name} is closed")
    return StoreCorrupt(
        f"the index {name} cannot be read: {text}", "It has to be built again from the notes."
    )
