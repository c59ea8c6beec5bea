"""Whether a message is German or English, by the small words in it."""

from __future__ import annotations

import re

from core.function_words import ENGLISH, GERMAN
from core.locale import Locale

_WORD = re.compile(r"[^\W\d_]+")
_LONGEST = 2000
_UMLAUT = re.compile("[äöüß]")


def language_of(text: str, fallback: Locale) -> Locale:
    """The language of a text; `fallback` where its words do not tell."""
    words = _WORD.findall(text[:_LONGEST].lower())
    german = sum(word in GERMAN - ENGLISH or bool(_UMLAUT.search(word)) for word in words)
    english = sum(word in ENGLISH - GERMAN for word in words)
    if german == english:
        return fallback
    return "de" if german > english else "en"
