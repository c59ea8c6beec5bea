"""The tests' own embedder keeps the port's promises, too."""

from __future__ import annotations

import numpy as np

from core.embedding.ports import Embedder
from tests.support.embedder import HashedEmbedder


def test_alike_where_words_are_shared() -> None:
    embedder = HashedEmbedder()
    port: Embedder = embedder
    rows = port.embed_documents(["Der Fluss steigt", "Das Budget sinkt", ""])
    assert rows.shape == (3, 64)
    assert np.argmax(rows @ port.embed_query("fluss")) == 0
    assert not rows[2].any()
    assert embedder.embedded == ["Der Fluss steigt", "Das Budget sinkt", ""]
