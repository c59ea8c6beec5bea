"""What a sync decides to do."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import EmbeddingUnavailable
from core.ingest.catalog import Catalog, Record
from core.ingest.embed import WindowVectors, embeddable, mean_vector
from core.ingest.plan import plan
from tests.support.fake_embedder import FakeEmbedder


def record(note_id: str, path: str = "", signature: str = "s", derivation: str = "d") -> Record:
    return Record(note_id, path or f"{note_id}.md", signature, derivation)


@pytest.mark.parametrize(
    ("wanted", "write"),
    [
        (record("a"), []),
        (record("a", signature="t"), ["a.md"]),
        (record("a", derivation="e"), ["a.md"]),
        (record("a", path="sub/a.md"), ["sub/a.md"]),
        (record("b"), ["b.md"]),
    ],
)
def test_what_is_written(wanted: Record, write: list[str]) -> None:
    todo = plan([wanted], Catalog([record("a")]), [])
    assert [r.path for r in todo.write] == write


def test_a_note_without_file_is_deleted_and_a_moved_one_gives_its_vectors() -> None:
    stored = Catalog([record("old", signature="same"), record("other", signature="x")])
    todo = plan([record("new", signature="same"), record("other")], stored, ["old.md"])
    assert todo.delete == ("old",)
    assert todo.reuse == {"new.md": ("old",), "other.md": ("other",)}


def test_a_changed_id_at_the_same_path_replaces_the_old_one() -> None:
    todo = plan([record("new", path="a.md")], Catalog([record("a")]), [])
    assert (todo.delete, todo.reuse) == (("a",), {"a.md": ("a",)})


def test_an_id_that_moved_to_another_path_is_kept() -> None:
    todo = plan([record("a", path="b.md")], Catalog([record("a")]), ["a.md"])
    assert (todo.delete, [r.path for r in todo.write]) == ((), ["b.md"])


def test_full_writes_everything_and_reuses_nothing() -> None:
    todo = plan([record("a")], Catalog([record("a")]), [], full=True)
    assert (len(todo.write), todo.reuse) == (1, {})


def test_paths_that_were_not_looked_at_are_left_alone() -> None:
    todo = plan([record("a")], Catalog([record("a"), record("b")]), [])
    assert (todo.write, todo.delete) == ((), ())


def test_the_catalog_follows_puts_and_drops() -> None:
    catalog = Catalog([record("a"), record("b", path="a.md")])
    assert catalog.at("a.md") == ["a", "b"]
    catalog.put(record("a", path="c.md"))
    catalog.drop("nobody")
    assert (catalog.at("a.md"), catalog.at("c.md"), len(catalog)) == (["b"], ["a"], 2)
    catalog.drop("b")
    assert catalog.at("a.md") == []


def test_known_windows_are_not_embedded_and_a_refused_group_fails_alone() -> None:
    embedder = FakeEmbedder()
    embedder.refuses = {"bad"}
    vectors = WindowVectors({"one": embedder.embed_query("one")})
    vectors.make(embedder, {"x": ["one", "two"], "y": ["bad"], "z": ["two", "three"]})
    assert set(vectors.failed) == {"y"}
    assert sorted(embedder.inputs) == ["three", "two"]
    assert vectors.counted == 2
    assert np.allclose(vectors["three"], embedder.embed_query("three"))


def test_vectors_of_a_wrong_shape_are_refused() -> None:
    class Narrow(FakeEmbedder):
        def embed_query(self, text: str) -> np.ndarray:
            raise EmbeddingUnavailable("not used")

        def embed_documents(self, texts: object) -> np.ndarray:
            return np.zeros((1, 3), dtype=np.float32)

    vectors = WindowVectors({})
    vectors.make(Narrow(), {"x": ["one"]})
    assert "shape" in vectors.failed["x"]


def test_mean_vector() -> None:
    one, two = np.array([1, 0], dtype=np.float32), np.array([0, 1], dtype=np.float32)
    mean = mean_vector([one, two])
    assert mean is not None
    assert np.allclose(mean, [0.5**0.5] * 2)
    assert mean_vector([]) is None
    assert mean_vector([one, -one]) is None


def test_what_a_model_can_understand() -> None:
    assert embeddable("a")
    assert embeddable("漢")
    assert not embeddable("--- ***")
