"""What the two adapters of Qdrant, the embedded engine and a server, do alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from core.store.ports import Hit, Point
from core.store.schema import CollectionSchema

DENSE = "dense"
SPARSE = "sparse"
"""Names of the vectors of a point."""


def selector(schema: CollectionSchema, fields: Sequence[str] | None) -> bool | list[str]:
    """What of a payload to ask for: all, or some fields with the natural id."""
    return True if fields is None else [schema.id_field, *fields]


def hits_of(schema: CollectionSchema, found: Iterable[Any]) -> list[Hit]:
    """The scored points of an answer, best first, ties by natural id."""
    hits = [Hit(hit.payload[schema.id_field], hit.score, hit.payload) for hit in found]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))


def in_order(keys: Sequence[str], points: Iterable[tuple[Any, Point]]) -> list[Point]:
    """Points with their point ids, in the order in which these were asked for."""
    found = {str(key): point for key, point in points}
    return [found[key] for key in keys if key in found]
