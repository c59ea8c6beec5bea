"""From text scores and graph bonuses to one order of notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.config.load import Config
from core.explanation import ScoreBreakdown
from core.retrieval.candidates import Candidate
from core.retrieval.fuse import best_of_each_note
from core.retrieval.graph import NO_BONUS, Bonus, Neighbourhood, bonuses


@dataclass(slots=True)
class Scored:
    """A candidate with the weighted terms that the graph adds."""

    one: Candidate
    edge_bonus: float
    centrality: float

    @property
    def total(self) -> float:
        return self.one.semantic + self.one.lexical + self.edge_bonus + self.centrality

    @property
    def breakdown(self) -> ScoreBreakdown:
        """Every term of `total`."""
        return ScoreBreakdown(
            semantic=self.one.semantic,
            lexical=self.one.lexical,
            title=self.one.by_title,
            literal=self.one.by_literal,
            type_weight=self.one.type_weight,
            edge_bonus=self.edge_bonus,
            centrality=self.centrality,
            total=self.total,
        )


def rank(pool: Sequence[Candidate], near: Neighbourhood | None, config: Config) -> list[Scored]:
    """The best chunk of each note, best first; those with nothing in common are left out."""
    best = best_of_each_note(pool)
    scoring = config.retriever.scoring
    highest = max((one.semantic + one.lexical for one in best), default=0.0)
    found: dict[str, Bonus] = {}
    if near is not None and highest > 0:
        relevance = {one.note_id: (one.semantic + one.lexical) / highest for one in best}
        found = bonuses(near, relevance)
    scored = []
    for one in best:
        bonus = found.get(one.note_id, NO_BONUS)
        scored.append(
            Scored(
                one,
                scoring.edge_weight * bonus.edges,
                scoring.centrality_weight * bonus.centrality,
            )
        )
    scored.sort(key=lambda s: (-s.total, s.one.chunk_id))
    return [s for s in scored if s.total > 0]
