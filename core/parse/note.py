"""From text to `Note`: the parts put together, each at its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from core.model import (
    Block,
    Callout,
    Field,
    Frontmatter,
    Heading,
    KindMention,
    Link,
    Note,
    Problem,
    Tag,
    strip_note_suffix,
)
from core.parse import properties
from core.parse.blockids import find_block_ids
from core.parse.callouts import CalloutLines, find_callouts
from core.parse.frontmatter import find_fence, read_frontmatter
from core.parse.inline import Slugs, plain_text
from core.parse.kinds import normal_kind
from core.parse.links import LinkParts
from core.parse.places import Places, flatten
from core.parse.relations import Relations
from core.parse.scan import Body


def parse_note(path: str, text: str, known_kinds: Collection[str] = ()) -> Note:
    """Read one note. Never raises; what is wrong with it is in `problems`.

    `text` is decoded (no BOM), with its own line ends. Frontmatter keys that are among
    `known_kinds`, besides `depends_on` and `assigned_to`, name notes also by plain
    values; any other key only by links.
    """
    flat = flatten(text)
    ascii_only = text.isascii()
    frontmatter: Frontmatter | None = None
    problems: tuple[Problem, ...] = ()
    body_start = body_line = 0
    fence = find_fence(text)
    if fence is not None:
        places = Places(flat, ascii_only=ascii_only)
        frontmatter, problems = read_frontmatter(text, fence, places)
        if frontmatter is not None:
            body_line = frontmatter.end_line + 1
            body_start = flat.find("\n", fence.end) + 1 or len(flat)
    body = Body(flat, body_start)
    found = _Placed(text, flat, ascii_only, body_start, body_line)
    headings = found.headings(body)
    callouts = [c for c in find_callouts(flat, body_start) if not body.regions.is_dead(c.start)]
    relations = Relations(body, callouts)
    links, tags, kinds = found.links(body.links), found.tags(body.tags), found.kinds(relations)
    meta = properties.read(frontmatter, flat, frozenset(map(normal_kind, known_kinds)))
    if frontmatter is not None:
        links, tags, kinds = meta.links + links, meta.tags + tags, meta.kinds + kinds
    return Note(
        path,
        meta.title or first_title(headings) or strip_note_suffix(path.rpartition("/")[2]),
        meta.note_id,
        meta.type,
        meta.aliases,
        headings,
        found.blocks(body),
        tags,
        links,
        kinds,
        found.fields(relations),
        found.callouts(callouts),
        frontmatter,
        problems,
        flat.count("\n") + 1,
        body_start,
        body_line,
    )


def first_title(headings: Iterable[Heading]) -> str:
    """The text of the first level-1 heading that has one, else ""."""
    return next((heading.text for heading in headings if heading.level == 1 and heading.text), "")


class _Placed:
    """Turns offsets into structs with positions, one kind of thing after the other."""

    def __init__(self, text: str, flat: str, ascii_only: bool, start: int, line: int) -> None:
        self._text, self._flat, self._ascii = text, flat, ascii_only
        self._start, self._line = start, line

    def _places(self) -> Places:
        return Places(self._flat, ascii_only=self._ascii, start=self._start, line=self._line)

    def links(self, found: list[LinkParts]) -> tuple[Link, ...]:
        if not found:
            return ()
        text, at = self._text, self._places().at
        placed = []
        for parts in found:
            start = parts.start
            line, col, wide8, wide16 = at(start)
            raw = text[start : parts.end]
            # by position: this is the hottest line of all
            placed.append(Link(start, line, col, raw, wide8, wide16, *parts[2:]))
        return tuple(placed)

    def tags(self, found: list[tuple[int, str]]) -> tuple[Tag, ...]:
        if not found:
            return ()
        at, placed = self._places().at, []
        for start, name in found:
            line, col, wide8, wide16 = at(start)
            placed.append(Tag(start, line, col, f"#{name}", wide8, wide16, name, False))
        return tuple(placed)

    def headings(self, body: Body) -> tuple[Heading, ...]:
        if not body.headings:
            return ()
        at, slugs, placed = self._places().at, Slugs(), []
        for start, end, level in body.headings:
            raw = self._text[start:end]
            line, col, wide8, wide16 = at(start)
            text = plain_text(raw)
            placed.append(
                Heading(start, line, col, raw, wide8, wide16, level, text, slugs.of(text))
            )
        return tuple(placed)

    def kinds(self, relations: Relations) -> tuple[KindMention, ...]:
        if not relations.mentions:
            return ()
        at, placed = self._places().at, []
        for start, raw, origin in relations.mentions:
            line, col, wide8, wide16 = at(start)
            placed.append(
                KindMention(start, line, col, raw, wide8, wide16, normal_kind(raw), origin)
            )
        return tuple(placed)

    def fields(self, relations: Relations) -> tuple[Field, ...]:
        if not relations.fields:
            return ()
        at, placed = self._places().at, []
        for start, key, value_start, value_end in relations.fields:
            line, col, wide8, wide16 = at(start)
            value = self._text[value_start:value_end]
            placed.append(Field(start, line, col, key, wide8, wide16, key, value))
        return tuple(placed)

    def callouts(self, found: list[CalloutLines]) -> tuple[Callout, ...]:
        if not found:
            return ()
        places, placed = self._places(), []
        for callout in found:
            line, col, wide8, wide16 = places.at(callout.start)
            raw = self._text[callout.start : callout.end]
            last_line = line + len(callout.lines) - 1
            placed.append(
                Callout(
                    callout.start, line, col, raw, wide8, wide16, callout.type, callout.title,
                    last_line,
                )
            )  # fmt: skip
        return tuple(placed)

    def blocks(self, body: Body) -> tuple[Block, ...]:
        found = [
            b for b in find_block_ids(self._flat, self._start) if not body.regions.is_dead(b.start)
        ]
        if not found:
            return ()
        at, placed = self._places().at, []
        for start, name, first in found:
            first_line = at(first)[0]
            line, col, wide8, wide16 = at(start)
            placed.append(Block(start, line, col, f"^{name}", wide8, wide16, name, first_line))
        return tuple(placed)
