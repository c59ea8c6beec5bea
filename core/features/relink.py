"""Another target or anchor for a link that is written, in the form that the link has.

What was written is read again as the parser would, so a caller can see what it means.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

from msgspec import structs

from core.features.linkage import anchor_span, target_span
from core.features.linktext import yaml_inside
from core.features.results import PlaceEdit
from core.model import FRONTMATTER, REFERENCE, TEXTLINK, WIKILINK, Link, Note, strip_note_suffix
from core.parse.links import wikilink
from core.vault.candidates import Resolution
from core.vault.targets import MARKDOWN_FORMS, note_suffix

_SAFE = "/!$&*+,;=:@~-._"
"""ASCII punctuation that stays as it is in a Markdown destination."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


class Relinked(NamedTuple):
    """The link as it will be read, and the edits that make it so."""

    link: Link
    edits: tuple[PlaceEdit, ...]


def relinked(
    source: Note,
    link: Link,
    found: Resolution,
    target: str | None = None,
    anchor: str | None = None,
) -> Relinked | None:
    """`link` of the note `source` with another target, another text behind `#`, or both.

    `found` is what the link means now. None where it has no place for that, or cannot hold
    such a text. What is not replaced stays byte for byte.
    """
    if link.form == REFERENCE or (target is not None and not target):
        return None
    parts: list[tuple[int, int, str]] = []
    if target is not None:
        start, end = target_span(link, found)
        if link.target_at < 0:
            return None  # `[[#Heading]]` names no note
        target = _with_ending(link, target)
        like = link.raw[link.target_at : link.target_end]
        parts.append((start, end, _written(source, link, target, like)))
    if anchor is not None:
        start, end = anchor_span(link, found)
        parts.append((start, end, _written(source, link, anchor, link.raw[start:end])))
    raw = link.raw
    for start, end, text in reversed(parts):
        raw = raw[:start] + text + raw[end:]
    if link.form == WIKILINK:
        read = _wikilink(link, raw)
        if read is None or (read.alias != link.alias and not found.is_reversed):
            return None
    else:
        read = _read(link, raw, target, anchor)
    return Relinked(read, tuple(
        PlaceEdit(source.path, link, start, end, text)
        for start, end, text in parts
        if text != link.raw[start:end]
    ))  # fmt: skip


def anchor_texts(link: Link, found: Resolution) -> list[str]:
    """The text behind `#` as it is meant, cut at each `#`: the steps of a heading path."""
    start, end = anchor_span(link, found)
    raw = link.raw[start:end]
    return (decoded(raw) if link.form in MARKDOWN_FORMS else raw).split("#")


def decoded(text: str) -> str:
    """Percent-encoding undone, once; what is not UTF-8 stays."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text


def _with_ending(link: Link, name: str) -> str:
    """`name` with the note suffix that is written in a Markdown link."""
    if link.form not in MARKDOWN_FORMS or note_suffix(name):
        return name
    return name + link.target[len(strip_note_suffix(link.target)) :]


def _written(source: Note, link: Link, text: str, like: str) -> str:
    """`text` as it stands in a link of this form; `like` is what stands there now."""
    if link.form in MARKDOWN_FORMS:
        return _encoded(text, like, _in_angles(link))
    if link.form == TEXTLINK:
        return yaml_inside(text, link.raw[0] if link.target_at else "")
    if link.origin == FRONTMATTER:
        mark = _quote_around(source, link)
        return yaml_inside(text, mark) if mark else text
    return text


@lru_cache(maxsize=1 << 10)
def _encoded(text: str, like: str, in_angles: bool) -> str:
    """`text` percent-encoded as far as a destination needs it, or as `like` has it."""
    scheme = ":" if _SCHEME.match(text) else ""  # `Plan: B.md` must not become an address
    if in_angles:
        return "".join(quote(char) if char in f"<>#%\\{scheme}" else char for char in text)
    whole = not like.isascii() or like == decoded(like) or decoded(like).isascii()
    safe = _SAFE.replace(scheme or "\n", "") + (
        "()" if text.count("(") == text.count(")") and ")(" not in text else ""
    )
    return "".join(
        char if whole and char.isprintable() and not char.isascii() else quote(char, safe=safe)
        for char in text
    )


def _in_angles(link: Link) -> bool:
    at = link.target_at if link.target_at >= 0 else link.anchor_at - 1
    return link.raw[at - 1 : at] == "<"


def _quote_around(source: Note, link: Link) -> str:
    """The quotes of the frontmatter value that holds the link, "" for a plain one."""
    for found in source.frontmatter.properties if source.frontmatter else ():
        for value in found.values:
            if value.start <= link.start < value.end:
                return value.raw[0] if value.raw[0] in "\"'" else ""
    return ""


def _wikilink(link: Link, raw: str) -> Link | None:
    """`[[...]]` as the parser reads it; None where it is no such link, or of another kind."""
    inner = raw[3 if link.embed else 2 : -2]
    if any(mark in inner for mark in ("[[", "]]", "\n", "\r")):
        return None
    if _states_kind(link.raw) != _states_kind(raw):
        return None
    parts = wikilink(link.start, link.start + len(raw), inner, link.embed).link
    if parts is None:
        return None
    return Link(link.start, link.line, link.col, raw, link.wide8, link.wide16, *parts[2:])


def _read(link: Link, raw: str, target: str | None, anchor: str | None) -> Link:
    """A Markdown link or a plain frontmatter value as the parser reads it."""
    changed: dict[str, object] = {"raw": raw}
    if target is not None:
        changed["target"] = target
    if anchor is not None:
        changed["heading"] = anchor
    return structs.replace(link, **changed)


def _states_kind(raw: str) -> bool:
    return raw.lstrip("![ \t").startswith("rel:")
