"""What frontmatter says about its note: title, id, type, aliases, tags, links."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from operator import attrgetter
from typing import NamedTuple

import msgspec

from core.model import (
    FRONTMATTER,
    INLINE_REL,
    TEXTLINK,
    Frontmatter,
    KindMention,
    Link,
    Property,
    Scalar,
    Tag,
)
from core.parse.frontmatter import is_null
from core.parse.kinds import normal_kind
from core.parse.links import DESTINATION, LinkParts, markdown_link, wikilink
from core.parse.places import Places
from core.parse.tags import listed_tags

TEXT_LINK_KEYS = frozenset({"assigned_to", "depends_on"})
"""Keys whose plain values name notes in every vault."""

_START = attrgetter("start")
_WIKILINK = re.compile(r"!?\[\[([^\[\]\r\n]+)\]\]")
_TEXT = re.compile(r"!?\[([^\[\]\r\n]*)\](?=\()")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|mailto:")


class Meta(NamedTuple):
    """The meaning of one frontmatter; strings are "" or None where it says nothing."""

    title: str = ""
    note_id: str | None = None
    type: str | None = None
    aliases: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    links: tuple[Link, ...] = ()
    kinds: tuple[KindMention, ...] = ()


def read(frontmatter: Frontmatter | None, flat: str, kinds: Collection[str]) -> Meta:
    """Read the properties; `flat` is the note's text, `kinds` the known relation kinds."""
    if frontmatter is None or not frontmatter.properties:
        return Meta()
    title, note_id, type_ = "", "", ""
    aliases: dict[str, None] = {}
    tags: list[Tag] = []
    links: list[Link] = []
    mentions: list[KindMention] = []
    places = Places(flat, ascii_only=flat.isascii())
    for prop in frontmatter.properties:
        key = prop.key.strip().lower()
        if key == "title":
            title = title or _single(prop)
        elif key == "id":
            note_id = note_id or _single(prop)
        elif key == "type":
            type_ = type_ or _single(prop)
        elif key in ("aliases", "alias"):
            aliases.update(dict.fromkeys(_aliases(prop)))
        elif key in ("tags", "tag"):
            tags += _tags(prop, places)
            continue
        kind = normal_kind(prop.key)
        by_text = kind in TEXT_LINK_KEYS or kind in kinds
        found, within = _links(prop, kind, by_text, places)
        links += found
        if any(link.relation == kind for link in found):
            mentions.append(
                KindMention(
                    prop.start, prop.line, prop.col, prop.raw, prop.wide8, prop.wide16, kind,
                    FRONTMATTER,
                )
            )  # fmt: skip
        mentions += within
    return Meta(
        title, note_id or None, type_ or None, tuple(aliases), tuple(tags), tuple(links),
        tuple(mentions),
    )  # fmt: skip


def _single(prop: Property) -> str:
    """The one value of a property as one line, "" if it has none."""
    if not prop.values or is_null(prop.values[0]):
        return ""
    return " ".join(prop.values[0].text.split())


def _aliases(prop: Property) -> Iterator[str]:
    for value in prop.values:
        if is_null(value):
            continue
        parts = [value.text]
        if not prop.is_list and value.raw[:1] not in "\"'":
            parts = value.text.split(",")
        for part in parts:
            if name := " ".join(part.split()):
                yield name


def _tags(prop: Property, places: Places) -> Iterator[Tag]:
    for value in prop.values:
        if is_null(value):
            continue
        quotes = value.raw[:1] in ("'", '"')
        inner = value.raw[1:-1] if quotes else value.raw
        for at, raw, name in listed_tags(inner):
            start = value.start + quotes + at
            line, col, wide8, wide16 = places.at(start)
            yield Tag(start, line, col, raw, wide8, wide16, name, True)


def _links(
    prop: Property, kind: str, by_text: bool, places: Places
) -> tuple[list[Link], list[KindMention]]:
    """The links of a property, and the kinds that links name themselves (`[[rel:blocks A]]`)."""
    links: list[Link] = []
    mentions: list[KindMention] = []
    for value in prop.values:
        named: list[tuple[int, str]] = []
        found = sorted(_written_links(value, named), key=_START) if "[" in value.raw else []
        if not found and by_text and (text := _text_link(value)):
            found = [text]
        for parts in found:
            line, col, wide8, wide16 = places.at(parts.start)
            raw = value.raw[parts.start - value.start : parts.end - value.start]
            link = Link(parts.start, line, col, raw, wide8, wide16, *parts[2:])
            links.append(
                msgspec.structs.replace(
                    link, origin=FRONTMATTER, relation=link.relation or kind, key=prop.key
                )
            )
        for start, raw in named:
            line, col, wide8, wide16 = places.at(start)
            mentions.append(
                KindMention(start, line, col, raw, wide8, wide16, normal_kind(raw), INLINE_REL)
            )
    return links, mentions


def _written_links(value: Scalar, named: list[tuple[int, str]]) -> Iterator[LinkParts]:
    """Wikilinks and Markdown links in the source text of a value; kinds within them go to
    `named`, as offset and text."""
    raw, base = value.raw, value.start
    for match in _WIKILINK.finditer(raw):
        start, end = base + match.start(), base + match.end()
        link, kind = wikilink(start, end, match[1], raw[match.start()] == "!")
        if kind is not None:
            named.append(kind)
        if link is not None:
            yield link
    for match in _TEXT.finditer(raw):
        if destination := DESTINATION.match(raw, match.end()):
            group = 1 if destination[1] is not None else 2
            link = markdown_link(
                base + match.start(), base + destination.end(), base + match.start(1), match[1],
                destination[group], base + destination.start(group), match[0][0] == "!",
            )  # fmt: skip
            if link is not None:
                yield link


def _text_link(value: Scalar) -> LinkParts | None:
    """A plain value that names a note: an id, a title, a path."""
    raw, text = value.raw, value.text.strip()
    quotes = len(raw) > 1 and raw[0] in "\"'" and raw[-1] == raw[0]
    if not text or is_null(value) or "\n" in raw or "\r" in raw or _ADDRESS.match(text):
        return None
    return LinkParts(
        value.start, value.end, TEXTLINK, text, None, None, None, False,
        target_at=int(quotes), target_end=len(raw) - quotes,
    )  # fmt: skip
