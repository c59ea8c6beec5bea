"""What fits into a model's window, cut by us: Ollama would drop the beginning without a word."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from core.chunking.tokens import count_tokens
from core.errors import InvalidArguments
from core.locale import Locale, say

MARGIN = 1.3
"""How much more tokens than estimated a model may make of a text."""
FRAME = 16
"""Tokens that each message costs besides its text: roles, separators."""


def tokens_of(text: str) -> int:
    """Tokens that a text may take at most, by estimate."""
    return math.ceil(count_tokens(text) * MARGIN)


def prompt_tokens(texts: Sequence[str]) -> int:
    """Tokens of a whole prompt, a message a text."""
    return sum(tokens_of(text) + FRAME for text in texts)


class Fit(msgspec.Struct, frozen=True):
    """What goes into a prompt. `blocks` and `left_out` are indices of the given blocks, in
    their order; `history` is how many of the last turns; `free` tokens are left for the answer."""

    blocks: tuple[int, ...]
    left_out: tuple[int, ...]
    history: int
    free: int


def fit(
    window: int,
    fixed: Sequence[str],
    blocks: Sequence[str] = (),
    history: Sequence[str] = (),
    *,
    reserve: int = 0,
    locale: Locale = "en",
) -> Fit:
    """Choose what fits into `window` tokens, `reserve` of which are the answer's (a quarter of
    it by default).

    The `fixed` texts (instructions, the question) go in whole. Of the `blocks`, best first,
    each goes in whole or not at all, so that none is cut in the middle; small ones may follow
    one that is too large. Turns of the `history`, oldest first, get at most a third of what is
    free, the newest before older ones. Raises `InvalidArguments` where the fixed texts alone
    do not fit.
    """
    free = window - (reserve or window // 4) - prompt_tokens(fixed)
    if free < 0:
        raise InvalidArguments(
            say(
                locale,
                f"the question does not fit into the model's window of {window} tokens",
                f"die Frage passt nicht in das Fenster des Modells von {window} Token",
            ),
            say(
                locale,
                "Ask for less at once, or raise mindnet.llm.context_tokens.",
                "Weniger auf einmal fragen, oder mindnet.llm.context_tokens erhöhen.",
            ),
        )
    turns, room = 0, free // 3 if blocks else free
    for turn in reversed(history):
        cost = tokens_of(turn) + FRAME
        if cost > room:
            break
        turns, room, free = turns + 1, room - cost, free - cost
    taken, left_out = [], []
    for at, block in enumerate(blocks):
        cost = tokens_of(block) + 2
        if cost <= free:
            taken.append(at)
            free -= cost
        else:
            left_out.append(at)
    return Fit(tuple(taken), tuple(left_out), turns, free)
