"""Frontmatter that is being typed, also while it is no valid YAML or has no end yet."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.features.document import Document
from core.features.typed_form import Typed
from core.features.typed_links import typed_wikilink
from core.text import LineIndex

_FENCE = re.compile(r"---[ \t]*$")
_KEY_LINE = re.compile(r"([^\W_][\w \-]*?)[ \t]*:(?=[ \t]|$)[ \t]*")
_KEY = re.compile(r"[\w\-]*$")
_KEY_REST = re.compile(r"[\w\-]*(:?)([ \t]?)")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+|$)")
_YAML_LINE = re.compile(
    r"[ \t]*$|[ \t]*#|[ \t]*-(?:[ \t]|$)|[ \t]+\S|[\w \-]+:(?:[ \t]|$)|[\]\w-]+$"
)
_REST = {
    "": re.compile(r"[^\s\"'#\[\]][^\"'#\[\]\n]*"),
    ",": re.compile(r"[^,\"'#\[\]\n]*"),
    '"': re.compile(r'[^"\n]*'),
    "'": re.compile(r"[^'\n]*"),
}
_MOST_LINES = 500


def in_frontmatter(document: Document, number: int) -> bool:
    """Whether line `number` is inside the fences, or in a block that nothing closes yet."""
    lines = document.lines
    if number < 1 or not _FENCE.match(lines.line(0)):
        return False
    block = document.note.frontmatter
    if block is not None:
        return number < block.end_line
    for at in range(1, min(len(lines), _MOST_LINES)):
        text = lines.line(at)
        if _FENCE.match(text):
            return number < at
        if at != number and not _YAML_LINE.match(text):
            return number < at
    return number < _MOST_LINES


def typed_property(document: Document, number: int, before: str, after: str) -> Typed | None:
    """A key, a value or a link in the frontmatter line `number`; `before` and `after` are its
    parts around the cursor."""
    lines = document.lines
    cursor = lines.start(number) + len(before)
    value = _value_before(lines, number, before)
    if link := typed_wikilink(before, after, cursor, table=False):
        key = value.key if value else ""
        quote = value.quote if value else ""
        if quote and link.closing and not after.removeprefix("]").startswith(quote):
            link = link._replace(closing=link.closing + quote)
        return link._replace(relation=link.relation or key)
    if value is not None:
        return _typed_value(value, before, after, cursor)
    if _KEY.match(before):
        rest = _KEY_REST.match(after)
        word = rest.start(1) if rest else 0
        colon = bool(rest and rest[1])
        return Typed(
            "key", before, cursor - len(before), cursor, cursor + word, "" if colon else ": "
        )
    return None


class _Value(NamedTuple):
    """A value up to the cursor: `text` is what is typed of it, without its `quote`."""

    key: str
    text: str
    quote: str
    in_list: bool


def _value_before(lines: LineIndex, number: int, before: str) -> _Value | None:
    named = _KEY_LINE.match(before)
    item = _ITEM.match(before)
    if named and not before[:1].isspace():
        return _cut(named[1], before[named.end() :], flow=False)
    key = _key_above(lines, number)
    if not key:
        return None
    name, text = key
    if item and not text:
        return _cut(name, before[item.end() :], flow=False)
    return _cut(name, before.lstrip(), flow=True) if text.startswith("[") else None


def _key_above(lines: LineIndex, number: int) -> tuple[str, str] | None:
    """The key that the line continues, and what of its value stands on the key's line."""
    for above in range(number - 1, max(0, number - _MOST_LINES), -1):
        text = lines.line(above)
        if named := _KEY_LINE.match(text):
            value = text[named.end() :].strip()
            opened = value.startswith("[") and not value.endswith("]")
            return (named[1], value) if opened or not value else None
        if text.strip() and not text[:1].isspace() and not _ITEM.match(text):
            return None
    return None


def _cut(key: str, text: str, *, flow: bool) -> _Value | None:
    """The last value of `text`, which may be the begin of a list in brackets."""
    if text.startswith("[") and not text.startswith("[["):
        flow, text = True, text[1:]
    quote, start = "", 0
    for at, char in enumerate(text):
        if quote:
            if char == quote:
                quote = ""
        elif char in "\"'" and not text[start:at].strip():
            quote = char
        elif char == "," and flow:
            start = at + 1
        elif _ends_value(text, at, flow=flow):
            return None
    last = text[start:].lstrip()
    if quote:
        return _Value(key, last[1:], quote, flow)
    return None if last[:1] in ('"', "'") else _Value(key, last, "", flow)


def _ends_value(text: str, at: int, *, flow: bool) -> bool:
    """Whether a comment begins at `at`, or a list ends (and no link in brackets)."""
    if text[at] == "#":
        return text[at - 1 : at].isspace()
    return flow and text[at] == "]" and "]" not in (text[at - 1 : at], text[at + 1 : at + 2])


def _typed_value(value: _Value, before: str, after: str, cursor: int) -> Typed:
    quote = value.quote
    rest = _REST[quote or ("," if value.in_list else "")].match(after)
    more = (rest[0] if rest else "").rstrip()
    closing = quote if quote and not after[len(more) :].startswith(quote) else ""
    query = value.text
    bare = not query and not quote and before[-1:] in (":", "-", ",")
    return Typed(
        "value", query, cursor - len(query), cursor, cursor + len(more), closing,
        target=value.key.strip(), opening=" " if bare else "", quote=quote,
    )  # fmt: skip
