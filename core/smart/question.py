"""The question about a passage, and what is taken from the answer: numbers, and nothing else."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, create_model

from core.chat.fence import fenced, plain_name
from core.chat.language import language_of
from core.config.prompts import PromptsConfig, filled
from core.config.relations import RelationsConfig
from core.llm.ollama import Message
from core.locale import Locale
from core.smart.passage import Chosen, Passage

QUESTION_VERSION = 1
"""Raised whenever the same passage would be asked about in other words, besides the prompt."""
EXPRESSED = 50
"""From which number on, of 100, a passage expresses a relation."""
LONGEST = 6_000
"""Code points of a passage that are read: a chunk has less, unless it is one long line."""

Degree = Literal[0, 25, 50, 75, 100]
"""Few steps: more only seem to be exact."""


class Answer(BaseModel):
    """A degree for each relation, `r1` for the first; nothing else can be said."""

    model_config = ConfigDict(extra="forbid")


def judge_of(digest: str, prompts: PromptsConfig) -> str:
    """Who judges: a model by what it is, with these words; another one is asked anew."""
    words = (QUESTION_VERSION, digest, prompts.smart_edges, prompts.fencing)
    return hashlib.sha256(repr(words).encode()).hexdigest()[:32]


def question(
    passage: Passage, prompts: PromptsConfig, relations: RelationsConfig
) -> tuple[list[Message], type[Answer], Locale]:
    """What to ask, the form of the answer, and the language of both: the passage's.

    Texts and titles of notes are fenced as material. The form has a place for each relation
    and for nothing else, so that a model cannot name a target of its own.
    """
    locale = language_of(passage.text, "en")
    lines = [
        f"r{number}: {relations.label(choice.kind, locale)} → {plain_name(choice.title)}"
        for number, choice in enumerate(passage.choices, 1)
    ]
    values = {
        "fencing": prompts.fencing.say(locale).strip(),
        "relations": fenced("\n".join(lines), "relations"),
        "passage": fenced(passage.text[:LONGEST], "passage"),
        "example": '{"r1": 0, "r2": 100}',
    }
    text = filled(prompts.smart_edges.say(locale), values)
    return [Message("user", text)], answer_form(len(passage.choices)), locale


def chosen_of(answer: Answer) -> tuple[Chosen, ...]:
    """The relations that the passage expresses, by the model's word."""
    return tuple(
        Chosen(int(name[1:]), degree / 100)
        for name, degree in answer.model_dump().items()
        if degree >= EXPRESSED
    )


@lru_cache(maxsize=64)
def answer_form(count: int) -> type[Answer]:
    """The form of an answer about so many relations."""
    fields = {f"r{number}": (Degree, ...) for number in range(1, count + 1)}
    return create_model("Relations", __base__=Answer, **fields)  # type: ignore[call-overload, no-any-return]
