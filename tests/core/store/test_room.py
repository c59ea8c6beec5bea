"""Room on the disk: asked for before an import and a rebuild, and said by how much it lacks."""

from __future__ import annotations

import shutil
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import StoreFull
from core.ingest.pipeline import GROWTH
from core.service.engine import Engine
from core.service.jobs import Job
from core.settings import Settings
from core.store.files import MIN_FREE_BYTES, check_room, folder_size
from tests.core.ingest.kit import Vault
from tests.support.cores import write_vault
from tests.support.fake_embedder import FakeEmbedder
from tests.support.waiting import wait_for

Usage = namedtuple("Usage", "total used free")
MB = 1 << 20
SetFree = Callable[[int], None]


@pytest.fixture
def set_free(monkeypatch: pytest.MonkeyPatch) -> SetFree:
    """Says how many bytes are free on every disk."""

    def change(free: int) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(free, 0, free))

    return change


def test_the_message_says_how_much_is_missing(tmp_path: Path, set_free: SetFree) -> None:
    set_free(MIN_FREE_BYTES + 10 * MB)
    check_room(tmp_path / "not" / "there", 10 * MB)
    with pytest.raises(StoreFull) as caught:
        check_room(tmp_path, 30 * MB)
    assert "266 MB free, but 286 MB are needed: 20 MB are missing" in caught.value.message
    with pytest.raises(StoreFull, match="1 MB are missing"):
        check_room(tmp_path, 10 * MB + 1)


def test_holes_in_files_take_no_room(tmp_path: Path) -> None:
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(64 * MB)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "full").write_bytes(b"x" * MB)
    assert MB <= folder_size(tmp_path) < 2 * MB
    assert folder_size(tmp_path / "none") == 0


def test_an_import_that_would_not_fit_is_not_begun(tmp_path: Path, set_free: SetFree) -> None:
    vault = Vault(tmp_path, "edge")
    try:
        vault.write("a.md", "small\n")
        vault.sync()
        before = vault.content()
        vault.write("b.md", "word " * 40_000)
        size = (vault.root / "b.md").stat().st_size
        set_free(MIN_FREE_BYTES + GROWTH * size - 1)
        with pytest.raises(StoreFull, match="1 MB are missing"):
            vault.importer.sync()
        assert vault.content() == before
        assert vault.importer.sync(dry_run=True).changed == 1
        set_free(MIN_FREE_BYTES + GROWTH * size)
        assert vault.sync().changed == 1
        vault.check()
        set_free(MIN_FREE_BYTES + MB)
        vault.write("a.md", "small, but another\n")
        assert vault.sync("a.md").changed == 1, "a note that is there already needs no more"
    finally:
        vault.store.close()


def test_a_rebuild_without_room_leaves_the_old_index_in_use(
    tmp_path: Path, set_free: SetFree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.service.engine.RETRY_SECONDS", 0.05)
    monkeypatch.setattr("core.service.engine.IDLE_FLUSH_SECONDS", 0.05)
    root, data = write_vault(tmp_path / "vault", heron="A heron in the reeds."), tmp_path / "data"
    first = Engine(root, data, Settings(), None)
    first.submit(Job(None)).result.result(20)
    first.close()
    set_free(MIN_FREE_BYTES)
    engine = Engine(root, data, Settings(), FakeEmbedder())
    try:
        with pytest.raises(StoreFull, match="are missing"):
            engine.submit(Job(None)).result.result(20)
        status = engine.status()
        assert status.store.state == "rebuild"
        assert "are missing" in (status.index.last_error or "")
        assert engine.store.chunks.count() == 1
        assert len(list((data / "store" / "mindnet").glob("g*"))) == 1
        set_free(1 << 40)
        wait_for(lambda: engine.status().store.state == "ready", 20)
        assert engine.store.manifest.dim == 16
    finally:
        engine.close()
