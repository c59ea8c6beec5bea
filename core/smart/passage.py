"""What a model is asked about one passage, and by what the answer is known again."""

from __future__ import annotations

import hashlib

import msgspec

PASSAGE_VERSION = 1
"""Raised whenever the same passage would be asked about in another way."""


class Choice(msgspec.Struct, frozen=True, array_like=True):
    """A relation that the passage may express: its kind, the target by its id or, while there is
    no such note, as written, and what people call that note."""

    kind: str
    target: str
    title: str


class Passage(msgspec.Struct, frozen=True, array_like=True):
    """A chunk's text and the relations to choose from, in the order of their numbers, from 1."""

    text: str
    choices: tuple[Choice, ...]

    @property
    def key(self) -> str:
        """Hash of all that an answer depends on but the prompt and the model. The same passage
        has the same key wherever it stands, so that moving it asks nothing."""
        return hashlib.sha256(msgspec.msgpack.encode((PASSAGE_VERSION, self))).hexdigest()[:32]


class Chosen(msgspec.Struct, frozen=True, array_like=True):
    """One relation that the model found: its number from 1, and how sure it is, 0 to 1."""

    number: int
    confidence: float


class Verdict(msgspec.Struct, frozen=True):
    """What a model said of a passage; none chosen means that it expresses none of them."""

    model: str
    chosen: tuple[Chosen, ...]
