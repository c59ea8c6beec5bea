"""The collections that the contract suite runs against."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.store.edge import EdgeCollection
from core.store.memory import MemoryCollection
from core.store.ports import Collection
from core.store.schema import CollectionSchema

SCHEMA = CollectionSchema(
    "test_chunks",
    "chunk_id",
    {
        "chunk_id": "keyword",
        "note_id": "keyword",
        "type": "keyword",
        "tags": "keyword",
        "title": "text",
        "index": "integer",
    },
    dim=4,
    sparse=True,
)

MakeCollection = Callable[[CollectionSchema], Collection]


@pytest.fixture(params=["memory", "edge"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeCollection]:
    """Makes an empty, ensured collection of a given schema."""
    made: list[Collection] = []

    def make_one(schema: CollectionSchema) -> Collection:
        one: Collection
        if request.param == "memory":
            one = MemoryCollection(schema)
        else:
            one = EdgeCollection(tmp_path / schema.name, schema, min_free=0)
        one.ensure()
        made.append(one)
        return one

    yield make_one
    for one in made:
        one.close()


@pytest.fixture
def collection(make: MakeCollection) -> Collection:
    return make(SCHEMA)
