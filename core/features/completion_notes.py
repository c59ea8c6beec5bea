"""Completion of notes: behind `[[`, behind a relation kind, and as a Markdown path."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from heapq import nlargest
from typing import NamedTuple
from urllib.parse import unquote

from core.features.document import Document
from core.features.linktext import ESCAPED_PIPE, PIPE, alias_text, markdown_target, wikilink_target
from core.features.ranking import filter_text, nearness, sort_text
from core.features.results import CompletionItem, Completions
from core.features.typed import Typed
from core.model import Note, strip_note_suffix
from core.text import fold
from core.vault.index import VaultIndex
from core.vault.names import ALIAS, STEM, TITLE, NameHit
from core.vault.targets import is_relative, joined

_LOOKED_AT = 300
"""Hits of the search that are ranked again by nearness and links."""


class _Rank(NamedTuple):
    way: float
    nearness: int
    links: int
    length: int
    name: str
    path: str
    kind: str


def complete_notes(index: VaultIndex, document: Document, typed: Typed, limit: int) -> Completions:
    """Notes that fit what is typed by title, alias or file name, also fuzzily.

    A better way to match goes first, then nearer notes, then more linked ones. Each fitting
    name is an item of its own, so that editors can narrow the list by what they see.
    """
    query = _wanted(document, typed)
    if query is None:
        return Completions()
    hits = _hits(index, document, query)
    ranks = sorted(_rank(index, hit, document.folder) for hit in hits)
    items = tuple(_item(index, document, typed, rank, at) for at, rank in enumerate(ranks[:limit]))
    return Completions(items, len(ranks) > limit)


def _wanted(document: Document, typed: Typed) -> str | None:
    """What to search for: without a note suffix, and a relative path as a vault path."""
    query = typed.query
    if typed.kind == "path" and not typed.in_angles:
        query = unquote(query)
    if is_relative(query):
        found = joined(document.folder, query)
        if found is None:
            return None
        query = found
    return strip_note_suffix(query).lstrip("/").strip()


def _hits(index: VaultIndex, document: Document, query: str) -> list[NameHit]:
    if query:
        return index.names.search(query, _LOOKED_AT)
    near = [path for path in _beside(index, document.folder) if path != document.path]
    wanted = dict.fromkeys((*near, *_most_linked(index)))
    notes = (index.notes[path] for path in wanted)
    return [_by_name(note) for note in notes if note.path != document.path]


def _by_name(note: Note) -> NameHit:
    return NameHit(note.path, note.stem, STEM, 0.0)


def _beside(index: VaultIndex, folder: str) -> list[str]:
    """Some notes of the folder, in path order."""
    prefix = f"{folder}/" if folder else ""
    paths = index.paths
    start = bisect_left(paths, prefix)
    some = paths[start : start + _LOOKED_AT]
    return [p for p in some if p.startswith(prefix) and "/" not in p[len(prefix) :]]


@lru_cache(maxsize=2)
def _most_linked(index: VaultIndex) -> tuple[str, ...]:
    """The hubs of a snapshot."""
    count = index.backlink_count
    return tuple(nlargest(_LOOKED_AT, index.paths, key=count))


def _rank(index: VaultIndex, hit: NameHit, folder: str) -> _Rank:
    # the search's ways are ten points apart; within one a longer name costs up to nine
    way = -((hit.score + 9) // 10)
    near, links = nearness(hit.path, folder), -index.backlink_count(hit.path)
    return _Rank(way, near, links, len(hit.name), hit.name, hit.path, hit.kind)


def _item(
    index: VaultIndex, document: Document, typed: Typed, rank: _Rank, at: int
) -> CompletionItem:
    note = index.notes[rank.path]
    if typed.kind == "path":
        target = markdown_target(rank.path, document.path, in_angles=typed.in_angles)
        shown = filter_text(target if "/" in typed.query else rank.name, typed.query)
    else:
        target = wikilink_target(index, rank.path, document.path)
        name = rank.name
        if typed.query != strip_note_suffix(typed.query):
            name += typed.query[len(strip_note_suffix(typed.query)) :]
        shown = filter_text(name, typed.query)
        target += _alias(typed, rank, target)
    return CompletionItem(
        rank.name,
        "note",
        target + typed.closing,
        typed.insert,
        typed.replace,
        shown,
        sort_text(at),
        " · ".join(part for part in (note.type or "", note.folder) if part),
        note.title if rank.kind == ALIAS or note.title != rank.name else "",
        rank.path,
    )


def _alias(typed: Typed, rank: _Rank, target: str) -> str:
    """`|name` where the picked name is none that the link shows by itself."""
    by_id = rank.kind == STEM and target.rpartition("/")[2] != rank.name
    if typed.has_tail or not (by_id or rank.kind in (TITLE, ALIAS)):
        return ""
    text = alias_text(rank.name)
    if not text or fold(text) == fold(target):
        return ""
    return (ESCAPED_PIPE if typed.in_table else PIPE) + text
