"""Whether what a search found has anything to do with the message: nearest is not near."""

from __future__ import annotations

from collections.abc import Sequence

from core.api import QueryHit
from core.embedding.sparse import word_terms, words_of
from core.function_words import is_telling

NEAR = 0.25
"""Where between unrelated and close, on the embedding model's scale, meaning alone is evidence."""

_TALKING = """
ich weiß weiss wissen sag sage sagen erzähl erzähle erzählen kennst notiz notizen notiert steht
stehen eigentlich bitte mal denke dachte gedacht schreibe geschrieben
know tell say said note notes written wrote think thought please remember anything something
"""
_TALK = frozenset(_TALKING.split())
"""Words by which people talk with their notes, and not about what."""


def telling(text: str) -> frozenset[int]:
    """The stems of the words that say what a text is about."""
    words = (word for word in words_of(text) if is_telling(word) and word not in _TALK)
    return frozenset(stem for word in words for stem in word_terms(word).stems)


def related(
    hits: Sequence[QueryHit], about: frozenset[int], scale: tuple[float, float]
) -> list[QueryHit]:
    """The hits that answer, in their order; none where no hit is evidence by itself.

    Evidence is a telling word of the message (`telling`), or a cosine that is high on the
    embedding model's `scale` (unrelated, close). Others stay where a link from one of these
    brought them in.
    """
    least = scale[0] + NEAR * (scale[1] - scale[0])
    own = {hit.chunk_id for hit in hits if _is_near(hit, least) or _shares(hit, about)}
    if not own:
        return []
    return [hit for hit in hits if hit.chunk_id in own or _is_linked(hit)]


def _is_near(hit: QueryHit, least: float) -> bool:
    return hit.cosine is not None and hit.cosine >= least


def _shares(hit: QueryHit, about: frozenset[int]) -> bool:
    text = f"{hit.title}\n{hit.section}\n{hit.text}"
    return any(not about.isdisjoint(word_terms(word).stems) for word in set(words_of(text)))


def _is_linked(hit: QueryHit) -> bool:
    return hit.score_breakdown is not None and hit.score_breakdown.edge_bonus > 0
