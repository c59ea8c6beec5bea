"""IX: the index and its store. Each case by its number."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.api import QueryRequest, SyncProgress
from core.errors import Cancelled, EmbeddingUnavailable, StoreLocked
from core.service.engine import Engine
from core.service.jobs import Job
from core.settings import Settings
from core.store.manifest import Expected
from core.store.ports import Eq
from core.store.store import open_store
from tests.core.ingest.kit import Vault
from tests.service.test_engine import Gate
from tests.support.cores import cores, kill_core, until_ready, write_vault
from tests.support.fake_embedder import FakeEmbedder

SECTION = "Water runs through the sluice and the reeds bend. " * 20


@pytest.fixture(params=["memory", "edge"])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Vault]:
    made = Vault(tmp_path, request.param)
    yield made
    made.store.close()


def sections(topic: str, count: int = 3) -> str:
    parts = (f"# {topic} {n}\n\n{topic} {n}: {SECTION}\n\n" for n in range(count))
    return "---\ntype: journal\n---\n" + "".join(parts)


def paths(vault: Vault, text: str) -> list[str]:
    hits = vault.store.chunks.search(vault.embedder.embed_query(text), limit=50)
    return [hit.payload["path"] for hit in hits]


@pytest.mark.parametrize("batches", [("both",), ("old", "new"), ("new", "old"), ("all",)])
def test_ix_01_a_renamed_note_is_found_once(vault: Vault, batches: tuple[str, ...]) -> None:
    """In whatever order and company its two events come."""
    old, new = "Reeds.md", "Reed ＆ sedge.md"
    vault.write(old, sections("Reed"))
    assert vault.sync().chunks == 3
    before = {p.id: p.vector for p in vault.store.chunks.scan(vectors=True)}
    vault.move(old, new)
    for batch in batches:
        vault.sync(*{"both": (old, new), "old": (old,), "new": (new,), "all": ()}[batch])
    vault.check()
    assert paths(vault, "Reed 1 water sluice") == [new] * 3
    assert {p["title"] for p in vault.content()["chunks"].values()} == {"Reed 0"}
    assert vault.store.counts()["notes"] == 1
    assert vault.store.chunks.count() == len(before) == 3
    assert all(p.vector is not None for p in vault.store.chunks.scan(vectors=True))


def test_ix_01_a_note_with_an_id_keeps_its_points(vault: Vault) -> None:
    vault.write("Reeds.md", "---\nid: reeds\n---\n" + SECTION)
    vault.sync()
    ids = vault.content()["chunks"].keys()
    vault.move("Reeds.md", "deep/er/Reeds.md")
    assert vault.counted(lambda: vault.sync("Reeds.md", "deep/er/Reeds.md")) == []
    assert vault.content()["chunks"].keys() == ids
    assert set(paths(vault, "sluice")) == {"deep/er/Reeds.md"}


def test_ix_02_a_failed_note_is_named_and_tried_again(vault: Vault) -> None:
    for name in ("one", "two", "three"):
        vault.write(f"{name}.md", f"Text of {name}.\n")
    vault.embedder.refuses = {"Text of two"}
    first = vault.importer.sync()
    assert ([f.path for f in first.failed], first.changed) == (["two.md"], 2)
    vault.embedder.refuses = set()
    vault.start()
    texts = vault.counted(vault.sync)
    assert len(texts) == 1
    assert "Text of two" in texts[0]
    vault.check()


def test_ix_02_old_vectors_stay_until_the_new_ones_are_stored(vault: Vault) -> None:
    vault.write("a.md", "The old text about weirs.\n")
    vault.sync()
    before = vault.content()
    vault.write("a.md", "The new text about weirs.\n")
    vault.embedder.refuses = {"new text"}
    for _ in range(2):
        assert [f.path for f in vault.importer.sync().failed] == ["a.md"]
        assert vault.content() == before
        assert paths(vault, "weirs") == ["a.md"]
    vault.embedder.refuses = set()
    assert vault.sync().changed == 1


@pytest.mark.parametrize(
    "now",
    [FakeEmbedder(dim=24, model="m24"), FakeEmbedder(dim=16, model="other16"), None],
    ids=["dimension", "model", "none"],
)
def test_ix_03_another_model_is_another_index(tmp_path: Path, now: FakeEmbedder | None) -> None:
    """The old one answers, and says what it is; then the new one is swapped in, whole."""
    root = write_vault(tmp_path / "vault", heron="A heron in the reeds.", otter="An otter swims.")
    data = tmp_path / "data"
    first = Engine(root, data, Settings(), FakeEmbedder(dim=16, model="m16"))
    first.submit(Job(None)).result.result(20)
    first.close()
    engine = Engine(root, data, Settings(), now)
    try:
        gate = Gate("write")
        job = engine.submit(Job(None, on_progress=gate))
        assert gate.reached.wait(20)
        answer = engine.query(QueryRequest(query="heron"))
        assert answer.hits[0].path == "heron.md"
        notice = answer.notice or ""
        assert ("built with m16 and is being built anew" in notice) is (now is not None)
        with pytest.raises(EmbeddingUnavailable) as caught:
            engine.query(QueryRequest(query="heron", mode="semantic", locale="de"))
        assert caught.value.message.startswith("nur nach Wörtern gesucht")
        spaces = {point.vector.shape for point in engine.store.chunks.scan(vectors=True)}  # type: ignore[union-attr]
        assert spaces == {(16,)}, "nothing of the new model is in the old collection"
        gate.open()
        job.result.result(20)
        assert engine.query(QueryRequest(query="heron")).hits[0].path == "heron.md"
        manifest = engine.store.manifest
        expected = (now.model, now.dim) if now else ("", None)
        assert (manifest.model, manifest.dim) == expected
        vectors = [point.vector for point in engine.store.chunks.scan(vectors=True)]
        if now is None:
            assert vectors == [None, None]
        else:
            texts = [p.payload["window"] for p in engine.store.chunks.scan()]
            for vector, text in zip(vectors, texts, strict=True):
                np.testing.assert_allclose(vector, now.embed_query(text), atol=1e-5)
        assert len(list((data / "store" / "mindnet").glob("g*"))) == 1
    finally:
        engine.close()


def test_ix_04_nothing_to_delete_is_no_call(vault: Vault) -> None:
    calls: list[str] = []
    for collection in (vault.store.notes, vault.store.chunks, vault.store.edges):
        inner = collection._inner  # type: ignore[attr-defined]
        for name in ("delete", "delete_ids", "upsert"):
            real = getattr(inner, name)

            def noted(given: Any, *, real: Any = real, name: str = name) -> Any:
                items = given if name == "delete" else list(given)
                calls.append(name)
                assert name == "delete" or items, f"{name} of nothing"
                return real(items)

            setattr(inner, name, noted)
    vault.write("a.md", "one note\n")
    assert vault.sync().notes == 1
    calls.clear()
    assert vault.sync().notes == 1
    assert calls == []
    vault.delete("a.md")
    gone = vault.sync()
    assert (gone.notes, gone.chunks, gone.edges, gone.deleted) == (0, 0, 0, 1)
    calls.clear()
    empty = vault.sync()
    assert (empty.notes, empty.deleted, calls) == (0, 0, [])


def test_ix_04_many_points_are_paged_to_the_end(vault: Vault) -> None:
    for number in range(30):
        vault.write(f"n{number}.md", sections(f"T{number}", 2))
    vault.sync()
    assert len(list(vault.store.chunks.scan(page=7))) == 60
    assert len(vault.content()["notes"]) == 30


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINDNET_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MINDNET_CORE_IDLE_EXIT", "60")
    monkeypatch.setenv("PYTHONWARNINGS", "error")


@pytest.mark.e2e
@pytest.mark.usefixtures("environment")
async def test_ix_05_two_editors_and_a_kill(tmp_path: Path) -> None:
    """Both share one core; a program that opens the store itself is told; after `kill -9` the
    next call finds a fresh core, and no lock needs a hand."""
    root = write_vault(tmp_path / "vault", heron="A heron in the reeds.")
    async with cores() as made:
        one, two = made.client(root), made.client(root)
        for client in (one, two):
            await until_ready(client)
            answer = await client.call("POST", "/query", {"query": "heron"})
            assert [hit["path"] for hit in answer["hits"]] == ["heron.md"]
        with pytest.raises(StoreLocked, match="in use by another process"):
            open_store(one.folder / "store", "mindnet", Expected())
        first = kill_core(root)
        status = await until_ready(two)
        assert status["notes"] == 1
        assert (await one.call("GET", "/health"))["pid"] != first
        kill_core(root)
        with open_store(one.folder / "store", "mindnet", Expected()) as store:
            assert store.notes.count() == 1


def test_ix_06_only_what_changed_is_embedded(vault: Vault) -> None:
    for n in range(5):
        vault.write(f"n{n}.md", sections(f"Topic{n}"))
    assert len(vault.counted(vault.sync)) == 15
    vault.start()
    assert vault.counted(vault.sync) == [], "nothing at a restart"
    os.utime(vault.root / "n1.md", ns=(1, 1))
    assert vault.counted(vault.sync) == [], "nothing for a touched note"
    vault.write("n2.md", sections("Topic2").replace("Topic2 1: Water", "Topic2 1: Brine"))
    (text,) = vault.counted(vault.sync)
    assert "Brine" in text
    for n in range(5):
        vault.move(f"n{n}.md", f"moved/away/n{n}.md")
    assert vault.counted(vault.sync) == [], "nothing for a moved folder"
    vault.check()


def test_ix_06_what_was_embedded_before_a_stop_is_kept(vault: Vault) -> None:
    for n in range(80):
        vault.write(f"n{n:02}.md", f"Text number {n}\n")
    steps: list[SyncProgress] = []

    def stop() -> bool:
        return any(step.phase == "write" and step.done for step in steps)

    with pytest.raises(Cancelled):
        vault.importer.sync(on_progress=steps.append, cancelled=stop)
    done = vault.store.chunks.count()
    assert 0 < done < 80
    vault.start()
    assert len(vault.counted(vault.sync)) == 80 - done


GUIDE = "---\ntags: [river]\n---\n# Locks\n\n## Upper gate\n\n### Opening\n\nTurn twice.\n"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_ix_07_a_chunk_keeps_its_context(vault: Vault, eol: str) -> None:
    vault.write("guide.md", GUIDE.replace("\n", eol))
    (given,) = vault.counted(vault.sync)
    assert given.startswith("guide › Locks › Upper gate › Opening\n")
    assert "tags:" not in given
    assert "---" not in given
    (chunk,) = vault.content()["chunks"].values()
    assert (chunk["start_line"], chunk["end_line"]) == (9, 9)
    assert chunk["section"] == "Locks › Upper gate › Opening"
    assert chunk["path"] == "guide.md"
    assert vault.store.chunks.count(Eq("path", "guide.md")) == 1


def test_ix_07_an_empty_section_is_no_chunk(vault: Vault) -> None:
    vault.write("a.md", "# One\n\n## Empty\n\n## Full\n\nwords\n")
    vault.sync()
    (chunk,) = vault.content()["chunks"].values()
    assert chunk["section"] == "One › Full"
