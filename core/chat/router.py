"""What a message wants: an answer from the notes (FACT, DECISION, EMPATHY) or a new note.

In this order (domain rules of the chat): a question is answered and never an interview; a
trigger with a type's word is an interview, a strategy's word chooses that strategy; else a
language model is asked, where there is one; else it is FACT.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from core.chat.fence import fenced
from core.chat.objects import Mention, mentions
from core.chat.phrases import Found, Words, find_all, holds, words_of
from core.chat.ports import Ask
from core.config.decision import FACT, INTERVIEW, DecisionConfig
from core.config.note_types import TypesConfig
from core.config.prompts import filled
from core.errors import LlmError

IntentSource = Literal["question", "keyword", "llm", "fallback"]

_QUOTED = re.compile(
    r"\"[^\"\n]*\"|„[^“”\n]*[“”]|“[^”\n]*”|»[^«\n]*«|«[^»\n]*»|`[^`\n]*`|\[\[[^\[\]\n]*\]\]"
    r"|https?://\S+|(?<!\w)'[^'\n]+'(?!\w)"
)
_MARK = re.compile(r"[?？؟]")
_NEAR = 3
"""Words before a trigger or a type's word in which a negation counts."""


class Route(NamedTuple):
    """`type` is the type of the note to write, "" for any other intent."""

    intent: str
    intent_source: IntentSource
    type: str = ""


async def route(
    message: str, engine: DecisionConfig, types: TypesConfig, ask: Ask | None = None
) -> Route:
    """What a message wants. `ask` is a language model; where it fails, the answer is FACT."""
    found = route_by_rules(message, engine, types)
    if found is not None:
        return found
    if ask is not None and engine.llm_fallback_enabled and engine.router_prompt.strip():
        try:
            answer = await ask(router_prompt(message, engine, types))
        except LlmError:
            return Route(FACT, "fallback")
        if (said := read_answer(answer, engine, types)) is not None:
            return said
    return Route(FACT, "fallback")


def route_by_rules(message: str, engine: DecisionConfig, types: TypesConfig) -> Route | None:
    """What a message wants by its words alone; None where they do not tell."""
    # what is quoted is talked about: a title with a question mark asks nothing
    bare = _QUOTED.sub(lambda found: " " * len(found[0]), message)
    words = words_of(bare)
    asks = is_question(bare, words, engine)
    if not asks and (wanted := wanted_type(words, engine, types)) is not None:
        return Route(INTERVIEW, "keyword", wanted)
    for name in engine.intents():
        if holds(words, engine.strategy(name).keywords):
            return Route(name, "keyword")
    return Route(FACT, "question") if asks else None


def beginning(words: Words, engine: DecisionConfig) -> int:
    """The first word behind `openers` (“and”, “please”, “tell me”)."""
    at = 0
    while at < len(words):
        opened = [
            found.last + 1
            for opener in engine.openers
            for found in find_all(words, f"^{opener}", at)
        ]
        if not opened:
            break
        at = max(opened)
    return at


def is_question(text: str, words: Words, engine: DecisionConfig) -> bool:
    """Whether a text asks: it has a question mark, or a question word first."""
    if _MARK.search(text):
        return True
    asking = (*engine.question_words.de, *engine.question_words.en)
    return holds(words, (f"^{word}" for word in asking), beginning(words, engine))


def wanted_type(words: Words, engine: DecisionConfig, types: TypesConfig) -> str | None:
    """The type of the note that the words ask for, None where they ask for none."""
    begin = beginning(words, engine)
    triggers = [
        found
        for keyword in engine.trigger_keywords
        for found in find_all(words, keyword, begin)
        if not _negated(words, found.first, engine)
    ]
    if not triggers:
        return None
    named = mentions(words, types, engine.note_keywords, types.default_type)
    fitting = [one for one in named if _reached(one, triggers)]
    if not fitting or _negated(words, fitting[0].first, engine):
        return None
    if fitting[0].weight < 0 and not holds(words, engine.note_keywords):
        return None  # "add up the costs of the project"
    return fitting[0].type


def type_of(message: str, engine: DecisionConfig, types: TypesConfig) -> str:
    """The type that a message speaks of, whether it asks for a note or not; else the default."""
    words = words_of(message)
    named = mentions(words, types, engine.note_keywords, types.default_type)
    return named[0].type if named else types.default_type


def router_prompt(message: str, engine: DecisionConfig, types: TypesConfig) -> str:
    """The prompt of the model that sorts messages."""
    values = {"message": fenced(message), "types": ", ".join(types.names())}
    return filled(engine.router_prompt, values)


def read_answer(answer: str, engine: DecisionConfig, types: TypesConfig) -> Route | None:
    """What the model said; None where that is no intent. A type that nobody knows is the
    default one."""
    words = words_of(answer)
    intents = {name.casefold(): name for name in engine.intents()}
    at = next((at for at, word in enumerate(words) if word in intents), None)
    if at is None:
        return None
    intent = intents[words[at]]
    if intent != INTERVIEW:
        return Route(intent, "llm")
    known = (word for word in words[at + 1 :] if word in types.types)
    return Route(intent, "llm", next(known, types.default_type))


def _negated(words: Words, at: int, engine: DecisionConfig) -> bool:
    near = words[max(at - _NEAR, 0) : at]
    return holds(near, engine.negations)


def _reached(named: Mention, triggers: list[Found]) -> bool:
    """Whether a trigger stands with the type's word and is not that word itself."""
    return any(
        found.last < named.first or found.first > named.last or found.first < named.first
        for found in triggers
    )
