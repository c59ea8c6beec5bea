"""Why a note is among the hits, in short true sentences."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from core.config.relations import RelationsConfig
from core.embedding.sparse import MatchedWord
from core.explanation import (
    Fact,
    LinkedNote,
    LinksFact,
    LiteralFact,
    MeaningFact,
    TypeFact,
    WordsFact,
)
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


def facts(
    one: Candidate,
    matched: Sequence[MatchedWord],
    referred_by: Sequence[tuple[str, str, str]],
    refers_to: Sequence[tuple[str, str, str]],
    type_name: str,
    *,
    closeness: float,
    usual: float,
    named: Container[str] = (),
    far: float = 0.0,
    called: bool = False,
    phrases: Sequence[str] = (),
) -> list[Fact]:
    """Why one note is a hit, the strongest kind of evidence first.

    `matched` are the query's words in the chunk and `named` those in the note's name;
    `referred_by` and `refers_to` are note id, title and kind of other hits; `closeness` is 0
    to 1 within the hits, `usual` the factor of notes without a type, `far` the cosine that
    the model gives to texts which have nothing in common. `called` tells that the query is a
    name of the note, `phrases` which quoted parts of it stand there.
    """
    return [
        *_literal(called, phrases),
        *_meaning(one, closeness, far),
        *_words(matched, named),
        *_links(referred_by, refers_to),
        *_type(one.type_weight, usual, type_name),
    ]


def sentences(found: Sequence[Fact], relations: RelationsConfig, locale: Locale) -> list[str]:
    """One sentence for each fact."""
    return [_sentence(fact, relations, locale) for fact in found]


def _literal(called: bool, phrases: Sequence[str]) -> Iterator[Fact]:
    if called:
        yield LiteralFact(kind="called")
    if phrases:
        yield LiteralFact(kind="phrases", phrases=list(phrases))


def _meaning(one: Candidate, closeness: float, far: float) -> Iterator[Fact]:
    if one.cosine is not None and one.cosine > far and closeness >= NEAR:
        yield MeaningFact(cosine=one.cosine)


def _words(matched: Sequence[MatchedWord], named: Container[str]) -> Iterator[Fact]:
    matched = [word for word in matched if is_telling(word.word)]
    least = TELLING * max((word.score for word in matched), default=0.0)
    matched = [word for word in matched if word.score >= least]
    whole = [word.word for word in matched if word.whole][:MAX_WORDS]
    in_name = [word for word in whole if word in named]
    in_text = [word for word in whole if word not in named]
    parts = [word.word for word in matched if not word.whole and word.share >= PARTS]
    if in_name:
        yield WordsFact(kind="name", words=in_name)
    if in_text:
        yield WordsFact(kind="words", words=in_text)
    if parts and not whole:
        yield WordsFact(kind="parts", words=parts[:MAX_WORDS])


def _links(
    referred_by: Sequence[tuple[str, str, str]], refers_to: Sequence[tuple[str, str, str]]
) -> Iterator[Fact]:
    """One fact for each direction; a note of the first is not told again in the second."""
    known = {note for note, _, _ in referred_by}
    refers_to = [link for link in refers_to if link[0] not in known]
    if referred_by:
        yield LinksFact(kind="referred_by", **_named(referred_by))
    if refers_to:
        yield LinksFact(kind="refers_to", **_named(refers_to))


def _named(links: Sequence[tuple[str, str, str]]) -> dict[str, Any]:
    notes = [LinkedNote(note_id=note, title=title, kind=kind) for note, title, kind in links]
    return {"notes": notes[:MAX_NOTES], "more": len(notes[MAX_NOTES:])}


def _type(weight: float, usual: float, name: str) -> Iterator[Fact]:
    if abs(weight - usual) > UNUSUAL:
        yield TypeFact(type=name, factor=weight, usual=usual)


def _sentence(fact: Fact, relations: RelationsConfig, locale: Locale) -> str:
    match fact:
        case LiteralFact(kind="called"):
            return say(locale, "is called so", "heißt so")
        case LiteralFact(phrases=phrases):
            listed = ", ".join(_quoted(phrase, locale) for phrase in phrases)
            return say(locale, f"contains literally {listed}", f"enthält wörtlich {listed}")
        case MeaningFact(cosine=cosine):
            en = f"close in meaning (cosine {cosine:.2f})"
            return say(locale, en, f"ähnlicher Sinn (Kosinus {cosine:.2f})")
        case WordsFact(kind=kind, words=words):
            listed = ", ".join(_quoted(word, locale) for word in words)
            if kind == "name":
                return say(locale, f"{listed} in its name", f"{listed} im Namen")
            if kind == "parts":
                return say(locale, f"contains parts of {listed}", f"enthält Teile von {listed}")
            return say(locale, f"contains {listed}", f"enthält {listed}")
        case LinksFact(kind="referred_by"):
            listed, one = _listed(fact, relations, locale)
            return say(
                locale,
                f"{listed} {'points' if one else 'point'} here",
                f"{listed} {'verweist' if one else 'verweisen'} hierher",
            )
        case LinksFact():
            listed, _ = _listed(fact, relations, locale)
            return say(locale, f"points to {listed}", f"verweist auf {listed}")
        case TypeFact(type=name, factor=factor, usual=usual):
            en, de = ("more", "mehr") if factor > usual else ("less", "weniger")
            return say(
                locale,
                f"type {name} counts {en} than others (×{factor:.2f})",
                f"Typ {name} zählt {de} als andere (×{factor:.2f})",
            )


def _listed(fact: LinksFact, relations: RelationsConfig, locale: Locale) -> tuple[str, bool]:
    """The titles with their kinds as part of a sentence, and whether it is just one."""
    shown = []
    for note in fact.notes:
        said = [] if note.kind == UNNAMED else [relations.label(note.kind, locale)]
        said += [say(locale, "by the language model", "laut Sprachmodell")] * note.smart
        label = f" ({', '.join(said)})" if said else ""
        shown.append(_quoted(note.title, locale) + label)
    if fact.more:
        hits = say(locale, "hit" if fact.more == 1 else "hits", "Treffer")
        shown.append(say(locale, f"{fact.more} more {hits}", f"{fact.more} weitere {hits}"))
    last = say(locale, " and ", " und ")
    return last.join(filter(None, (", ".join(shown[:-1]), shown[-1]))), len(shown) == 1


def _quoted(text: str, locale: Locale) -> str:
    return say(locale, f"“{text}”", f"„{text}“")
