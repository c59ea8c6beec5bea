"""The embedder's port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]

EmbedderState = Literal["idle", "ready", "unavailable"]
"""`idle`: not loaded yet, will be at the first use."""


class Embedder(Protocol):
    """Turns texts into dense vectors. Calls block: use a worker thread."""

    @property
    def provider(self) -> str:
        """Who embeds, as in the settings: `bundled`, `ollama`."""
        ...

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


@runtime_checkable
class RemoteEmbedder(Embedder, Protocol):
    """One that asks another program, which may be away, come back, or have another model then.
    Until it was reached for the first time, `model` is "" and `dim` 0."""

    wait_for_quiet: Callable[[float], bool]
    """Called before each batch of documents with the seconds that it may take."""

    def look(self) -> None:
        """See which model there is; from here on `model` and `dim` are its. Raises
        `core.errors.EmbeddingAway`. Not while a sync runs."""
        ...

    def close(self) -> None:
        """Let calls that run fail with `core.errors.EmbeddingAway`, and those to come."""
        ...

    def shortened(self) -> frozenset[str]:
        """The texts of this thread's last `embed_documents` of which only the beginning is
        embedded, since the model takes no more."""
        ...
