"""The labelled passages, and how right an answer about them is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from core.config.load import load_config
from core.smart.passage import Choice, Passage

FILE = Path(__file__).with_name("passages.yaml")


@dataclass(frozen=True)
class Labelled:
    """A passage in a language; `expressed` are the numbers, from 1, of the relations in it."""

    language: str
    passage: Passage
    expressed: frozenset[int]


@dataclass(frozen=True)
class Score:
    """Of all relations of some passages: how many were rightly and wrongly said to be expressed,
    and how many were missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 0.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def labelled(file: Path = FILE) -> list[Labelled]:
    """All passages; the relations of each in the order of their kinds and titles, which says
    nothing of what is right. Raises `ValueError` for one that no vault could have."""
    known = load_config().relations.relations
    found = []
    for row in yaml.safe_load(file.read_text("utf-8")):
        (language,) = {"de", "en"} & row.keys()
        given = [(line, True) for line in row["expressed"]]
        given += [(line, False) for line in row["others"]]
        given.sort()
        choices = []
        for line, _ in given:
            kind, _, title = line.partition(" ")
            if kind not in known or not title:
                raise ValueError(f"no relation: {line}")
            choices.append(Choice(kind, title, title))
        if len(set(choices)) < len(choices):
            raise ValueError(f"a relation twice: {row[language]}")
        expressed = frozenset(number for number, (_, yes) in enumerate(given, 1) if yes)
        found.append(Labelled(language, Passage(row[language], tuple(choices)), expressed))
    return found


def score(answers: Iterable[tuple[Labelled, frozenset[int]]]) -> Score:
    """How right answers are: numbers that were said to be expressed, for each passage."""
    pairs = list(answers)
    return Score(
        right=sum(len(one.expressed & said) for one, said in pairs),
        wrong=sum(len(said - one.expressed) for one, said in pairs),
        missed=sum(len(one.expressed - said) for one, said in pairs),
    )


def every(one: Labelled) -> frozenset[int]:
    """The baseline: the passage expresses every relation."""
    return frozenset(range(1, len(one.passage.choices) + 1))


def named(one: Labelled) -> frozenset[int]:
    """Another baseline: it expresses every relation to a note that it names."""
    text = one.passage.text.casefold()
    choices = enumerate(one.passage.choices, 1)
    return frozenset(number for number, choice in choices if choice.title.casefold() in text)
