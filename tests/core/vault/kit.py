"""Notes made by hand, so that the index is tested without the parser."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.ids import slugify
from core.model import (
    MDLINK,
    WIKILINK,
    Block,
    Callout,
    Frontmatter,
    Heading,
    KindMention,
    Link,
    Note,
    Property,
    Scalar,
    Tag,
    strip_note_suffix,
)

_WIKI = re.compile(r"(!?)\[\[([^\]|#]*)(#[^\]|]*)?(?:\|([^\]]*))?\]\]$")
_MD = re.compile(r"(!?)\[([^\]]*)\]\(([^)#]*)(?:#([^)]*))?\)$")


def link(raw: str, start: int = 0) -> Link:
    """A link from its source, `[[A#H|x]]` or `[t](a.md#s)` (already decoded)."""
    if match := _WIKI.match(raw):
        embed, target, heading, alias = match.groups()
        anchor_at = match.start(3) + 1 if heading else -1
        return Link(
            start, 0, start, raw, form=WIKILINK, target=target, alias=alias, embed=bool(embed),
            heading=heading[1:] if heading else None, target_at=match.start(2) if target else -1,
            target_end=match.end(2) if target else -1, anchor_at=anchor_at,
            anchor_end=match.end(3) if heading else -1,
        )  # fmt: skip
    match = _MD.match(raw)
    assert match, raw
    embed, alias, target, heading = match.groups()
    return Link(
        start, 0, start, raw, form=MDLINK, target=target, alias=alias, embed=bool(embed),
        heading=heading,
    )  # fmt: skip


def note(
    path: str,
    *links: str,
    title: str | None = None,
    id: str | None = None,
    aliases: Iterable[str] = (),
    tags: Iterable[str] = (),
    kinds: Iterable[str] = (),
    headings: Iterable[str] = (),
    blocks: Iterable[str] = (),
    properties: Iterable[tuple[str, Iterable[str]]] = (),
    callouts: Iterable[str] = (),
) -> Note:
    """A note with these links, one behind the other; headings as `## Text`."""
    at, made = 0, []
    for raw in links:
        made.append(link(raw, at))
        at += len(raw) + 1
    lines = []
    for number, source in enumerate(headings):
        marks, _, raw = source.partition(" ")
        text = raw.replace("`", "").replace("*", "")
        lines.append(Heading(at, number, 0, raw, level=len(marks), text=text, slug=_slug(text)))
    return Note(
        path=path,
        title=title or strip_note_suffix(path.rpartition("/")[2]),
        note_id=id,
        aliases=tuple(aliases),
        links=tuple(made),
        tags=tuple(Tag(0, 0, 0, f"#{name}", name=name) for name in tags),
        kinds=tuple(KindMention(0, 0, 0, kind, kind=kind) for kind in kinds),
        headings=tuple(lines),
        blocks=tuple(Block(0, 0, 0, f"^{name}", id=name) for name in blocks),
        callouts=tuple(Callout(0, 0, 0, f"[!{name}]", type=name) for name in callouts),
        frontmatter=Frontmatter(0, 0, 0, tuple(_property(key, values) for key, values in given))
        if (given := list(properties))
        else None,
    )


def _property(key: str, values: Iterable[str]) -> Property:
    scalars = tuple(Scalar(0, 0, 0, value, text=value) for value in values)
    return Property(0, 0, 0, key, key=key, values=scalars)


def _slug(text: str) -> str:
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") or slugify(text)
