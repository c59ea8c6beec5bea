"""The collections that the contract suite runs against."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.store.edge import EdgeCollection
from core.store.memory import MemoryCollection
from core.store.ports import Collection
from core.store.schema import CollectionSchema
from core.store.server import ServerCollection
from core.store.server_calls import connect
from tests.support.qdrant import LocalQdrant

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


REAL_SERVER = os.environ.get("MINDNET_TEST_QDRANT_URL", "")
"""A running Qdrant server; the tests make collections of their own there and remove them."""

BACKENDS = ["memory", "edge", "local", *(["server"] if REAL_SERVER else [])]
"""`local` is the adapter of the server over the client's own engine in memory."""


@contextmanager
def making(backend: str, folder: Path) -> Iterator[MakeCollection]:
    """Makes empty, ensured collections of a backend, and closes them at the end."""
    made: list[Collection] = []
    client = None
    if backend == "local":
        client = LocalQdrant()
    elif backend == "server":
        client = connect(REAL_SERVER, os.environ.get("MINDNET_TEST_QDRANT_API_KEY"))
    mark = uuid.uuid4().hex[:12]

    def make_one(schema: CollectionSchema) -> Collection:
        one: Collection
        if backend == "memory":
            one = MemoryCollection(schema)
        elif backend == "edge":
            one = EdgeCollection(folder / schema.name, schema, min_free=0)
        else:
            one = ServerCollection(client, f"test_{mark}_{schema.name}", schema)
        one.ensure()
        made.append(one)
        return one

    yield make_one
    for one in made:
        one.close()
        if isinstance(one, ServerCollection):
            one.drop()
    if client is not None:
        client.close()


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
