"""What stands under the cursor: a link and which part of it, a heading, a tag, ..."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from core.model import (
    Block,
    Field,
    Heading,
    KindMention,
    Link,
    Note,
    Place,
    Property,
    Span,
    Tag,
)

LinkPartName = Literal["target", "heading", "block", "alias", "link"]


class LinkPart(NamedTuple):
    """A link and the part of it that is meant; `link` is its brackets and marks.

    `span` is the part's range in the note, the whole link where the part has none.
    """

    link: Link
    part: LinkPartName
    span: Span


class FrontmatterBlock(NamedTuple):
    """The frontmatter where nothing closer is meant; stands for the note itself."""

    span: Span
    property: Property | None


Thing = LinkPart | KindMention | Tag | Block | Heading | Field | FrontmatterBlock


def thing_at(note: Note, offset: int) -> Thing | None:
    """What a cursor at `offset` points to, None on plain text.

    The closest thing wins: a relation kind or a link within a heading goes before the
    heading. A cursor at the edge between two things belongs to the one that it precedes.
    """
    found = _closest((*_all(note.kinds, offset), *_all(note.tags, offset)), offset)
    if isinstance(found, KindMention | Tag):
        return found
    link = _closest(_all(note.links, offset), offset)
    if isinstance(link, Link):
        return part_at(link, offset)
    block = _closest(_all(note.blocks, offset), offset)
    if isinstance(block, Block):
        return block
    for heading in note.headings:
        # the marks in front count as well: `## |Title`, `|## Title`
        if heading.start - heading.col <= offset <= heading.end:
            return heading
    frontmatter = note.frontmatter
    if frontmatter and frontmatter.start <= offset < frontmatter.end:
        named = _closest(_all(frontmatter.properties, offset), offset)
        span = Span(frontmatter.start, frontmatter.end)
        return FrontmatterBlock(span, named if isinstance(named, Property) else None)
    field = _closest(_all(note.fields, offset), offset)
    return field if isinstance(field, Field) else None


def part_at(link: Link, offset: int) -> LinkPart:
    """The part of `link` that a cursor at `offset` is on."""
    at = offset - link.start
    anchor: LinkPartName = "block" if link.block is not None else "heading"
    parts: tuple[tuple[LinkPartName, int, int], ...] = (
        (anchor, link.anchor_at, link.anchor_end),
        ("alias", link.alias_at, link.alias_end),
        ("target", link.target_at, link.target_end),
    )
    for name, start, end in parts:
        if start >= 0 and start <= at <= end:
            return LinkPart(link, name, Span(link.start + start, link.start + end))
    return LinkPart(link, "link", link.span)


def _all(places: Iterable[Place], offset: int) -> list[Place]:
    return [place for place in places if place.start <= offset <= place.start + len(place.raw)]


def _closest(places: Iterable[Place], offset: int) -> Place | None:
    """Those that hold the offset before those that only end there; then the shortest."""
    return min(places, key=lambda place: (offset >= place.end, len(place.raw)), default=None)
