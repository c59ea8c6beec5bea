"""Keywords of the decision engine, looked for in the words of a message.

A keyword is a word or phrase in whatever letter case; `*` at the end of a word stands for any
ending, ` ... ` for up to `GAP` words, `^` in front for the beginning of the message. Words are
compared in Unicode's NFC form.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from core.text import fold

LONGEST, MOST_WORDS = 4000, 400
"""Characters and words of a message that are looked at: a wish stands at its beginning."""
GAP = 12
"""Words that ` ... ` spans at most."""

Words = tuple[str, ...]
"""The words of a message."""

_WORD = re.compile(r"\w+(?:['’\-]\w+)*")
_PART = re.compile(r"\.\.\.|…|[\w'’\-]+\*?")


class Found(NamedTuple):
    """The words `first` to `last` (inclusive) of a message."""

    first: int
    last: int


def words_of(text: str) -> Words:
    """The words of a text in order, as they are compared. Apostrophes are `'`, whatever is
    typed."""
    whole = unicodedata.normalize("NFC", text[:LONGEST]).replace("’", "'")
    return tuple(fold(word) for word in islice(_WORD.findall(whole), MOST_WORDS))


def holds(words: Words, keywords: Iterable[str], begin: int = 0) -> bool:
    """Whether one of the keywords stands anywhere in the words."""
    return any(find_all(words, keyword, begin) for keyword in keywords)


def find_all(words: Words, keyword: str, begin: int = 0) -> list[Found]:
    """All places at which a keyword stands; `begin` is the word that `^` means."""
    parts = _parts(keyword)
    found = []
    starts = range(begin, begin + 1) if keyword.startswith("^") else range(len(words))
    for at in starts if parts else ():
        last = _match(words, at, parts)
        if last is not None:
            found.append(Found(at, last))
    return found


@lru_cache(maxsize=4096)
def _parts(keyword: str) -> tuple[str, ...]:
    """`...` for a gap, else a folded word, with `*` behind it for any ending."""
    parts = [fold(part).replace("’", "'") for part in _PART.findall(keyword)]
    return tuple("..." if part == "…" else part for part in parts)


def _match(words: Words, at: int, parts: tuple[str, ...]) -> int | None:
    """The last word of a match that begins at `at`."""
    if not parts:
        return at - 1
    if parts[0] == "...":
        for skipped in range(GAP + 1):
            if (last := _match(words, at + skipped, parts[1:])) is not None:
                return last
        return None
    if at >= len(words) or not _fits(words[at], parts[0]):
        return None
    return _match(words, at + 1, parts[1:])


def _fits(word: str, part: str) -> bool:
    return word.startswith(part[:-1]) if part.endswith("*") else word == part
