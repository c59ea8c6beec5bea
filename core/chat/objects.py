"""Which type of note a message speaks of: `detection_keywords` of types.yaml in its words.

German puts endings and other words onto a noun (Aufgaben, Gartenprojekt, Projektnotiz), and a
message may name several types ("a task for the project"): what stands with an indefinite article
is what is wanted, what stands behind a preposition is what it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from core.chat.phrases import Words, find_all
from core.config.note_types import TypesConfig
from core.text import fold

_ENDINGS = ("", "s", "es", "e", "n", "en", "er", "ern", "'s", "nen", "innen")
_NOTE_PARTS = ("notiz", "notizen", "eintrag", "eintrags", "note", "vorlage", "entwurf", "datei")
"""What may follow a type's word in a compound: a Projektnotiz is a note about a project."""
_SHORTEST_PART = 4
"""Letters from which a keyword may be the end of a compound: not every Format is a Rat."""
_NEW_WORDS = """
a an another new ein eine einen einer eines einem neu neue neuer neues neuen neuem weitere
weiteren weiterer weiteres nächste nächsten next
"""
_THIS_WORDS = """
as als my mein meine meinen meiner meines unser unsere unseren our
"""
_BEHIND_WORDS = """
for about of to from with on in at by regarding concerning für über zu zum zur von vom mit aus
bei beim im in ins an am auf gegen wegen laut
"""
_INTO = frozenset(["in", "into", "to", "auf"])
"""With a possessive this is where something goes: into my journal."""
_BETWEEN_WORDS = """
the this that my our his her their its der die das den dem des dieser diese dieses diesen diesem
mein meine meinen meinem meiner unser unsere unserem unseren sein ihr ihre
"""

_NEW, _THIS, _BEHIND, _BETWEEN = (
    frozenset(words.split()) for words in (_NEW_WORDS, _THIS_WORDS, _BEHIND_WORDS, _BETWEEN_WORDS)
)


class Mention(NamedTuple):
    """A type's word in a message; `weight` is higher the more it is what is wanted."""

    type: str
    first: int
    last: int
    weight: int


def mentions(
    words: Words, types: TypesConfig, note_keywords: Iterable[str], default: str = ""
) -> list[Mention]:
    """All types that the words name, the likeliest first; `default` is the type of
    `note_keywords`, which any word of a type goes before."""
    found: list[Mention] = []
    for name, spec in types.types.items():
        for keyword in (*(spec.detection_keywords if spec else ()), name):
            found += [_weighed(words, name, *place) for place in _places(words, keyword)]
    for keyword in note_keywords:
        found += [
            _weighed(words, default, *place)._replace(weight=-2)
            for place in _places(words, keyword)
        ]
    return sorted(found, key=lambda one: (-one.weight, one.first, one.type))


def _places(words: Words, keyword: str) -> list[tuple[int, int]]:
    plain = fold(keyword)
    if len(plain.split()) > 1 or "*" in plain:
        return [(found.first, found.last) for found in find_all(words, keyword)]
    return [(at, at) for at, word in enumerate(words) if _is_form(word, plain)]


def _is_form(word: str, keyword: str) -> bool:
    """Whether a word is a form of the keyword, or a compound that means such a thing."""
    if word.startswith(keyword):
        rest = word[len(keyword) :].lstrip("-s") or word[len(keyword) :]
        if rest in _ENDINGS or rest in _NOTE_PARTS:
            return True
    if len(keyword) < _SHORTEST_PART or (keyword.isascii() and " " in keyword):
        return False
    for ending in _ENDINGS:
        if word.endswith(keyword + ending) and len(word) - len(keyword) - len(ending) > 1:
            return True
    return False


def _weighed(words: Words, name: str, first: int, last: int) -> Mention:
    before = words[max(first - 3, 0) : first][::-1]
    weight = 0
    for near in before:
        if near in _NEW:
            weight = 3
            # "from a meeting", "zu einem Projekt": not what is wanted
            at = before.index(near) + 1
            if at < len(before) and before[at] in _BEHIND - {"as"}:
                weight = -1
            break
        if near in _BEHIND:
            weight = -1
            break
        if near in _THIS:
            weight = 1
            at = before.index(near) + 1
            if near not in ("as", "als") and at < len(before) and before[at] in _BEHIND - _INTO:
                weight = -1
            break
        if near not in _BETWEEN and near not in _THIS and not near.endswith(("e", "en", "es")):
            break
    return Mention(name, first, last, weight)
