"""Why a note is among the hits, in short true sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.config.relations import RelationsConfig
from core.embedding.sparse import MatchedWord
from core.function_words import is_telling
from core.locale import Locale, say
from core.retrieval.candidates import Candidate

MAX_WORDS = 5
MAX_NOTES = 2
"""Titles in one sentence; the other hits of its kind are counted."""
TELLING = 0.25
"""Share of the best word's score from which on a word is worth naming."""
PARTS = 0.5
"""Share of a word's 4-grams that must be there before parts of it are named: fewer are in
texts that have nothing to do with it."""
NEAR = 0.5
"""Share of the best hit's closeness from which on meaning is a reason of its own."""
UNUSUAL = 0.04
"""How far a type's factor must be from the usual one to be worth a sentence."""
UNNAMED = "references"
"""The kind of a plain link, which the sentence says without a label."""


def reasons(
    one: Candidate,
    matched: Sequence[MatchedWord],
    referred_by: Sequence[tuple[str, str]],
    refers_to: Sequence[tuple[str, str]],
    type_label: str,
    relations: RelationsConfig,
    locale: Locale,
    *,
    closeness: float,
    usual: float,
    far: float = 0.0,
) -> list[str]:
    """Sentences for one hit, the strongest kind of evidence first.

    `matched` are the query's words in the chunk; `referred_by` and `refers_to` are pairs of
    title and kind among the other hits; `closeness` is 0 to 1 within the hits, `usual` the
    factor of notes without a type, `far` the cosine that the model gives to texts which
    have nothing in common.
    """
    return [
        *_meaning(one, closeness, far, locale),
        *_words(matched, locale),
        *_links(referred_by, refers_to, relations, locale),
        *_type(one.type_weight, usual, type_label, locale),
    ]


def _meaning(one: Candidate, closeness: float, far: float, locale: Locale) -> Iterator[str]:
    if one.cosine is not None and one.cosine > far and closeness >= NEAR:
        near = f"{one.cosine:.2f}"
        yield say(locale, f"close in meaning (cosine {near})", f"ähnlicher Sinn (Kosinus {near})")


def _words(matched: Sequence[MatchedWord], locale: Locale) -> Iterator[str]:
    matched = [word for word in matched if is_telling(word.word)]
    least = TELLING * max((word.score for word in matched), default=0.0)
    matched = [word for word in matched if word.score >= least]
    whole = [word.word for word in matched if word.whole][:MAX_WORDS]
    parts = [word.word for word in matched if not word.whole and word.share >= PARTS]
    if whole:
        listed = ", ".join(_quoted(word, locale) for word in whole)
        yield say(locale, f"contains {listed}", f"enthält {listed}")
    elif parts:
        listed = ", ".join(_quoted(word, locale) for word in parts[:MAX_WORDS])
        yield say(locale, f"contains parts of {listed}", f"enthält Teile von {listed}")


def _links(
    referred_by: Sequence[tuple[str, str]],
    refers_to: Sequence[tuple[str, str]],
    relations: RelationsConfig,
    locale: Locale,
) -> Iterator[str]:
    """One sentence for each direction; a note that was named in the first is not named again."""
    if referred_by:
        listed, one = _listed(referred_by, relations, locale)
        yield say(
            locale,
            f"{listed} {'points' if one else 'point'} here",
            f"{listed} {'verweist' if one else 'verweisen'} hierher",
        )
    named = {title for title, _ in referred_by}
    refers_to = [pair for pair in refers_to if pair[0] not in named]
    if refers_to:
        listed, _ = _listed(refers_to, relations, locale)
        yield say(locale, f"points to {listed}", f"verweist auf {listed}")


def _type(weight: float, usual: float, label: str, locale: Locale) -> Iterator[str]:
    number = f"×{weight:.2f}"
    if weight > usual + UNUSUAL:
        yield say(
            locale,
            f"type {label} counts more than others ({number})",
            f"Typ {label} zählt mehr als andere ({number})",
        )
    elif weight < usual - UNUSUAL:
        yield say(
            locale,
            f"type {label} counts less than others ({number})",
            f"Typ {label} zählt weniger als andere ({number})",
        )


def _listed(
    notes: Sequence[tuple[str, str]], relations: RelationsConfig, locale: Locale
) -> tuple[str, bool]:
    """The titles with their kinds as part of a sentence, and whether it is just one."""
    shown = []
    for title, kind in notes[:MAX_NOTES]:
        label = "" if kind == UNNAMED else f" ({relations.label(kind, locale)})"
        shown.append(_quoted(title, locale) + label)
    more = len(notes) - len(shown)
    if more:
        hits = say(locale, "hit" if more == 1 else "hits", "Treffer")
        shown.append(say(locale, f"{more} more {hits}", f"{more} weitere {hits}"))
    last = say(locale, " and ", " und ")
    return last.join(filter(None, (", ".join(shown[:-1]), shown[-1]))), len(notes) == 1


def _quoted(text: str, locale: Locale) -> str:
    return say(locale, f"“{text}”", f"„{text}“")
