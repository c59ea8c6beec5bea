"""The embedder that the settings ask for, and that fits what a vault's store was built with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import EmbeddingAway, EmbeddingMissing, MindnetError
from core.settings import Settings

if TYPE_CHECKING:
    from core.embedding.ports import Embedder
    from core.llm.embedder import OllamaEmbedder
    from core.store.manifest import Manifest

LOOK_SECONDS = 1.0
"""How long Ollama has to say at a start whether it has the model."""


def make_embedder(settings: Settings, root: Path, folder: Path) -> Embedder | None:
    """The embedder for the vault at `root` with this data folder, None for searching by words
    alone. Loads no model: that happens at its first use.

    `auto` is what the store was built with, as long as that works. A store that is not built
    yet gets Ollama if that has the embedding model, else the bundled one. An Ollama that is
    away may come back, so it is no reason for another model; one without the model is.
    """
    provider = settings.embedding.provider
    if provider == "none":
        return None
    from core.embedding.bundled import MODEL, BundledEmbedder

    if provider == "bundled":
        return BundledEmbedder()
    built = _manifest(settings, root, folder)
    if provider == "ollama":
        return _ollama(settings, settings.embedding.model, built)[0]
    from core.llm.embedder import name_of

    kept = name_of(built.model) if built else ""
    if not settings.llm.enabled or (built and built.model == MODEL):
        return BundledEmbedder()
    for name in dict.fromkeys((settings.embedding.model, kept)):
        if name:
            embedder, usable = _ollama(settings, name, built)
            if usable:
                return embedder
    return BundledEmbedder()


def _ollama(settings: Settings, name: str, built: Manifest | None) -> tuple[OllamaEmbedder, bool]:
    """The embedder of an Ollama model, and whether it works or worked for this store."""
    from core.llm.embedder import OllamaEmbedder, name_of

    embedder = OllamaEmbedder(settings.llm, name, "de" if settings.locale == "de" else "en")
    known = built is not None and name_of(built.model) == name
    if built is not None and known:
        embedder.bind(built.model, built.dim or 0)
    try:
        embedder.look(LOOK_SECONDS)
    except EmbeddingMissing:
        return embedder, False
    except EmbeddingAway:
        return embedder, known
    return embedder, True


def _manifest(settings: Settings, root: Path, folder: Path) -> Manifest | None:
    """What the vault's store was built with, None where nothing is in it yet."""
    from core.store.opening import peek_vault_store, remembered_manifest

    try:
        found = peek_vault_store(root, folder, settings)
    except MindnetError:  # a server that is away: who opens the store will say so
        return remembered_manifest(folder, settings)
    return found.manifest if found else None
