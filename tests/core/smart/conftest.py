from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from core.llm import local
from core.smart import judge
from tests.core.smart.kit import Desk, ollama
from tests.support.fake_ollama import FakeOllama


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with ollama() as fake:
        yield fake


@pytest.fixture
async def desk(
    tmp_path: Path, server: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Desk]:
    monkeypatch.setattr(judge, "SOONEST", 0.02)
    monkeypatch.setattr(judge, "LATEST", 0.1)
    monkeypatch.setattr(local, "FRESH_SECONDS", 0.05)
    made = Desk(tmp_path, server)
    yield made
    await made.stop()
