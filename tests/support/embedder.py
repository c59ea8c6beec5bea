"""A small deterministic embedder: feature hashing of words, no model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np

from core.embedding.ports import EmbedderState
from core.embedding.sparse import words_of


class HashedEmbedder:
    """`Embedder` whose vectors are alike where texts share words. Counts its inputs."""

    state: EmbedderState = "ready"

    def __init__(self, dim: int = 64, model: str = "hashed") -> None:
        self.model = model
        self.dim = dim
        self.embedded: list[str] = []
        """Every document text that was embedded, in order."""

    def embed_documents(self, texts: Sequence[str]) -> Any:
        self.embedded.extend(texts)
        rows = [self._row(text) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dim)

    def embed_query(self, text: str) -> Any:
        return self._row(text)

    def _row(self, text: str) -> Any:
        row = np.zeros(self.dim, dtype=np.float32)
        for word in words_of(text):
            number = crc32(word.encode())
            row[number % self.dim] += 1 if number & 0x10000 else -1
        norm = np.linalg.norm(row)
        return row / norm if norm else row
