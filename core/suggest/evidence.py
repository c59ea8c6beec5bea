"""What speaks for an edge, and how much."""

from __future__ import annotations

from dataclasses import dataclass

from core.chunking.chunks import Chunk
from core.retrieval.mentions import Mention

EXACT_MENTION, INFLECTED_MENTION = 0.85, 0.7
MEANING_WEIGHT = 0.8
"""Meaning alone is weaker evidence than a name."""
GRAPH_WEIGHT = 0.3
"""The company that two notes keep only confirms: of the edges that nothing else spoke for, half
were not worth taking."""
LIKELY_POWER = 3
"""Measured on hidden links (docs/evaluation.md): 1 gives too little to the comparison."""


@dataclass(slots=True)
class Evidence:
    """Evidence for an edge to one note. `meaning` and `company` are 0 to 1; `cosine` is that
    of `passage`, the chunk of the note that is nearest to the target. `shared` are notes that
    both link to, `citing` notes that link to both."""

    mention: Mention | None = None
    cosine: float = 0.0
    meaning: float = 0.0
    passage: Chunk | None = None
    company: float = 0.0
    shared: tuple[str, ...] = ()
    citing: tuple[str, ...] = ()
    likely: float = 0.0
    """How likely the edge is among all that might be (`core.suggest.likely`), 0 to 1."""

    @property
    def score(self) -> float:
        """0 to 1: each kind of evidence closes a part of what the others leave open."""
        named = 0.0
        if self.mention is not None:
            named = EXACT_MENTION if self.mention.exact else INFLECTED_MENTION
        left = (1 - named) * (1 - MEANING_WEIGHT * self.meaning)
        return 1 - left * (1 - GRAPH_WEIGHT * self.company)

    @property
    def order(self) -> float:
        """What suggestions are ordered by, 0 to 1: what speaks for the edge by itself, and how
        it compares. The latter says nothing of whether the best of them is any good."""
        return 1 - (1 - self.score) * (1 - self.likely) ** LIKELY_POWER
