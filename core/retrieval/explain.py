"""Why a note is among the hits, in short true sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.config.relations import RelationsConfig
from core.embedding.sparse import MatchedWord
from core.locale import Locale, say
from core.retrieval.candidates import Candidate

MAX_WORDS = 5
MAX_NOTES = 3
TELLING = 0.25
"""Share of the best word's score from which on a word is worth naming; “the” is not."""
NEAR = 0.5
"""Share of the best candidate's closeness from which on meaning is a reason of its own."""
HEAVY, LIGHT = 0.9, 0.6


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
) -> list[str]:
    """Sentences for one hit, the strongest kind of evidence first.

    `matched` are the query's words in the chunk; `referred_by` and `refers_to` are pairs of
    title and kind among the other hits; `closeness` is 0 to 1 within the candidates.
    """
    found: list[str] = []
    if one.cosine is not None and closeness >= NEAR:
        near = f"{one.cosine:.2f}"
        found.append(
            say(locale, f"close in meaning (cosine {near})", f"ähnlicher Sinn (Kosinus {near})")
        )
    least = TELLING * max((word.score for word in matched), default=0.0)
    matched = [word for word in matched if word.score >= least]
    whole = [word.word for word in matched if word.whole][:MAX_WORDS]
    parts = [word.word for word in matched if not word.whole][:MAX_WORDS]
    if whole:
        listed = _quoted(whole, locale)
        found.append(say(locale, f"contains {listed}", f"enthält {listed}"))
    elif parts:
        listed = _quoted(parts, locale)
        found.append(say(locale, f"contains parts of {listed}", f"enthält Teile von {listed}"))
    for title, kind in referred_by[:MAX_NOTES]:
        label = relations.label(kind, locale)
        found.append(
            say(locale, f"“{title}” points here ({label})", f"„{title}“ verweist hierher ({label})")
        )
    for title, kind in refers_to[:MAX_NOTES]:
        label = relations.label(kind, locale)
        found.append(
            say(locale, f"points to “{title}” ({label})", f"verweist auf „{title}“ ({label})")
        )
    weight = f"{one.type_weight:.2f}"
    if one.type_weight >= HEAVY:
        found.append(
            say(
                locale,
                f"type {type_label} counts fully (×{weight})",
                f"Typ {type_label} zählt voll (×{weight})",
            )
        )
    elif one.type_weight < LIGHT:
        found.append(
            say(
                locale,
                f"type {type_label} counts less (×{weight})",
                f"Typ {type_label} zählt weniger (×{weight})",
            )
        )
    return found


def _quoted(words: Sequence[str], locale: Locale) -> str:
    return ", ".join(say(locale, f"“{word}”", f"„{word}“") for word in words)
