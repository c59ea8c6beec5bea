"""What a message that wants a note says of it without a model: its title."""

from __future__ import annotations

import re

from core.chat.phrases import find_all, words_of
from core.config.decision import DecisionConfig
from core.config.note_types import TypesConfig

LONGEST = 80
"""Characters of a title; a longer message is cut between words."""

_QUOTED = re.compile(r"\"([^\"\n]+)\"|„([^“”\n]+)[“”]|“([^”\n]+)”|»([^«\n]+)«|«([^»\n]+)»")
_BEGIN = re.compile(
    r"\b(?:zum thema|mit dem titel|with the title|working title|über|namens|genannt|zur|zum|zu"
    r"|called|named|titled|about|on|that|to|für|for)\s+(?=\S)|[,–—]\s+(?:that\s+)?",
    re.IGNORECASE,
)
_END = re.compile(
    r"[\s,]+(?:an|auf|fest|ein|hinzu|anlegen|erstellen|festhalten|aufschreiben|notieren|bitte"
    r"|please)[\s.!]*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"(?:der|die|das|den|dem|ein|eine|einen|mein|meine|meinen|the|a|an|my)\s+", re.IGNORECASE
)
_SENTENCE = re.compile(r".{12,}?\w{3}[.!](?=\s)")
_WORDS_BEFORE_COLON = 6


def title_of(message: str, engine: DecisionConfig, types: TypesConfig) -> tuple[str, bool]:
    """A title for the note, and whether it holds all that the message says of the note.

    What is quoted; else what stands behind a colon, “about”, “namens”; else the message.
    """
    first, _, rest = message.strip().partition("\n")
    if found := _QUOTED.search(first):
        inner = next(part for part in found.groups() if part)
        outside = first[: found.start()] + first[found.end() :]
        return _short(inner)[0], not rest.strip() and len(words_of(outside)) <= LONGEST // 10
    text = " ".join(first.split())
    before, colon, behind = text.partition(": ")
    if colon and len(words_of(before)) <= _WORDS_BEFORE_COLON and _is_wish(before, engine, types):
        text = behind
    elif _is_wish(text, engine, types):
        text = _END.sub("", text)
        begin = _BEGIN.search(text)
        if begin and begin.end() < len(text):
            text = text[begin.end() :]
    title, whole = _short(_ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text)
    return title, whole and not rest.strip()


def _is_wish(text: str, engine: DecisionConfig, types: TypesConfig) -> bool:
    words = words_of(text)
    keywords = [*engine.trigger_keywords, *engine.note_keywords]
    keywords += [word for spec in types.types.values() if spec for word in spec.detection_keywords]
    return any(find_all(words, keyword) for keyword in keywords)


def _short(text: str) -> tuple[str, bool]:
    text = " ".join(text.split()).strip(" .,;:!")
    sentence = _SENTENCE.match(text)
    whole = len(text) <= LONGEST
    if not whole and sentence:
        text = sentence[0].rstrip(" .!")
    if len(text) > LONGEST:
        text = text[: LONGEST + 1].rpartition(" ")[0] or text[:LONGEST]
    return text[:1].upper() + text[1:], whole
