"""Other ways to write the same name, and patterns that find names by part of their letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPELLED = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l"}
_PUNCTUATION = "-_./:,;'’()"
_WORDS = re.compile(r"[\s\-_./:,;()]+")


def _accents() -> dict[int, str]:
    """Latin letters with accents, to the letter that they are based on."""
    bases = {}
    for code in range(0xC0, 0x250):
        base = unicodedata.normalize("NFD", chr(code))[0]
        if base != chr(code):
            bases[code] = base
    return bases


_LETTERS = _accents() | {ord(letter): plain for letter, plain in _SPELLED.items()}
_ALL = _LETTERS | {ord(mark): " " for mark in _PUNCTUATION}


def spelled(text: str, punctuation: bool = True) -> str:
    """Folded `text` with umlauts spelled out and accents dropped, and marks as blanks."""
    return text.translate(_ALL if punctuation else _LETTERS)


def words(text: str) -> list[str]:
    """The words of `text`, without marks."""
    return [word for word in _WORDS.split(text) if word]


@lru_cache(maxsize=16)
def subsequence(letters: str) -> re.Pattern[str]:
    """A pattern for lines that hold these letters in order; its group `first` is where the
    first one stands. Takes linear time, as each gap excludes the letter that ends it."""
    first, *rest = (re.escape(letter) for letter in letters if letter != "\n")
    gaps = "".join(rf"[^{letter}\n]*{letter}" for letter in rest)
    return re.compile(rf"^[^{first}\n]*(?P<first>{first}){gaps}", re.MULTILINE)
