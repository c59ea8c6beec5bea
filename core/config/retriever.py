"""Weights of the retriever (`retriever.yaml`)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field, field_validator

from core.config.files import Strict
from core.parse.kinds import normal_kind

Weight = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]


class Scoring(Strict):
    """The W of the score: how much each term counts. `title_weight` is for the
    query's words in a note's title, besides those in its text, `literal_weight` for quoted phrases
    and for the note whose name the whole query is. `type_strength` says how much of a
    type's `retriever_weight` is used: 0 none, 1 all of it."""

    semantic_weight: Weight = 1.0
    lexical_weight: Weight = 0.5
    title_weight: Weight = 0.15
    literal_weight: Weight = 4.0
    edge_weight: Weight = 0.1
    centrality_weight: Weight = 0.05
    type_strength: Annotated[float, Field(ge=0, le=1)] = 0.3


class Linking(Strict):
    """How much each kind of evidence counts in the order of suggested links: a name in the text
    (`name`), words of a name (`title`), words and meaning of the whole note, neighbours that
    both have, and what the notes most alike are linked with (`alike`). `company` is how much
    of the company that two notes keep counts as evidence of its own."""

    name: Weight = 1.5
    title: Weight = 0.5
    words: Weight = 1.0
    meaning: Weight = 0.75
    neighbours: Weight = 0.25
    alike: Weight = 0.5
    company: Annotated[float, Field(ge=0, le=1)] = 1.0

    @property
    def total(self) -> float:
        """The highest sum of what makes the order, at least a little above 0."""
        notes = self.words + self.meaning + self.neighbours + self.alike
        return max(1e-9, notes + self.name + self.title)


class RetrieverConfig(Strict):
    """The whole of `retriever.yaml`. `edge_weights` has an entry `default`."""

    named: ClassVar = {"edge_weights": normal_kind}

    scoring: Scoring = Scoring()
    linking: Linking = Linking()
    edge_weights: dict[str, Weight] = Field(default_factory=dict)
    provenance_weights: dict[str, Weight] = Field(default_factory=dict)

    @field_validator("edge_weights")
    @classmethod
    def _normal_kinds(cls, value: dict[str, float]) -> dict[str, float]:
        return {normal_kind(kind): weight for kind, weight in value.items()}

    def edge_weight(self, kind: str) -> float:
        """Weight of a canonical relation kind."""
        return self.edge_weights.get(kind, self.edge_weights.get("default", 1.0))

    def provenance_weight(self, provenance: str) -> float:
        """Weight of a provenance: explicit, rule, smart or structure."""
        return self.provenance_weights.get(provenance, 1.0)
