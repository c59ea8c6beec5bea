"""What a status says of an embedder."""

from __future__ import annotations

from core.api import EmbeddingState
from core.embedding.ports import Embedder


def embedding_state(embedder: Embedder | None) -> EmbeddingState:
    """Provider, model, dimension and state; "off" where words alone are searched."""
    if embedder is None:
        return EmbeddingState(provider="none", model="", dim=0, state="off")
    return EmbeddingState(
        provider="bundled", model=embedder.model, dim=embedder.dim, state=embedder.state
    )
