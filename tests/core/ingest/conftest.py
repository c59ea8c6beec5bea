from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.ingest.kit import Vault


@pytest.fixture(params=["memory", "edge"])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Vault]:
    """An empty vault with a store in memory and one in Qdrant Edge."""
    made = Vault(tmp_path, request.param)
    yield made
    made.store.close()
