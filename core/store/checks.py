"""What every backend checks before it writes or searches."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING

from core.errors import InvalidPoint, UnsafeDelete
from core.store.ports import Condition, Payload, Point, constant
from core.store.schema import CollectionSchema

if TYPE_CHECKING:
    from core.store.ports import Vector


def check_vector(schema: CollectionSchema, vector: Vector, name: str) -> None:
    """Raise `InvalidPoint` unless `vector` is finite, not zero and of the right dimension.

    `name` is the natural id, or what else to call it in the message.
    """
    import numpy as np

    if schema.dim is None:
        raise InvalidPoint(f"{schema.name} keeps no vectors, but {name} has one")
    if vector.shape != (schema.dim,):
        raise InvalidPoint(
            f"the vector of {name} has shape {vector.shape}, {schema.name} needs ({schema.dim},)",
            "The index was built with another embedding model: rebuild it.",
        )
    norm = float(np.dot(vector, vector))
    if not np.isfinite(norm) or norm == 0.0:
        raise InvalidPoint(f"the vector of {name} is zero or not finite")


def check_point(schema: CollectionSchema, point: Point) -> int:
    """Raise `InvalidPoint` unless the point can be stored; returns its size in bytes, roughly."""
    if not point.id:
        raise InvalidPoint(f"a point for {schema.name} has no id")
    size = 0
    if point.vector is not None:
        check_vector(schema, point.vector, point.id)
        size += point.vector.nbytes
    if point.sparse is not None:
        if not schema.sparse:
            raise InvalidPoint(f"{schema.name} keeps no sparse vectors, but {point.id} has one")
        if len(point.sparse.indices) != len(point.sparse.values):
            raise InvalidPoint(f"the sparse vector of {point.id} has unequal halves")
        size += 8 * len(point.sparse)
    try:
        size += _size(point.payload)
    except (TypeError, ValueError) as exc:  # UnicodeEncodeError (lone surrogate) is a ValueError
        raise InvalidPoint(f"the payload of {point.id} is not JSON: {type(exc).__name__}") from exc
    return size


def _size(payload: Payload) -> int:
    """The size of a payload as JSON, roughly; raises TypeError or ValueError where it is none."""
    size = 2
    for key, value in payload.items():
        size += len(key) + 6
        kind = type(value)
        if kind is str:
            size += len(value) if value.isascii() else len(value.encode())
        elif kind is int or value is None or (kind is float and isfinite(value)):
            size += 8
        else:
            size += len(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    return size


def check_delete(schema: CollectionSchema, where: Condition) -> bool:
    """Whether the delete can match anything at all; raises `UnsafeDelete` if it matches all."""
    verdict = constant(where)
    if verdict is True:
        raise UnsafeDelete(f"refused to delete every point of {schema.name}")
    return verdict is None
