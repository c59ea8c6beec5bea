"""mindnet with one part of it switched off at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from core.config.load import Config

MINDNET = "mindnet"


@dataclass(frozen=True)
class Variant:
    """Weights of `retriever.yaml` that differ; `vectors` of False asks without any."""

    scoring: Mapping[str, float] = field(default_factory=dict)
    linking: Mapping[str, float] = field(default_factory=dict)
    vectors: bool = True

    def of(self, config: Config) -> Config:
        """The configuration with these weights."""
        retriever = config.retriever
        changed = {
            "scoring": retriever.scoring.model_copy(update=dict(self.scoring)),
            "linking": retriever.linking.model_copy(update=dict(self.linking)),
        }
        return msgspec.structs.replace(config, retriever=retriever.model_copy(update=changed))


NO_WORDS = Variant({"lexical_weight": 0.0, "title_weight": 0.0}, {"words": 0.0})
NO_VECTORS = Variant(vectors=False)
NO_GRAPH = Variant(
    {"edge_weight": 0.0, "centrality_weight": 0.0},
    {"neighbours": 0.0, "alike": 0.0, "company": 0.0},
)
NO_TYPES = Variant({"type_strength": 0.0})
NO_NAMES = Variant(linking={"name": 0.0, "title": 0.0})

SUGGESTING: Mapping[str, Variant] = {
    f"{MINDNET}, first seed": Variant(),
    f"{MINDNET} without words": NO_WORDS,
    f"{MINDNET} without vectors": NO_VECTORS,
    f"{MINDNET} without graph": NO_GRAPH,
    f"{MINDNET} without names": NO_NAMES,
}
"""Suggested links know no type weight."""

ASKING: Mapping[str, Variant] = {
    MINDNET: Variant(),
    f"{MINDNET} without words": NO_WORDS,
    f"{MINDNET} without vectors": NO_VECTORS,
    f"{MINDNET} without graph": NO_GRAPH,
    f"{MINDNET} without type weight": NO_TYPES,
}
PLAIN_ASKING = {name: one for name, one in ASKING.items() if one not in (NO_GRAPH, NO_TYPES)}
"""For vaults without links and types, where these two change nothing."""
