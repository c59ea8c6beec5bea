"""What a status says of an embedder, and what a store is built with."""

from __future__ import annotations

from core.api import EmbeddingState
from core.chunking.profiles import CHUNKING_VERSION
from core.embedding.ports import Embedder
from core.store.manifest import Expected


def embedding_state(embedder: Embedder | None) -> EmbeddingState:
    """Provider, model, dimension and state; "off" where words alone are searched."""
    if embedder is None:
        return EmbeddingState(provider="none", model="", dim=0, state="off")
    model = embedder.model.removeprefix("ollama:").partition("@")[0]  # as people call it
    return EmbeddingState(
        provider=embedder.provider, model=model, dim=embedder.dim, state=embedder.state
    )


def expected_store(embedder: Embedder | None) -> Expected:
    """What this program builds a store with: by words alone, while there is no model."""
    if embedder is None or not embedder.dim:  # or it is not known yet
        return Expected(chunking_version=CHUNKING_VERSION)
    return Expected(model=embedder.model, dim=embedder.dim, chunking_version=CHUNKING_VERSION)
