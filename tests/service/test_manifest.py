"""A store that was built otherwise is built anew in the background, and swapped in whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.api import QueryRequest
from core.service.engine import Engine
from core.service.jobs import Job
from core.settings import Settings, read_settings
from core.store.manifest import read_manifest, write_manifest
from tests.service.test_engine import Gate
from tests.support.cores import write_vault
from tests.support.fake_embedder import FakeEmbedder


def start(folder: Path, embedder: Any = None, settings: Settings | None = None) -> Engine:
    root = write_vault(folder / "vault", heron="A heron in the reeds.", otter="An otter.")
    return Engine(root, folder / "data", settings or Settings(), embedder or FakeEmbedder())


def filled(folder: Path) -> Path:
    """The folder of the generation of a filled and closed store."""
    engine = start(folder)
    engine.submit(Job(None)).result.result(20)
    engine.close()
    (generation,) = (folder / "data" / "store" / "mindnet").glob("g*")
    return generation


@pytest.mark.parametrize(
    ("field", "answers"),
    [
        ("chunking_version", True),
        ("terms_version", True),
        ("model", True),
        ("schema_version", False),
    ],
)
def test_a_mismatch_is_mended_in_the_background(tmp_path: Path, field: str, answers: bool) -> None:
    """Points of another schema cannot be read, so that then nothing answers meanwhile."""
    old = filled(tmp_path)
    manifest = read_manifest(old)
    assert manifest is not None
    other: Any = "another" if field == "model" else 0
    write_manifest(old, msgspec.structs.replace(manifest, **{field: other}))
    engine = start(tmp_path)
    try:
        assert engine.status().store.state == "rebuild"
        gate = Gate("write")
        job = engine.submit(Job(None, on_progress=gate))
        assert gate.reached.wait(20)
        assert bool(engine.store.notes.count()) is answers
        if answers:
            assert engine.query(QueryRequest(query="heron")).hits[0].path == "heron.md"
        gate.open()
        assert job.result.result(20).notes == 2
        assert engine.status().store.state == "ready"
        assert engine.query(QueryRequest(query="heron")).hits[0].path == "heron.md"
        folder = engine.store.generation.folder
        assert folder is not None
        assert folder != old
        assert list(folder.parent.glob("g*")) == [folder]
    finally:
        engine.close()
    engine = start(tmp_path)
    try:
        assert engine.status().store.state == "ready"
        assert engine.submit(Job(None)).result.result(20).changed == 0
    finally:
        engine.close()


def test_a_prefix_is_an_index_of_its_own(tmp_path: Path) -> None:
    filled(tmp_path)
    other, _ = read_settings({"prefix": "second"})
    engine = start(tmp_path, settings=other)
    try:
        assert engine.status().store.state == "new"
        assert engine.submit(Job(None)).result.result(20).notes == 2
        assert engine.store.notes.schema.name == "second_notes"
    finally:
        engine.close()
    engine = start(tmp_path)
    try:
        assert engine.submit(Job(None)).result.result(20).changed == 0
    finally:
        engine.close()
