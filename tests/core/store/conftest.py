"""The collections that the contract suite runs against."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


BACKENDS = ["memory", "edge"]


@contextmanager
def making(backend: str, folder: Path) -> Iterator[MakeCollection]:
    """Makes empty, ensured collections of a backend, and closes them at the end."""
    made: list[Collection] = []

    def make_one(schema: CollectionSchema) -> Collection:
        one: Collection
        if backend == "memory":
            one = MemoryCollection(schema)
        else:
            one = EdgeCollection(folder / schema.name, schema, min_free=0)
        one.ensure()
        made.append(one)
        return one

    yield make_one
    for one in made:
        one.close()


@pytest.fixture(params=BACKENDS)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeCollection]:
    """Makes an empty collection of a given schema."""
    with making(request.param, tmp_path) as make_one:
        yield make_one


@pytest.fixture
def collection(make: MakeCollection) -> Collection:
    return make(SCHEMA)


@pytest.fixture(scope="module", params=BACKENDS)
def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Collection]:
    """A collection for tests that only read, because a new shard takes a while."""
    with making(request.param, tmp_path_factory.mktemp("shared")) as make_one:
        yield make_one(SCHEMA)
