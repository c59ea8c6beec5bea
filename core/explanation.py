"""Shapes of an explanation: the numbers of a score, what the reasons say, why a note is no hit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ScoreBreakdown(Part):
    """Terms of a score. `total` is `semantic + lexical + edge_bonus + centrality`:
    each is the weighted part that it adds; `type_weight` is the factor that is
    already in `semantic` and `lexical`, `title` and `literal` what the title's words, and phrases
    and names that are there word by word, add to `lexical`."""

    semantic: float
    lexical: float
    type_weight: float
    edge_bonus: float
    centrality: float
    total: float
    title: float = 0.0
    literal: float = 0.0


class MeaningFact(Part):
    """The hit is close in meaning."""

    kind: Literal["meaning"] = "meaning"
    cosine: float


class WordsFact(Part):
    """Words of the query are in the note's title or file name (`name`), or in the chunk or
    its headings; of `parts` only pieces are there."""

    kind: Literal["name", "words", "parts"]
    words: list[str]


class LiteralFact(Part):
    """The whole query is the note's title, alias, file name, path or id (`called`), or quoted
    `phrases` of it stand in the chunk, its headings or the title; as words in lower case."""

    kind: Literal["called", "phrases"]
    phrases: list[str] = []


class LinkedNote(Part):
    """Another hit at the other end of a link of this kind; `smart` where a language model
    found it."""

    note_id: str
    title: str
    kind: str
    smart: bool = False


class LinksFact(Part):
    """Other hits refer to this one (`referred_by`), or it to them (`refers_to`). Of `more` of
    them no titles are told."""

    kind: Literal["referred_by", "refers_to"]
    notes: list[LinkedNote]
    more: int = 0


class TypeFact(Part):
    """The note's type changes its score by this factor, where notes without one have `usual`."""

    kind: Literal["type"] = "type"
    type: str
    factor: float
    usual: float


Fact = Annotated[
    LiteralFact | MeaningFact | WordsFact | LinksFact | TypeFact, Field(discriminator="kind")
]
"""What one of a hit's `reasons` says, for programs."""


Cause = Literal[
    "hit",
    "filtered",
    "not_indexed",
    "no_vectors",
    "nothing_in_common",
    "overlooked",
    "outranked",
]


class WhyNot(Part):
    """Why a note is not among the hits, or that it is.

    `cause` is `hit`, `filtered` (by `filters`, names of fields), `not_indexed`, `no_vectors`
    (semantic mode, the note has none), `nothing_in_common`, `overlooked` (in neither list of
    candidates, though it would have been a hit), or `outranked`. `rank` is the place it has, or
    would have with more hits; where `at_least` is set, further ones may be in front of it. The
    breakdowns are its own and the last hit's.
    """

    note_id: str
    title: str
    path: str
    cause: Cause
    sentences: list[str]
    filters: list[str] = []
    excluded: bool = False
    """The note has `embedding_exclude`, so only its words are searched."""
    rank: int | None = None
    at_least: bool = False
    score: float | None = None
    score_breakdown: ScoreBreakdown | None = None
    last_score: float | None = None
    last_breakdown: ScoreBreakdown | None = None
    cosine: float | None = None
