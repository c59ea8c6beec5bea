"""Backlinks and missing notes, as the workspace commands tell them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.config.relations import RelationsConfig
from core.edges.derive import rule_of
from core.edges.edge import REFERENCES
from core.features.linkage import target_span
from core.features.linktext import searched_name
from core.model import DEFINITION, Link
from core.vault.index import VaultIndex
from core.vault.resolve import UNRESOLVED

MAX_CONTEXT = 300


class Incoming(NamedTuple):
    """A link to a note, as the edge that it makes."""

    path: str
    title: str
    link: Link
    kind: str
    rule_id: str
    confidence: float


class Missing(NamedTuple):
    """A link that leads to no note; `start` and `end` are where `link.raw` names it."""

    path: str
    link: Link
    start: int
    end: int


def incoming(index: VaultIndex, path: str, relations: RelationsConfig) -> Iterator[Incoming]:
    """The edges that links of other notes make to the note at `path`, by path and place.

    The same rules as in `core.edges`: links of the note to itself make none, nor do the
    lines that define the labels of reference links.
    """
    for source, link in index.backlinks(path):
        if source == path or link.form == DEFINITION:
            continue
        kind = relations.canonical(link.relation) if link.relation else REFERENCES
        yield Incoming(source, index.notes[source].title, link, kind, *rule_of(link))


def missing(index: VaultIndex, path: str | None = None) -> Iterator[Missing]:
    """The links to notes that do not exist, of one note or of the vault, by path and place."""
    for source in index.paths if path is None else (path,):
        for link in index.unresolved_in(source):
            yield Missing(source, link, *target_span(link, UNRESOLVED))


def nearest_titles(index: VaultIndex, target: str, limit: int) -> list[str]:
    """The titles of the notes whose names are most like a target."""
    hits = index.names.nearest(searched_name(target), limit)
    return [index.notes[hit.path].title for hit in hits]


def context_of(line: str, start: int) -> str:
    """A line as context of what stands in it at `start`: short, without outer blanks."""
    if len(line) > MAX_CONTEXT:
        first = max(0, min(start - MAX_CONTEXT // 2, len(line) - MAX_CONTEXT))
        line = line[first : first + MAX_CONTEXT]
    return line.strip()
