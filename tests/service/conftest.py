from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.cores import Cores, cores


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of all vaults, in which alone cores may write."""
    folder = tmp_path / "data"
    monkeypatch.setenv("MINDNET_DATA_DIR", str(folder))
    monkeypatch.setenv("MINDNET_CORE_IDLE_EXIT", "60")
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    for name in ("COLLECTION_PREFIX", "MINDNET_EMBEDDING_PROVIDER"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
async def core() -> AsyncIterator[Cores]:
    async with cores() as made:
        yield made
