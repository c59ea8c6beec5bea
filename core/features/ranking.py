"""The order of completions, and the text by which editors filter them."""

from __future__ import annotations

from collections.abc import Iterable

from core.text import fold

_ALIKE = 75.0
"""Similarity (0-100) from which a name counts as a misspelling of another."""


def fit(query: str, name: str) -> int:
    """How well a short name fits: 4 exact, 3 start, 2 start of a word, 1 inside or scattered,
    0 not at all."""
    wanted, key = fold(query), fold(name)
    if not wanted or key == wanted:
        return 4
    if key.startswith(wanted):
        return 3
    at = key.find(wanted)
    if at > 0 and not key[at - 1].isalnum():
        return 2
    return 1 if at > 0 or is_scattered(wanted, key) else 0


def is_scattered(query: str, name: str) -> bool:
    """Whether the letters of `query` are in `name` in their order."""
    letters = iter(name)
    return all(char in letters for char in query)


def filter_text(name: str, query: str) -> str:
    """What an editor compares with the typed text.

    The name; where the editor's fuzzy match would drop it (the server also finds words in
    another order and umlauts spelled out) the typed text stands behind it.
    """
    if not query or is_scattered(fold(query), fold(name)):
        return name
    return f"{name} {query}"


def sort_text(position: int) -> str:
    """A key that keeps the server's order."""
    return f"{position:05d}"


def nearness(path: str, folder: str) -> int:
    """0 in the folder, 1 below it, 2 beside or above it, 3 elsewhere."""
    parent = path.rpartition("/")[0]
    if parent == folder:
        return 0
    if not folder or parent.startswith(f"{folder}/"):
        return 1
    top = folder.partition("/")[0]
    return 2 if parent == top or parent.startswith(f"{top}/") else 3


def nearest_name(name: str, known: Iterable[str]) -> str:
    """The known name that `name` was probably meant to be, "" if none is alike."""
    from rapidfuzz import fuzz, process

    found = process.extractOne(name, sorted(known), scorer=fuzz.ratio, score_cutoff=_ALIKE)
    return found[0] if found else ""
