"""The same random operations give the same points and answers in every backend."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import UnsafeDelete
from core.store.ports import Collection, Condition, Eq, In, Point, Range, SparseVector, Where
from tests.core.store.conftest import BACKENDS, SCHEMA, making

STEPS = 60


class Chance:
    """Random points and conditions, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def point(self) -> Point:
        chance = self.random
        vector = sparse = None
        if chance.random() < 0.7:
            vector = np.array([chance.randint(1, 9) for _ in range(4)], dtype=np.float32)
        if chance.random() < 0.7:
            terms = sorted(chance.sample(range(12), chance.randint(1, 5)))
            sparse = SparseVector(terms, [float(chance.randint(1, 4)) for _ in terms])
        payload: dict[str, Any] = {
            "note_id": chance.choice("abc"),
            "type": chance.choice(["task", "concept", "日誌"]),
            "tags": chance.sample(["x", "y", "ä"], chance.randint(0, 3)),
            "index": chance.randint(0, 5),
            "title": chance.choice(["Über die Brücke", "", "🦆"]),
        }
        for name in chance.sample(sorted(payload), chance.randint(0, 2)):
            del payload[name]
        return Point(f"n#{chance.randint(0, 30)}", vector, sparse, payload)

    def where(self, depth: int = 0) -> Condition:
        chance = self.random
        match chance.randint(0, 4 if depth < 2 else 3):
            case 0:
                return Eq(chance.choice(["note_id", "type", "tags"]), chance.choice("abxä"))
            case 1:
                return In("tags", chance.sample(["x", "y", "ä"], chance.randint(0, 2)))
            case 2:
                low = chance.randint(0, 5)
                return Range("index", gte=low, lt=low + chance.randint(0, 3))
            case 3:
                return Eq("index", chance.randint(0, 5))
        parts = [[self.where(depth + 1) for _ in range(chance.randint(0, 2))] for _ in range(3)]
        return Where(*parts)


def steps(collection: Collection, seed: int) -> list[Any]:
    """What random operations answer, and what is there in the end."""
    chance, told = Chance(seed), list[Any]()
    for _ in range(STEPS):
        where = chance.where()
        match chance.random.randint(0, 5):
            case 0 | 1:
                batch = [chance.point() for _ in range(chance.random.randint(0, 9))]
                told.append(collection.upsert(batch))
            case 2:
                try:
                    told.append(collection.delete(where))
                except UnsafeDelete:
                    told.append("refused")
            case 3:
                collection.set_payload(where, {"area": chance.random.randint(0, 3)})
            case 4:
                collection.delete_ids(chance.point().id for _ in range(2))
            case 5:
                pages = [p.id for p in collection.scan(where, [], page=3)]
                told += [collection.count(where), pages]
        query = np.array([chance.random.randint(1, 9) for _ in range(4)], dtype=np.float32)
        terms = SparseVector([1, 4, 7], [1.0, 2.0, 0.5])
        # as many as there are: of equally good ones a backend may choose any for the last place
        for hits in (
            collection.search(query, where, 40, ["index"]),
            collection.search_sparse(terms, where, 40, ["index"]),
        ):
            assert [hit.payload["chunk_id"] for hit in hits] == [hit.id for hit in hits]
            told.append({hit.id: hit.score for hit in hits})
    points = list(collection.scan(vectors=True, page=4))
    told += [[(p.id, dict(p.payload)) for p in points]]
    told += [
        {f"{p.id} {i}": x for p in points if p.vector is not None for i, x in enumerate(p.vector)}
    ]
    told += [[p.sparse and [list(p.sparse.indices), list(p.sparse.values)] for p in points]]
    return told


@pytest.mark.parametrize("backend", [one for one in BACKENDS if one != "memory"])
def test_random_operations(backend: str, tmp_path: Path) -> None:
    for seed in range(4):
        with making("memory", tmp_path) as make:
            expected = steps(make(SCHEMA), seed)
        with making(backend, tmp_path / str(seed)) as make:
            found = steps(make(SCHEMA), seed)
        for mine, theirs in zip(found, expected, strict=True):
            close = isinstance(theirs, dict)  # numbers, which differ in their last digits
            assert mine == (pytest.approx(theirs, abs=1e-5) if close else theirs)
