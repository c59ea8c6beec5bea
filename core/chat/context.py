"""What the model reads: instructions, the conversation so far, notes in fences, the message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.api import QueryHit
from core.chat.fence import fenced, inert, plain_name
from core.chat.shapes import Turn
from core.config.load import ChatConfig
from core.config.prompts import filled
from core.locale import Locale

FIRST, THEN = 4, 3
"""Best hits before the notes of the strategy's own types get their turn, and how many of them."""

ECHO_LENGTH = 24
"""Code points from which on a line is no chance."""

_CITATION = re.compile(r" ?\[\d{1,4}(?:\s*[,;]\s*\d{1,4})*\](?!\()")
_CONTEXT, _MESSAGE = "{context}", "{message}"
_BARE = "{fencing}\n\n{context}\n\n{message}"
"""For a vault that wants no words of ours."""


class Relation(NamedTuple):
    """An edge between two notes, by their titles."""

    source: str
    kind: str
    target: str


class Prompt(NamedTuple):
    """A template with a hole for the notes: `system` may be ""; `user` has the notes between
    its two parts."""

    system: str
    before: str
    behind: str

    def user(self, blocks: Iterable[str]) -> str:
        """The last message, with these notes."""
        return self.before + "\n\n".join(blocks) + self.behind


def merged(found: Sequence[QueryHit], injected: Sequence[QueryHit]) -> list[QueryHit]:
    """The hits of a search and those of the strategy's own types, each note once, so ordered
    that a small window holds some of both."""
    order = [*found[:FIRST], *injected[:THEN], *found[FIRST:], *injected[THEN:]]
    return list({hit.note_id: hit for hit in reversed(order)}.values())[::-1]


def block(number: int, hit: QueryHit, relations: Sequence[Relation], text: str = "") -> str:
    """A note as the model gets it: its number, and in a fence all that the note says itself.

    `text` takes the place of the hit's own where that is too long.
    """
    head = f"{plain_name(hit.title)} [{plain_name(hit.type).upper()}], {hit.score:.2f}"
    lines = [head]
    if hit.section and plain_name(hit.section) != plain_name(hit.title):
        lines.append(plain_name(hit.section))
    lines += [
        f"{plain_name(one.source)} --[{one.kind}]--> {plain_name(one.target)}" for one in relations
    ]
    return f"[{number}]\n" + fenced("\n".join(lines) + "\n\n" + (text or hit.text.strip()), "note")


def prompt_for(intent: str, message: str, chat: ChatConfig, locale: Locale) -> Prompt:
    """The prompt of a strategy. What its template says before the paragraph with the notes
    goes into the system's turn, which models obey best."""
    template = chat.prompts.rag_template(intent).say(locale).strip() or _BARE
    head, tail = "", template
    start = template.rfind("\n\n", 0, template.index(_CONTEXT))
    if start > 0 and _MESSAGE not in template[:start]:
        head, tail = template[:start], template[start:].lstrip("\n")
    values = {
        "persona": chat.prompts.persona.say(locale).strip(),
        "fencing": chat.prompts.fencing.say(locale).strip(),
        "message": fenced(message, "message"),
    }
    before, _, behind = tail.partition(_CONTEXT)
    # the notes may be named once only: a second place would not be counted
    behind = behind.replace(_CONTEXT, "")
    return Prompt(filled(head, values), filled(before, values), filled(behind, values))


def is_echo(answer: str, prompt: Prompt) -> bool:
    """Whether an answer mostly says what the model was told to do, as the smallest ones do."""
    instructions = f"{prompt.system}\n{prompt.before}"
    lines = [line.strip() for line in answer.splitlines() if len(line.strip()) >= ECHO_LENGTH]
    return bool(lines) and 2 * sum(line in instructions for line in lines) > len(lines)


def history_for(turns: Sequence[Turn]) -> list[Turn]:
    """The conversation as the model gets it: its citations meant other notes."""
    return [
        turn.model_copy(update={"content": inert(_CITATION.sub("", turn.content))})
        for turn in turns
    ]
