"""An embedder without a model: the same text, the same vector; counts what it is given."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.embedding.ports import EmbedderState
from core.errors import EmbeddingUnavailable

Vectors = NDArray[np.float32]


class FakeEmbedder:
    """Vectors are sums of one random direction a word, so texts that share words are near.

    `inputs` are all texts embedded so far. Texts that hold one of `refuses` fail, as
    does everything while `away` is set. `state` follows `away`.
    """

    provider = "bundled"

    def __init__(self, dim: int = 16, model: str = "fake") -> None:
        self.model = model
        self.dim = dim
        self.inputs: list[str] = []
        self.calls = 0
        self.refuses: set[str] = set()
        self.away = False

    @property
    def state(self) -> EmbedderState:
        return "unavailable" if self.away else "ready"

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        if self.away:
            raise EmbeddingUnavailable("the model is away")
        for text in texts:
            if any(word in text for word in self.refuses):
                raise EmbeddingUnavailable("the model refused a text")
        self.inputs += texts
        return np.stack([self._vector(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        if self.away:
            raise EmbeddingUnavailable("the model is away")
        return self._vector(text)

    def _vector(self, text: str) -> Vectors:
        total = np.zeros(self.dim)
        for word in text.lower().split():
            total += np.random.default_rng(zlib.crc32(word.encode())).standard_normal(self.dim)
        length = float(np.linalg.norm(total))
        return (total / length if length else total).astype(np.float32)
