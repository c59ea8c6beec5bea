"""workspace/symbol: notes, headings and tags of a vault by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.features.heading_table import HeadingTable
from core.features.ranking import fit
from core.features.results_places import SymbolKind, VaultSymbol
from core.model import Heading
from core.text import fold
from core.vault.index import VaultIndex
from core.vault.names import ALIAS, EXACT

_STEP = re.compile(r"\s*[›#]\s*")
_HEADING_COST, _TAG_COST = 2.0, 8.0
"""What headings and tags lose to notes of an equally fitting name."""
_NOTES_WITH_STEP = 20
_TAG_SCORES = {4: 100.0, 3: 88.0, 2: 78.0, 1: 60.0}
_SHORTEST_PART = 2


def workspace_symbols(
    index: VaultIndex, headings: HeadingTable, query: str, limit: int, recent: Iterable[str] = ()
) -> list[VaultSymbol]:
    """At most `limit` symbols that fit, best first.

    Notes by title, alias or file name, headings as `Note › Heading`, tags. `#` in front asks
    for tags alone, `note › heading` (or `note#heading`) for headings of some notes. With no
    query the `recent` notes, then those with most links. `headings` is the table of the
    same snapshot.
    """
    query = query.strip()
    if not query:
        return list(_first(index, recent))[:limit]
    if query.startswith("#"):
        found = list(_tags(index, query[1:].strip()))
    else:
        found = [*_notes(index, query, limit), *_tags(index, query)]
        left, step, right = _split(query)
        if step:
            found += _in_notes(index, left, right)
        found += _headings(index, headings, query, limit)
    return sorted(found, key=_order)[:limit]


def _first(index: VaultIndex, recent: Iterable[str]) -> Iterator[VaultSymbol]:
    for path in dict.fromkeys((*recent, *index.hubs)):
        note = index.get(path)
        if note is not None:
            yield VaultSymbol(note.title, "note", path, None, 0.0)


def _notes(index: VaultIndex, query: str, limit: int) -> Iterator[VaultSymbol]:
    best: dict[str, VaultSymbol] = {}
    for hit in index.names.search(query, limit):
        note = index.get(hit.path)
        if note is None:
            continue
        kind: SymbolKind = "alias" if hit.kind == ALIAS else "note"
        same = fold(hit.name) == fold(note.title)
        name = note.title if same else f"{hit.name} ({note.title})"
        found = VaultSymbol(name, kind, hit.path, None, hit.score)
        known = best.get(hit.path)
        if known is None or _order(found) < _order(known):
            best[hit.path] = found
    yield from best.values()


def _headings(
    index: VaultIndex, headings: HeadingTable, query: str, limit: int
) -> Iterator[VaultSymbol]:
    for hit in headings.search(query, limit):
        note = index.get(hit.path)
        if note is not None and hit.number < len(note.headings):
            heading = note.headings[hit.number]
            yield _heading(note.title, hit.path, heading, hit.score - _HEADING_COST)


def _in_notes(index: VaultIndex, left: str, right: str) -> Iterator[VaultSymbol]:
    """Headings that fit `right` in notes that fit `left`."""
    for path in dict.fromkeys(hit.path for hit in index.names.search(left, _NOTES_WITH_STEP)):
        note = index.get(path)
        for heading in note.headings if note else ():
            if rank := fit(right, heading.text):
                yield _heading(note.title if note else "", path, heading, EXACT - 4.0 + rank)


def _heading(title: str, path: str, heading: Heading, score: float) -> VaultSymbol:
    name = heading.text or "#" * heading.level
    return VaultSymbol(f"{title} › {name}", "heading", path, heading, score)


def _tags(index: VaultIndex, query: str) -> Iterator[VaultSymbol]:
    """The tags that fit, each at its first place."""
    if 0 < len(query) < _SHORTEST_PART:
        return
    for name in index.tags:
        rank = fit(query, name)
        if rank < 1 or (rank == 1 and fold(query) not in fold(name)):
            continue
        path = index.first_tagged(name)
        note = index.get(path)
        place = next((tag for tag in note.tags if tag.name == name), None) if note else None
        if place is not None:
            score = _TAG_SCORES[rank] - _TAG_COST
            yield VaultSymbol(f"#{name}", "tag", path, place, score)


def _split(query: str) -> tuple[str, str, str]:
    found = _STEP.search(query)
    if found is None or not query[: found.start()] or not query[found.end() :]:
        return query, "", ""
    return query[: found.start()], found[0], query[found.end() :]


def _order(symbol: VaultSymbol) -> tuple[float, int, str, str, int]:
    start = symbol.place.start if symbol.place else -1
    return (-symbol.score, len(symbol.name), symbol.name, symbol.path, start)
