"""The embedder that the settings ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.settings import Settings

if TYPE_CHECKING:
    from core.embedding.ports import Embedder


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder of `embedding.provider`, None for searching by words alone. Loads no
    model: that happens at its first use."""
    match settings.embedding.provider:
        case "auto" | "bundled":
            from core.embedding.bundled import BundledEmbedder

            return BundledEmbedder()
        case "none" | "ollama":  # the latter is refused where settings are read
            return None
