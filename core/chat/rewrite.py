"""A message that only has a meaning within its conversation, as one that can be looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.chat.fence import fenced
from core.chat.shapes import Turn
from core.config.load import ChatConfig
from core.config.prompts import filled
from core.locale import Locale

LAST_TURNS = 6
LONGEST_TURN = 600
LONGEST = 300
"""Code points of a message that was made."""

Stems = Callable[[str], frozenset[int]]
"""The stems of a text's telling words."""


def rewrite_prompt(message: str, turns: Sequence[Turn], chat: ChatConfig, locale: Locale) -> str:
    """What the model is asked; "" where the configuration wants no rewriting."""
    said = [
        fenced(turn.content[:LONGEST_TURN], "message" if turn.role == "user" else "answer")
        for turn in turns[-LAST_TURNS:]
    ]
    values = {
        "fencing": chat.prompts.fencing.say(locale).strip(),
        "history": "\n\n".join(said),
        "message": fenced(message, "message"),
    }
    return filled(chat.prompts.rewrite.say(locale).strip(), values)


def read_rewritten(answer: str, message: str, turns: Sequence[Turn], stems: Stems) -> str | None:
    """The message that the model made; None for what cannot be one.

    It may only speak of what was spoken of: at least half of its telling words are from the
    conversation, and one from the message, or from earlier ones where that has none.
    """
    lines = [line.strip(" *_`\"'„“”»«") for line in answer.splitlines()]
    made = next((line for line in lines if line), "")
    if ": " in made[:30] and made.index(": ") < len(made) // 3:
        made = made.partition(": ")[2].strip(" \"'„“”")  # "Question: …"
    if not made or len(made) > LONGEST:
        return None
    new = stems(made)
    known = stems(" ".join([message, *(turn.content for turn in turns[-LAST_TURNS:])]))
    if not new or 2 * len(new & known) < len(new):
        return None
    asked = (turn.content for turn in turns[-LAST_TURNS:] if turn.role == "user")
    if not new & (stems(message) or stems(" ".join(asked))):
        return None
    return made


def joined(message: str, turns: Sequence[Turn], stems: Stems) -> str:
    """The message without a model: with the question before, where it says little by itself."""
    if len(stems(message)) > 2:
        return message
    before = next((turn.content for turn in reversed(turns) if turn.role == "user"), "")
    return f"{before[:LONGEST]} {message}".strip()
