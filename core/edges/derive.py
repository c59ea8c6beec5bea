"""All edges of one note: structure, what is written, and what its type adds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from core import ids
from core.config.note_types import EffectiveType
from core.config.relations import RelationsConfig
from core.edges.edge import BELONGS_TO, NEXT, PREV, REFERENCES, Edge
from core.model import (
    DEFINITION,
    EDGE_CALLOUT,
    FRONTMATTER,
    INLINE_FIELD,
    INLINE_REL,
    WIKILINK,
    Link,
    Note,
)
from core.text import fold

DEFAULT_CONFIDENCE = 0.7
"""Confidence of an edge that follows from the note's type."""

MIRROR = ":mirror"
"""Ends the rule of a mirrored edge."""

_RULES = {
    INLINE_REL: ("inline:rel", 0.95),
    INLINE_FIELD: ("inline:field", 0.95),
    EDGE_CALLOUT: ("callout:edge", 0.90),
}


class LinkTarget(msgspec.Struct, frozen=True):
    """What a link means: a note by its id, None while there is no such note.

    `is_note` is false for attachments, which make no edge. `written` and `heading` are of
    the link's target, "" and None where the link itself says it: another part of it may
    be what counts (`[[Talk #24]]`, `[[Title|note-id#Part]]`).
    """

    note_id: str | None = None
    is_note: bool = True
    written: str = ""
    heading: str | None = None


def rule_of(link: Link) -> tuple[str, float]:
    """The rule id by which a written link makes an edge, and its confidence."""
    if link.origin == FRONTMATTER:
        return f"frontmatter:{link.key or link.relation}", 1.0
    plain = "explicit:wikilink" if link.form == WIKILINK else "explicit:mdlink"
    return _RULES.get(link.origin, (plain, 1.0))


def derive_edges(
    note: Note,
    note_id: str,
    chunk_starts: Sequence[int],
    targets: Sequence[LinkTarget],
    type_: EffectiveType,
    relations: RelationsConfig,
) -> list[Edge]:
    """The edges of `note` in a fixed order, each once.

    `chunk_starts` are the offsets where its chunks begin, `targets` what its links mean,
    in the order of `note.links`. Structure comes first, then the written edges in the
    order of the text, then what the type adds, then the mirrors of symmetric ones. A link to
    the note itself makes no edge.
    """
    chunk_ids = [ids.chunk_id(note_id, index) for index in range(len(chunk_starts))]
    written = [
        edge
        for link, target in zip(note.links, targets, strict=True)
        if (edge := _written(link, target, note_id, chunk_starts, chunk_ids, relations))
    ]
    meant = [*written, *_defaults(written, type_, relations)]
    return once([*_structure(note_id, chunk_ids), *meant, *mirrors(meant, relations)])


def _structure(note_id: str, chunk_ids: Sequence[str]) -> Iterable[Edge]:
    for chunk in chunk_ids:
        yield _structural(BELONGS_TO, chunk, note_id, note_id)
    for here, after in pairwise(chunk_ids):
        yield _structural(NEXT, here, after, note_id)
        yield _structural(PREV, after, here, note_id)


def _structural(kind: str, source: str, target: str, note_id: str) -> Edge:
    return Edge(
        kind=kind,
        scope="chunk",
        source_id=source,
        target_id=target,
        target_note_id=note_id,
        note_id=note_id,
        chunk_id=source,
        rule_id=f"structure:{kind}",
        confidence=1.0,
        provenance="structure",
    )


def _written(
    link: Link,
    target: LinkTarget,
    note_id: str,
    chunk_starts: Sequence[int],
    chunk_ids: Sequence[str],
    relations: RelationsConfig,
) -> Edge | None:
    if not link.target or not target.is_note or target.note_id == note_id:
        return None
    if link.form == DEFINITION:
        # the references to it are the links
        return None
    in_frontmatter = link.origin == FRONTMATTER
    rule, confidence = rule_of(link)
    at = max(0, bisect_right(chunk_starts, link.start) - 1)
    chunk = None if in_frontmatter or not chunk_ids else chunk_ids[at]
    return Edge(
        kind=relations.canonical(link.relation) if link.relation else REFERENCES,
        scope="note" if chunk is None else "chunk",
        source_id=chunk or note_id,
        target_id=target.note_id or link.target,
        target_note_id=target.note_id,
        note_id=note_id,
        chunk_id=chunk,
        rule_id=rule,
        confidence=confidence,
        provenance="explicit",
        written=target.written or link.target,
        heading=target.heading if target.written else link.heading,
        line=link.line,
    )


def _defaults(
    written: Sequence[Edge], type_: EffectiveType, relations: RelationsConfig
) -> Iterable[Edge]:
    kinds = [relations.canonical(name) for name in type_.edge_defaults]
    stated = {(edge.kind, target_of(edge)) for edge in written} if kinds else set()
    for edge in written:
        target = target_of(edge)
        for kind in kinds:
            if (kind, target) not in stated:
                yield msgspec.structs.replace(
                    edge,
                    kind=kind,
                    rule_id=f"edge_defaults:{type_.name}:{kind}",
                    confidence=DEFAULT_CONFIDENCE,
                    provenance="rule",
                )


def target_of(edge: Edge) -> tuple[str, bool]:
    """What two edges to the same target agree in; one that is not there goes by its name."""
    if edge.target_note_id is not None:
        return edge.target_note_id, True
    return fold(edge.target_id), False


def mirrors(edges: Sequence[Edge], relations: RelationsConfig) -> Iterable[Edge]:
    """Symmetric edges the other way round, from the target as a whole, once it is there. They
    belong to the note that says so: they come and go with it."""
    for edge in edges:
        if edge.target_note_id is not None and relations.symmetric(edge.kind):
            yield msgspec.structs.replace(
                edge,
                scope="note",
                source_id=edge.target_note_id,
                target_id=edge.note_id,
                target_note_id=edge.note_id,
                chunk_id=None,
                rule_id=f"{edge.rule_id}{MIRROR}",
                heading=None,
            )


def once(edges: Iterable[Edge]) -> list[Edge]:
    """The first of each key, in order."""
    first: dict[tuple[str, ...], Edge] = {}
    for edge in edges:
        first.setdefault(edge.key, edge)
    return list(first.values())
