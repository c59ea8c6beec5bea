"""Answers of the features that lead from place to place; see `core.features.results`."""

from __future__ import annotations

from typing import Literal, NamedTuple

from core.model import Place, Span

HighlightKind = Literal["text", "read", "write"]
SymbolKind = Literal["note", "alias", "heading", "tag"]


class Highlight(NamedTuple):
    """A place of the open document; `write` is where the thing is given its name."""

    span: Span
    kind: HighlightKind


class LinkedRanges(NamedTuple):
    """Places of equal text that are edited together, and what they may hold (a regular
    expression that JavaScript understands)."""

    spans: tuple[Span, ...]
    pattern: str


class FileLink(NamedTuple):
    """A link of the open document to a file: `line` is where to go in it, `title` what is
    there."""

    span: Span
    path: str
    line: int
    title: str


class VaultSymbol(NamedTuple):
    """Something with a name somewhere in the vault. `place` is what has it, None for the note
    as a whole; `score` is 0-100."""

    name: str
    kind: SymbolKind
    path: str
    place: Place | None
    score: float
