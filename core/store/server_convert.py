"""Our points and conditions in a Qdrant server's words, and back."""

from __future__ import annotations

from typing import Any

from core.ids import point_id
from core.store.ports import Condition, Eq, In, Point, Range, SparseVector, Where, constant
from core.store.qdrant import DENSE, SPARSE
from core.store.schema import CollectionSchema


def to_filter(where: Condition | None) -> Any:
    """A `qdrant_client` filter, or None where `where` matches everything."""
    from qdrant_client import models

    if where is None or constant(where) is True:
        return None
    found = _condition(where)
    return found if isinstance(found, models.Filter) else models.Filter(must=[found])


def _condition(where: Condition) -> Any:
    from qdrant_client import models

    match where:
        case Eq(field, value):
            return models.FieldCondition(key=field, match=models.MatchValue(value=value))
        case In(field, values):
            return models.FieldCondition(key=field, match=models.MatchAny(any=[*values]))
        case Range(field, gte, lte, gt, lt):
            if constant(where):
                return models.Filter()
            bounds = models.Range(gte=gte, lte=lte, gt=gt, lt=lt)
            return models.FieldCondition(key=field, range=bounds)
        case Where(all_, any_, none):
            return models.Filter(
                must=[_condition(part) for part in all_] or None,
                should=[_condition(part) for part in any_] or None,
                must_not=[_condition(part) for part in none] or None,
            )


def to_record(point: Point, schema: CollectionSchema) -> Any:
    """The `PointStruct` of a point; a missing vector is left out."""
    from qdrant_client import models

    vectors: dict[str, Any] = {}
    if point.vector is not None:
        vectors[DENSE] = point.vector.tolist()
    if point.sparse is not None and point.sparse.indices:
        vectors[SPARSE] = to_sparse(point.sparse)
    payload = {**point.payload, schema.id_field: point.id}
    return models.PointStruct(id=point_id(point.id), vector=vectors, payload=payload)


def to_sparse(sparse: SparseVector) -> Any:
    """A `qdrant_client` sparse vector; indices ascend, as ours do where they are read back."""
    from qdrant_client import models

    pairs = sorted(zip(sparse.indices, sparse.values, strict=True))
    return models.SparseVector(
        indices=[int(index) for index, _ in pairs], values=[float(value) for _, value in pairs]
    )


def to_point(record: Any, schema: CollectionSchema, vectors: bool) -> Point:
    """The point of a record; `vectors` says whether they were asked for."""
    payload = record.payload or {}
    natural = payload[schema.id_field]
    if not vectors or not record.vector:
        return Point(natural, payload=payload)
    import numpy as np

    dense, sparse = record.vector.get(DENSE), record.vector.get(SPARSE)
    return Point(
        natural,
        None if dense is None else np.asarray(dense, dtype=np.float32),
        None if sparse is None else SparseVector(sparse.indices, sparse.values),
        payload,
    )


def collection_config(schema: CollectionSchema) -> dict[str, Any]:
    """The vectors of a new collection.

    No HNSW graph (`m=0`): searches are exact, as in Qdrant Edge, so every backend gives the
    same answers; at the size of a vault that takes milliseconds.
    """
    from qdrant_client import models

    dense = {}
    if schema.dim is not None:
        dense[DENSE] = models.VectorParams(size=schema.dim, distance=models.Distance.COSINE)
    return {
        "vectors_config": dense,
        "sparse_vectors_config": {SPARSE: models.SparseVectorParams()} if schema.sparse else None,
        "hnsw_config": models.HnswConfigDiff(m=0),
    }


def index_type(kind: str) -> Any:
    """The `PayloadSchemaType` of an index."""
    from qdrant_client import models

    return models.PayloadSchemaType(kind)
