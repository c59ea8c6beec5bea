"""The store's port: what every backend can do, and the neutral filter it understands.

A `Collection` holds points under *natural* ids (`chunk_id`, `note_id`, `edge_id`).
Backends turn them into UUIDv5 point ids (`core.ids.point_id`) and keep the natural
id in the payload, in the field that the collection's schema names.

All calls are synchronous and may hold Python's lock for a while: call them from a
worker thread. Writes are idempotent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.store.schema import CollectionSchema

    Vector: TypeAlias = NDArray[np.float32]

Payload: TypeAlias = Mapping[str, Any]
"""JSON values only: no dates, no NaN."""

Value: TypeAlias = str | int
"""What can be compared. Not bool: Qdrant Edge takes it for a number and finds nothing."""


@dataclass(frozen=True, slots=True)
class Eq:
    """The field has this value, or is a list that contains it."""

    field: str
    value: Value

    def __post_init__(self) -> None:
        if isinstance(self.value, bool):
            raise TypeError(f"{self.field}: a condition cannot compare booleans")


@dataclass(frozen=True, slots=True)
class In:
    """The field has one of these values, or is a list that contains one. No values: nothing
    matches."""

    field: str
    values: Sequence[str] | Sequence[int]


@dataclass(frozen=True, slots=True)
class Range:
    """The field is a number (or a list with a number) within the given bounds."""

    field: str
    gte: float | None = None
    lte: float | None = None
    gt: float | None = None
    lt: float | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """All of `all`, at least one of `any` (if it has any), and none of `none`."""

    all: Sequence[Condition] = ()
    any: Sequence[Condition] = ()
    none: Sequence[Condition] = ()


Condition: TypeAlias = Eq | In | Range | Where


def constant(where: Condition | None) -> bool | None:
    """True if `where` matches every point, False if none, None if it depends on the point.

    This is the check that stands between an empty condition and a delete: to a
    backend an empty filter means everything.
    """
    match where:
        case None:
            return True
        case Eq():
            return None
        case In(_, values):
            return None if values else False
        case Range(_, gte, lte, gt, lt):
            return True if gte is gt is lte is lt is None else None
        case Where():
            pass
    required = [constant(part) for part in where.all]
    refused = [constant(part) for part in where.none]
    options = [constant(part) for part in where.any]
    chosen = True if not options or True in options else (None if None in options else False)
    parts = [*required, chosen, *(None if part is None else not part for part in refused)]
    if False in parts:
        return False
    return None if None in parts else True


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Values at a few 32-bit indices; `indices` ascend."""

    indices: Sequence[int]
    values: Sequence[float]

    def __len__(self) -> int:
        return len(self.indices)


@dataclass(frozen=True, slots=True)
class Point:
    """What is stored. `vector` is a float32 array of the collection's dimension.

    A point read back has vectors only where they were asked for.
    """

    id: str
    vector: Vector | None = None
    sparse: SparseVector | None = None
    payload: Payload = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result. `score` is the cosine, or the dot product of sparse vectors."""

    id: str
    score: float
    payload: Payload


class Collection(Protocol):
    """One collection of points.

    `fields` restricts the payload that comes back (None: all of it); the natural id's
    field is always there. Every method may raise `core.errors.StoreError`; `StoreCorrupt`
    means that files are damaged and the store has to be rebuilt.
    """

    @property
    def schema(self) -> CollectionSchema: ...

    def ensure(self) -> None:
        """Create what is missing: the collection and its payload indexes."""
        ...

    def indexes(self) -> frozenset[str]:
        """The payload fields that are indexed."""
        ...

    def lacking(self) -> frozenset[str]:
        """Those that should be, on this backend, and are not."""
        ...

    def upsert(self, points: Iterable[Point]) -> int:
        """Insert or wholly replace points; returns how many. Nothing given, nothing done.

        Raises `InvalidPoint` for a vector of the wrong dimension, a zero or non-finite
        vector or a payload that is not JSON, before any point of its batch is written;
        `StoreFull` where the disk has no room for it.
        """
        ...

    def delete(self, where: Condition) -> int:
        """Delete what matches; returns how many there were.

        Raises `UnsafeDelete` for a condition that matches everything.
        """
        ...

    def delete_ids(self, ids: Iterable[str]) -> None:
        """Delete by natural id; unknown ids and none at all are fine."""
        ...

    def set_payload(self, where: Condition, payload: Payload) -> None:
        """Set these payload fields, and leave the others, on every point that matches."""
        ...

    def get(self, ids: Iterable[str], *, vectors: bool = False) -> list[Point]:
        """The points with these ids, in the order asked for; unknown ones are left out."""
        ...

    def scan(
        self,
        where: Condition | None = None,
        fields: Sequence[str] | None = None,
        *,
        vectors: bool = False,
        page: int = 512,
    ) -> Iterator[Point]:
        """All points that match, in the order of their point ids, `page` at a time."""
        ...

    def count(self, where: Condition | None = None) -> int:
        """Exact number of points that match."""
        ...

    def search(
        self,
        vector: Vector,
        where: Condition | None = None,
        limit: int = 10,
        fields: Sequence[str] | None = None,
    ) -> list[Hit]:
        """Nearest by cosine, best first, ties by id; points without a vector are not found.

        Raises `InvalidPoint` if `vector` has not the collection's dimension.
        """
        ...

    def search_sparse(
        self,
        sparse: SparseVector,
        where: Condition | None = None,
        limit: int = 10,
        fields: Sequence[str] | None = None,
    ) -> list[Hit]:
        """Highest dot product, best first, ties by id; only points that share an index."""
        ...

    @property
    def pending_bytes(self) -> int:
        """Roughly how much was written since the last flush."""
        ...

    def flush(self) -> None:
        """Make everything written so far durable."""
        ...

    def optimize(self) -> None:
        """Reclaim the room of deleted points; may take a while, so only when idle."""
        ...

    def close(self) -> None:
        """Flush and release the collection. Closing twice is fine."""
        ...
