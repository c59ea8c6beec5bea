"""The embedder's port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]

EmbedderState = Literal["idle", "ready", "unavailable"]
"""`idle`: not loaded yet, will be at the first use."""


class Embedder(Protocol):
    """Turns texts into dense vectors. Calls block: use a worker thread."""

    @property
    def model(self) -> str:
        """Name under which its vectors are stored; another name is another space."""
        ...

    @property
    def dim(self) -> int: ...

    @property
    def state(self) -> EmbedderState: ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Float32 array `(len(texts), dim)`, rows of length 1.

        Raises `core.errors.EmbeddingUnavailable`. A text without any content gets a
        row of zeros, which the store refuses: leave such texts out.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Float32 array `(dim,)` of length 1, zeros for a text without content."""
        ...
