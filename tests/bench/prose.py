"""Readable German and English sentences, headings and titles from a small grammar."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from tests.bench import words

_ARTICLES = {"m": ("Der", "den"), "f": ("Die", "die"), "n": ("Das", "das")}


@dataclass(frozen=True)
class Language:
    """Phrases of one language: `subjects[noun][adjective]`, and so on."""

    code: str
    subjects: list[list[str]]
    objects: list[list[str]]
    verbs: list[str]
    adverbs: list[str]
    compounds: list[str]
    singulars: list[str]
    mentions: list[str]
    plurals: list[list[str]]
    around_links: list[tuple[str, str]]
    title_joints: list[str]


@cache
def german() -> Language:
    nouns, adjectives = words.GERMAN_NOUNS, words.GERMAN_ADJECTIVES
    subjects, objects, plurals = [], [], []
    for singular, gender, plural in nouns:
        nominative, accusative = _ARTICLES[gender]
        ending = "en" if gender == "m" else "e"
        subjects.append([f"{nominative} {a}e {singular}" for a in adjectives])
        objects.append([f"{accusative} {a}{ending} {singular}" for a in adjectives])
        plurals.append([f"{a.capitalize()}e {plural}" for a in adjectives])
    return Language(
        "de",
        subjects,
        objects,
        words.GERMAN_VERBS,
        words.GERMAN_ADVERBS,
        [n[0] + suffix for n in nouns if n[1] == "m" for suffix in words.GERMAN_SUFFIXES],
        [n[0] for n in nouns],
        [n[0] for n in nouns],
        plurals,
        [
            ("Siehe auch ", "."),
            ("Das hängt mit ", " zusammen."),
            ("Ausführlicher steht es in ", ", wenn auch älter."),
            ("Im Gegensatz zu ", " ist hier noch alles offen."),
            ("", " erklärt, warum das so ist."),
        ],
        ["und", "oder", "statt", "ohne", "als"],
    )


@cache
def english() -> Language:
    nouns, adjectives = words.ENGLISH_NOUNS, words.ENGLISH_ADJECTIVES
    return Language(
        "en",
        [[f"The {a} {n[0]}" for a in adjectives] for n in nouns],
        [[f"the {a} {n[0]}" for a in adjectives] for n in nouns],
        words.ENGLISH_VERBS,
        words.ENGLISH_ADVERBS,
        [n[0] + suffix for n in nouns[:40] for suffix in words.ENGLISH_SUFFIXES],
        [n[0].capitalize() for n in nouns],
        [n[0] for n in nouns],
        [[f"{a.capitalize()} {n[1]}" for a in adjectives] for n in nouns],
        [
            ("See also ", "."),
            ("This builds on ", " and goes one step further."),
            ("There is more about it in ", "."),
            ("Unlike ", ", nothing is settled here."),
            ("", " says why."),
        ],
        ["and", "or", "instead of", "without", "as"],
    )


class Writer:
    """Draws text from one stream of random numbers; a topic makes some nouns frequent."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def pick(self, options: list[str]) -> str:
        return options[int(self._random() * len(options))]

    def topic(self) -> list[int]:
        """Numbers of the eight nouns that a folder is about, in any language."""
        nouns = min(len(german().subjects), len(english().subjects))
        return [int(self._random() * nouns) for _ in range(8)]

    def sentence(self, language: Language, topic: list[int]) -> str:
        rand = self._random
        nouns = len(language.subjects)
        subject = topic[int(rand() * 8)] if rand() < 0.5 else int(rand() * nouns)
        thing = topic[int(rand() * 8)] if rand() < 0.3 else int(rand() * nouns)
        text = f"{self.pick(language.subjects[subject])} {self.pick(language.verbs)} "
        form = rand()
        if form < 0.6:
            text += f"{self.pick(language.objects[thing])} {self.pick(language.adverbs)}."
        elif form < 0.8:
            text += f"{self.pick(language.objects[thing])} ({self.pick(language.compounds)})."
        else:
            text += f"{self.pick(language.objects[thing])}."
        return f"{text} {self.pick(words.EMOJI)}" if rand() < 0.03 else text

    def around(self, language: Language, link: str) -> str:
        """A sentence that holds a link."""
        before, after = language.around_links[int(self._random() * len(language.around_links))]
        return before + link + after

    def heading(self, language: Language) -> str:
        plural = language.plurals[int(self._random() * len(language.plurals))]
        text = self.pick(plural)
        return f"{text} {self.pick(words.EMOJI)}" if self._random() < 0.04 else text

    def title(self, language: Language) -> str:
        """A title such as `Gärten ohne Brücke`; not unique."""
        rand = self._random
        noun = int(rand() * len(language.plurals))
        form = rand()
        if form < 0.3:
            return self.pick(language.plurals[noun])
        first = language.singulars[noun] if form < 0.6 else self.pick(language.plurals[noun])
        other = int(rand() * len(language.singulars))
        return f"{first} {self.pick(language.title_joints)} {language.singulars[other]}"
