"""What every collection does, whatever backend is behind it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import numpy as np
import pytest

from core.errors import InvalidPoint, StoreError, UnsafeDelete
from core.store.ports import (
    Collection,
    Condition,
    Eq,
    In,
    Point,
    Range,
    SparseVector,
    Where,
)
from core.store.schema import collections
from tests.core.store.conftest import SCHEMA, MakeCollection


def vec(*values: float) -> Any:
    return np.array(values, dtype=np.float32)


def chunk(name: str, vector: Any = None, sparse: dict[int, float] | None = None, **payload: Any):
    words = None if sparse is None else SparseVector(list(sparse), list(sparse.values()))
    return Point(name, vector, words, payload)


RIVER = [
    chunk(
        "a#c00", vec(1, 0, 0, 0), {1: 1.0, 7: 2.0}, note_id="a", type="task", tags=["x"], index=0
    ),
    chunk("a#c01", vec(1, 1, 0, 0), {7: 1.0}, note_id="a", type="task", tags=["x", "y"], index=1),
    chunk("b#c00", vec(0, 1, 0, 0), {4_000_000_000: 0.5}, note_id="b", type="concept", index=0),
    chunk("c#c00", note_id="c", type="concept", tags=[], index=2, title="Über die Brücke"),
]


@pytest.fixture
def river(collection: Collection) -> Collection:
    collection.upsert(RIVER)
    return collection


def ids(found: Sequence[Any]) -> list[str]:
    return [one.id for one in found]


def check_where(river: Collection, where: Condition | None, expected: str) -> None:
    """The condition finds exactly these ids by scan, count, search and sparse search."""
    wanted = sorted(expected.split())
    assert sorted(ids(list(river.scan(where, [])))) == wanted
    assert river.count(where) == len(wanted)
    dense = {"a#c00", "a#c01", "b#c00"} & set(wanted)
    assert set(ids(river.search(vec(1, 1, 1, 1), where))) == dense
    words = {"a#c00", "a#c01"} & set(wanted)
    assert set(ids(river.search_sparse(SparseVector([7], [1.0]), where))) == words


ALL = "a#c00 a#c01 b#c00 c#c00"
NEVER = In("note_id", ())


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (None, ALL),
        (Where(), ALL),
        (Eq("note_id", "a"), "a#c00 a#c01"),
        (Eq("note_id", "nobody"), ""),
        (Eq("no_such_field", "a"), ""),
        (Eq("tags", "y"), "a#c01"),
        (Eq("index", 0), "a#c00 b#c00"),
        (In("note_id", ("a", "c")), "a#c00 a#c01 c#c00"),
        (In("tags", ("x", "y")), "a#c00 a#c01"),
        (In("index", (1, 2)), "a#c01 c#c00"),
        (NEVER, ""),
        (Range("index", gte=1), "a#c01 c#c00"),
        (Range("index", gt=0, lt=2), "a#c01"),
        (Range("index", lte=0), "a#c00 b#c00"),
        (Range("index"), ALL),
        (Range("type", gte=0), ""),
        (Where(all=(Eq("type", "task"), Eq("index", 1))), "a#c01"),
        (Where(any=(Eq("note_id", "b"), Eq("tags", "y"))), "a#c01 b#c00"),
        (Where(none=(Eq("note_id", "a"),)), "b#c00 c#c00"),
        (Where(all=(Eq("index", 0),), none=(Eq("note_id", "a"),)), "b#c00"),
        (Where(all=(Where(any=(Eq("note_id", "a"), NEVER)), Range("index", gte=1))), "a#c01"),
        (Where(any=(NEVER,)), ""),
        (Where(none=(NEVER,)), ALL),
        (Where(none=(Where(),)), ""),
        (Where(none=(Where(all=(Eq("note_id", "a"), Eq("index", 0))),)), "a#c01 b#c00 c#c00"),
    ],
)
def test_filters(shared: Collection, where: Condition | None, expected: str) -> None:
    shared.upsert(RIVER)
    check_where(shared, where, expected)


def test_get_keeps_the_order_and_leaves_out_the_unknown(river: Collection) -> None:
    found = river.get(["c#c00", "nothing", "a#c00"], vectors=True)
    assert ids(found) == ["c#c00", "a#c00"]
    assert found[0].vector is None
    assert found[0].sparse is None
    assert found[0].payload["title"] == "Über die Brücke"
    assert found[1].vector.tolist() == [1, 0, 0, 0]
    assert list(found[1].sparse.indices) == [1, 7]
    assert list(found[1].sparse.values) == [1.0, 2.0]
    assert river.get([]) == []
    assert river.get(["a#c00"])[0].vector is None


def test_natural_id_is_in_the_payload(river: Collection) -> None:
    (found,) = river.get(["b#c00"])
    assert found.payload["chunk_id"] == "b#c00"


def test_only_the_fields_asked_for(river: Collection) -> None:
    where = Eq("note_id", "b")
    assert [p.payload for p in river.scan(where, ["type", "absent"])] == [
        {"chunk_id": "b#c00", "type": "concept"}
    ]
    (hit,) = river.search(vec(0, 1, 0, 0), where, fields=["type"])
    assert hit.payload == {"chunk_id": "b#c00", "type": "concept"}
    (hit,) = river.search(vec(0, 1, 0, 0), where)
    assert hit.payload["index"] == 0


def test_upsert_is_idempotent_and_replaces_the_whole_point(river: Collection) -> None:
    assert river.upsert(RIVER) == 4
    assert river.count() == 4
    river.upsert([chunk("a#c00", note_id="a", type="task")])
    (found,) = river.get(["a#c00"], vectors=True)
    assert dict(found.payload) == {"chunk_id": "a#c00", "note_id": "a", "type": "task"}
    assert found.vector is None
    assert found.sparse is None


def test_nothing_given_is_nothing_done(river: Collection) -> None:
    assert river.upsert([]) == 0
    assert river.upsert(iter(())) == 0
    river.delete_ids([])
    river.delete_ids(["unknown"])
    assert river.delete(In("note_id", ())) == 0
    river.set_payload(In("note_id", ()), {"type": "lost"})
    assert river.count() == 4
    assert river.count(Eq("type", "lost")) == 0


@pytest.mark.parametrize(
    "where",
    [
        Where(),
        Where(all=(Where(), Range("index"))),
        Where(any=(Where(), Eq("note_id", "a"))),
        Where(none=(In("note_id", ()),)),
    ],
)
def test_a_delete_of_everything_is_refused(river: Collection, where: Condition) -> None:
    with pytest.raises(UnsafeDelete):
        river.delete(where)
    assert river.count() == 4


def test_delete(river: Collection) -> None:
    assert river.delete(Eq("note_id", "a")) == 2
    assert river.delete(Eq("note_id", "a")) == 0
    assert sorted(ids(list(river.scan()))) == ["b#c00", "c#c00"]
    assert river.search_sparse(SparseVector([7], [1.0])) == []
    river.delete_ids(["b#c00", "b#c00"])
    assert ids(list(river.scan())) == ["c#c00"]


def test_a_deleted_point_can_come_back(river: Collection) -> None:
    river.delete_ids(["a#c00"])
    river.upsert(RIVER[:1])
    assert ids(river.search(vec(1, 0, 0, 0), limit=1)) == ["a#c00"]


def test_set_payload_leaves_vectors_and_other_fields(river: Collection) -> None:
    river.set_payload(Eq("note_id", "a"), {"type": "project", "area": "Fluss"})
    (found,) = river.get(["a#c01"], vectors=True)
    assert dict(found.payload) == {
        "chunk_id": "a#c01",
        "note_id": "a",
        "type": "project",
        "area": "Fluss",
        "tags": ["x", "y"],
        "index": 1,
    }
    assert found.vector is not None
    assert river.count(Eq("type", "project")) == 2
    river.set_payload(Where(), {"seen": 1})
    assert river.count(Eq("seen", 1)) == 4


def test_booleans_are_no_values_of_a_condition() -> None:
    with pytest.raises(TypeError, match="seen"):
        Eq("seen", True)


def test_search_ranks_by_cosine(river: Collection) -> None:
    hits = river.search(vec(2, 0, 0, 0))
    assert ids(hits) == ["a#c00", "a#c01", "b#c00"]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.5**0.5, 0.0], abs=1e-6)
    assert ids(river.search(vec(2, 0, 0, 0), limit=1)) == ["a#c00"]
    assert river.search(vec(2, 0, 0, 0), limit=0) == []


def test_search_sparse_ranks_by_dot_product(river: Collection) -> None:
    hits = river.search_sparse(SparseVector([1, 7, 99], [0.5, 2.0, 9.0]))
    assert [(hit.id, hit.score) for hit in hits] == [("a#c00", 4.5), ("a#c01", 2.0)]
    assert ids(river.search_sparse(SparseVector([4_000_000_000], [1.0]))) == ["b#c00"]
    assert river.search_sparse(SparseVector([], [])) == []


def test_indices_need_not_ascend(collection: Collection) -> None:
    collection.upsert([Point("p", sparse=SparseVector([9, 2], [1.0, 3.0]))])
    (found,) = collection.get(["p"], vectors=True)
    assert list(found.sparse.indices) == [2, 9]
    assert list(found.sparse.values) == [3.0, 1.0]


def test_ties_are_ordered_by_id(collection: Collection) -> None:
    collection.upsert(chunk(name, vec(0, 0, 1, 0), {3: 1.0}) for name in ("d", "b", "a", "c"))
    assert ids(collection.search(vec(0, 0, 1, 0))) == ["a", "b", "c", "d"]
    assert ids(collection.search_sparse(SparseVector([3], [1.0]))) == ["a", "b", "c", "d"]


def test_scan_pages_to_the_end(collection: Collection) -> None:
    collection.upsert(chunk(f"n#c{i:03d}", index=i, note_id=str(i % 2)) for i in range(300))
    seen = ids(list(collection.scan(page=7)))
    assert len(seen) == len(set(seen)) == 300
    assert ids(list(collection.scan(page=1000))) == seen
    assert len(list(collection.scan(Eq("note_id", "1"), ["index"], page=50))) == 150


def test_scan_order_is_that_of_the_point_ids(make: MakeCollection) -> None:
    points = [chunk(f"n#c{i:02d}") for i in range(40)]
    one = make(SCHEMA)
    one.upsert(reversed(points))
    from core.ids import point_id

    expected = sorted((p.id for p in points), key=point_id)
    assert ids(list(one.scan(page=9))) == expected


@pytest.mark.parametrize(
    "bad",
    [
        chunk("x", vec(1, 0)),
        chunk("x", vec(0, 0, 0, 0)),
        chunk("x", vec(float("nan"), 0, 0, 1)),
        chunk("x", vec(float("inf"), 0, 0, 1)),
        chunk("x", np.ones((2, 4), dtype=np.float32)),
        chunk("x", np.zeros(0, dtype=np.float32)),
        chunk("x", updated=date(2031, 2, 3)),
        chunk("x", confidence=float("nan")),
        chunk("x", text="half \ud83d"),
        chunk(""),
        Point("x", sparse=SparseVector([1, 2], [1.0])),
    ],
)
def test_a_bad_point_is_refused_before_anything_is_written(river: Collection, bad: Point) -> None:
    with pytest.raises(InvalidPoint):
        river.upsert([chunk("fine", vec(1, 1, 1, 1)), bad])
    assert river.count() == 4


def test_a_query_of_another_dimension_is_refused(river: Collection) -> None:
    with pytest.raises(InvalidPoint) as caught:
        river.search(vec(1, 0, 0))
    assert "rebuild" in caught.value.hint
    assert isinstance(caught.value, StoreError)


def test_json_comes_back_as_it_went(collection: Collection) -> None:
    payload = {
        "text": "Zeile 1\r\nZeile 2 😀 \u2028",
        "numbers": [1, -2, 3.5],
        "updated": 20310203040506,
        "nested": {"a": [None, True, {"b": ""}]},
        "empty": [],
        "nothing": None,
    }
    collection.upsert([Point("p", payload=payload)])
    (found,) = collection.get(["p"])
    assert dict(found.payload) == payload | {"chunk_id": "p"}


def test_collections_of_the_schema_take_what_they_are_made_for(make: MakeCollection) -> None:
    roles = {role: make(schema) for role, schema in collections("demo", 4).items()}
    roles["notes"].upsert([Point("n1", vec(1, 0, 0, 0)), Point("n2")])
    roles["edges"].upsert([Point("e1", payload={"kind": "references", "confidence": 1.0})])
    assert ids(roles["notes"].search(vec(1, 0, 0, 0))) == ["n1"]
    assert [p.payload["edge_id"] for p in roles["edges"].scan()] == ["e1"]
    with pytest.raises(InvalidPoint):
        roles["edges"].upsert([Point("e2", vec(1, 0, 0, 0))])
    with pytest.raises(InvalidPoint):
        roles["notes"].upsert([Point("n3", sparse=SparseVector([1], [1.0]))])


def test_the_fields_of_the_schema_are_indexed(collection: Collection) -> None:
    assert collection.indexes() == SCHEMA.indexed.keys()
    assert collection.lacking() == frozenset()


def test_a_field_without_an_index_is_filtered_by_all_the_same(make: MakeCollection) -> None:
    schema = dataclasses.replace(SCHEMA, name="asked", asked=frozenset(("note_id",)))
    one = make(schema)
    one.upsert([Point("a", payload={"type": "x"}), Point("b", payload={"type": "y"})])
    assert ids(one.scan(Eq("type", "y"))) == ["b"]
    assert one.lacking() == frozenset()
    assert {"note_id"} <= one.indexes() <= SCHEMA.indexed.keys()


def test_without_a_model_there_are_words_but_no_vectors(make: MakeCollection) -> None:
    chunks = make(collections("words", None)["chunks"])
    chunks.upsert([Point("c", sparse=SparseVector([5], [1.0]))])
    assert ids(chunks.search_sparse(SparseVector([5], [1.0]))) == ["c"]
    with pytest.raises(InvalidPoint):
        chunks.search(vec(1, 0, 0, 0))


def test_pending_bytes_until_flush(collection: Collection) -> None:
    collection.flush()
    assert collection.pending_bytes == 0
    collection.upsert(RIVER)
    assert collection.pending_bytes > 0
    collection.flush()
    assert collection.pending_bytes == 0


def test_optimize_and_close_twice(river: Collection) -> None:
    river.delete(Eq("note_id", "a"))
    river.optimize()
    assert river.count() == 2
    river.close()
    river.close()


def test_threads_share_a_collection(collection: Collection) -> None:
    def write_and_read(note: int) -> int:
        collection.upsert(chunk(f"{note}#{i}", vec(1, note, i, 0), note_id=note) for i in range(70))
        collection.search(vec(1, 0, 0, 0))
        return collection.count(Eq("note_id", note))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(write_and_read, range(8))) == [70] * 8
    assert collection.count() == 560


def test_scan_goes_on_while_points_come_and_go(collection: Collection) -> None:
    collection.upsert(chunk(f"n#{i}", note_id="n") for i in range(60))
    seen = []
    for point in collection.scan(page=10):
        seen.append(point.id)
        collection.delete_ids([point.id])
        collection.upsert([chunk(f"new#{point.id}", note_id="m")])
    assert {name for name in seen if name.startswith("n#")} == {f"n#{i}" for i in range(60)}
    assert collection.count(Eq("note_id", "n")) == 0
