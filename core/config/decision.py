"""How the chat understands what is wanted, and what interviews ask for (`decision_engine.yaml`)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, field_validator

from core.config.files import Strict
from core.config.relations import Words
from core.config.values import Texts, as_list
from core.text import fold

FACT = "FACT"
"""The strategy of a message of which nothing else is known."""
INTERVIEW = "INTERVIEW"
"""The intent of a message that wants a note to be written; not a strategy."""
DEFAULT_SCHEMA = "default"


def _keyword(text: str) -> str:
    if not text.strip(" .*"):
        raise ValueError("is no word or phrase")
    return text


Keywords = Annotated[tuple[Annotated[str, AfterValidator(_keyword)], ...], BeforeValidator(as_list)]
"""Words or phrases; `*` at the end of a word is any ending, ` ... ` a gap of words."""


class QuestionWords(Strict):
    """By language; all of them count for every message."""

    de: Texts = ()
    en: Texts = ()


class Strategy(Strict):
    """How a message of one intent is answered. Notes of `inject_types` are looked for besides."""

    keywords: Keywords = ()
    inject_types: Texts = ()


class FieldSpec(Strict):
    """One field of a note. With a `section` it goes below that heading, else into the
    frontmatter under its own name. `hint` is what a person is asked."""

    section: Words = Words()
    hint: Words = Words()


class Schema(Strict):
    """What a note of one type needs."""

    required: dict[str, FieldSpec | None] = Field(default_factory=dict)
    optional: dict[str, FieldSpec | None] = Field(default_factory=dict)

    def fields(self) -> dict[str, FieldSpec]:
        """All fields, the required ones first."""
        both = {**self.required, **self.optional}
        return {name: spec or FieldSpec() for name, spec in both.items()}


class DecisionConfig(Strict):
    """The whole of `decision_engine.yaml`."""

    named: ClassVar = {"schemas": fold, "strategies": str.upper}

    question_words: QuestionWords = QuestionWords()
    openers: Texts = ()
    trigger_keywords: Keywords = ()
    note_keywords: Keywords = ()
    negations: Keywords = ()
    strategies: dict[str, Strategy | None] = Field(default_factory=dict)
    llm_fallback_enabled: bool = True
    router_prompt: str = ""
    schemas: dict[str, Schema | None] = Field(default_factory=dict)

    @field_validator("schemas")
    @classmethod
    def _folded_names(cls, value: dict[str, Schema | None]) -> dict[str, Schema | None]:
        return {fold(name): schema for name, schema in value.items()}

    @field_validator("strategies")
    @classmethod
    def _upper_names(cls, value: dict[str, Strategy | None]) -> dict[str, Strategy | None]:
        found = {name.upper(): strategy for name, strategy in value.items()}
        if INTERVIEW in found:
            raise ValueError(f"{INTERVIEW} is no strategy; `trigger_keywords` make it")
        return found

    @field_validator("router_prompt")
    @classmethod
    def _holds_the_message(cls, value: str) -> str:
        if value.strip() and "{message}" not in value:
            raise ValueError("must hold {message}")
        return value

    def strategy(self, intent: str) -> Strategy:
        """The strategy of an intent; an empty one where none is described."""
        return self.strategies.get(intent) or Strategy()

    def intents(self) -> tuple[str, ...]:
        """All intents that a message can have, FACT first, INTERVIEW last."""
        others = [name for name in self.strategies if name != FACT]
        return (FACT, *others, INTERVIEW)

    def schema_of(self, note_type: str) -> Schema:
        """The schema of a type, else that of `default`."""
        return self.schemas.get(fold(note_type)) or self.schemas.get(DEFAULT_SCHEMA) or Schema()
