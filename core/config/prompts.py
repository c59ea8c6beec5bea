"""What a language model is told (`prompts.yaml`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field, field_validator

from core.config.decision import FACT
from core.config.files import Strict
from core.config.relations import Words

_PLACE = re.compile(r"\{([a-z_]+)\}")


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with its places filled in, in one pass: braces in values stay as they are,
    as do places that have no value."""
    return _PLACE.sub(lambda found: values.get(found[1], found[0]), template)


def _needs(words: Words, *places: str) -> Words:
    for text in (words.en, words.de):
        for place in places:
            if text.strip() and f"{{{place}}}" not in text:
                raise ValueError(f"must hold {{{place}}}")
    return words


class PromptsConfig(Strict):
    """The whole of `prompts.yaml`."""

    named: ClassVar = {"rag": str.upper}

    persona: Words = Words()
    fencing: Words = Words()
    rag: dict[str, Words] = Field(default_factory=dict)
    rewrite: Words = Words()
    no_context: Words = Words()
    interview_template: Words = Words()
    smart_edges: Words = Words()

    @field_validator("rag")
    @classmethod
    def _complete(cls, value: dict[str, Words]) -> dict[str, Words]:
        return {name.upper(): _needs(words, "context", "message") for name, words in value.items()}

    @field_validator("interview_template")
    @classmethod
    def _holds_the_message(cls, value: Words) -> Words:
        return _needs(value, "schema", "message")

    @field_validator("rewrite")
    @classmethod
    def _holds_the_conversation(cls, value: Words) -> Words:
        return _needs(value, "history", "message")

    @field_validator("smart_edges")
    @classmethod
    def _holds_the_passage(cls, value: Words) -> Words:
        return _needs(value, "relations", "passage")

    def rag_template(self, intent: str) -> Words:
        """The template of a strategy, else that of FACT."""
        return self.rag.get(intent) or self.rag.get(FACT) or Words()
