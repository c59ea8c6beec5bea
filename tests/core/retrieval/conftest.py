from __future__ import annotations

import pytest

from core.embedding.bundled import BundledEmbedder
from tests.core.retrieval.kit import EXAMPLES, Space


@pytest.fixture(scope="session")
def example() -> Space:
    """The example vault, indexed with the bundled model."""
    return Space(EXAMPLES / "vault", BundledEmbedder())
