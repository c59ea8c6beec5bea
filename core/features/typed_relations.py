"""Relations and callouts that are being typed outside of link brackets.

`rel: kind [[A]]`, `kind:: [[A]]`, `> [!note]`, and the lines of an edge callout.
"""

from __future__ import annotations

import re

from core.features.typed_form import Typed
from core.text import LineIndex

_LONGEST = 400
"""Characters in front of the cursor that are looked at."""
_WORD = r"[^\W\d_][\w-]*"
_LINKS = r"(?:!?\[\[[^\[\]\n]*\]\]|[ \t,;&+]|(?:and|und)\b)*"
_OPEN_TARGET = r"([^\s\[\]|#`,;&+](?:[^\[\]|#`\n,;]{0,60}))?$"
_REL = r"(?<![\w\[:/.#-])rel:[ \t]*"
_LINE = r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?"
_FIELD = rf"(?:{_LINE}|(?<!\])[(\[][ \t]*)"

_REL_KIND = re.compile(rf"{_REL}([\w-]*)$")
_REL_TARGET = re.compile(rf"{_REL}({_WORD}):?[ \t]+{_LINKS}{_OPEN_TARGET}")
_REL_LINK = re.compile(rf"{_REL}({_WORD}):?[ \t]*{_LINKS}$")
_FIELD_KEY = re.compile(rf"{_FIELD}({_WORD}:{{0,2}})$")
_FIELD_TARGET = re.compile(rf"{_FIELD}({_WORD}(?: [\w-]+)*)::{_LINKS}{_OPEN_TARGET}")
_FIELD_LINK = re.compile(rf"{_FIELD}({_WORD}(?: [\w-]+)*)::{_LINKS}$")
_KEY_REST = re.compile(r"[\w-]*:{0,2}")
_KIND_REST = re.compile(r"[\w-]*")

_QUOTE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(>[ \t>]*)")
_CALLOUT = re.compile(r"(?:\[!?[\w-]*)?$")
_CALLOUT_REST = re.compile(r"!?[\w-]*\]?")
_CALLOUT_MARK = re.compile(r"\[!([^\[\]|\n]+)[^\[\]\n]*\][+-]?[ \t]*")
_EDGE_KIND = re.compile(rf"(?:^|\]\][ \t,;]+)[ \t]*(?:[-*+][ \t]+)?({_WORD})?$")
_EDGE_LINE = re.compile(rf"(?:^|\]\][ \t,;]*)[ \t]*(?:[-*+][ \t]+)?({_WORD}(?: [\w-]+)*)[ \t]*::?")
_EDGE_TARGET = re.compile(rf"({_WORD}(?: [\w-]+)*)[ \t]*::?{_LINKS}{_OPEN_TARGET}")
_MOST_LINES = 200


def typed_relation(lines: LineIndex, number: int, before: str, after: str) -> Typed | None:
    """A kind, an inline field or a target of one that ends `before`, the line to the cursor."""
    cursor = lines.start(number) + len(before)
    if quote := _QUOTE.match(before):
        if typed := _typed_callout(lines, number, before, after, quote):
            return typed
        if _callout_type(lines, number) == "edge":
            return _typed_edge(before[quote.end() :], after, cursor)
    before = before[-_LONGEST:]
    if found := _REL_KIND.search(before):
        return _kind(found[1], after, cursor, " ")
    if found := _REL_TARGET.search(before):
        return _target(found[1], found[2], before, after, cursor)
    if found := _FIELD_KEY.search(before):
        rest = _KEY_REST.match(after)
        end = cursor + (rest.end() if rest else 0)
        if not found[1].endswith("::"):
            space = "" if after[end - cursor :].startswith(" ") else " "
            query = found[1]
            return Typed("field", query, cursor - len(query), cursor, end, space)
    if found := _FIELD_TARGET.search(before):
        typed = _target(found[1], found[2], before, after, cursor)
        return typed._replace(target="field")
    return None


def stated_kind(lines: LineIndex, number: int, before: str) -> str:
    """The kind that a link beginning behind `before`, a part of its line, states; "" if none."""
    if (quote := _QUOTE.match(before)) and _callout_type(lines, number) == "edge":
        return _edge_kind(lines, number, before[quote.end() :])
    before = before[-_LONGEST:].removesuffix("!")
    found = _REL_LINK.search(before) or _FIELD_LINK.search(before)
    return found[1] if found else ""


def _kind(query: str, after: str, cursor: int, closing: str) -> Typed:
    rest = _KIND_REST.match(after)
    end = cursor + (rest.end() if rest else 0)
    behind = after[end - cursor :]
    if behind.startswith((closing.strip() or closing, closing)):
        closing = ""
    return Typed("relation", query, cursor - len(query), cursor, end, closing)


def _target(kind: str, query: str | None, before: str, after: str, cursor: int) -> Typed:
    query = query or ""
    space = "" if query or before[-1:].isspace() else " "
    rest = re.match(r"[\w-]*", after) if query else None
    end = cursor + (rest.end() if rest else 0)
    return Typed(
        "note", query, cursor - len(query), cursor, end, "]]", opening=f"{space}[[", relation=kind
    )


def _typed_callout(
    lines: LineIndex, number: int, before: str, after: str, quote: re.Match[str]
) -> Typed | None:
    """The mark of a callout; only the first line of a quote has one."""
    content = before[quote.end() :]
    if not _CALLOUT.match(content) or (not content and after.strip()):
        return None
    above = _QUOTE.match(lines.line(number - 1)) if number else None
    if above and above[1].count(">") >= quote[1].count(">"):
        return None
    cursor = lines.start(number) + len(before)
    rest = _CALLOUT_REST.match(after) if content else None
    end = cursor + (rest.end() if rest else 0)
    space = "" if content or before[-1:].isspace() else " "
    closing = "" if after[end - cursor :].startswith((" ", "+", "-")) else " "
    return Typed("callout", content, cursor - len(content), cursor, end, closing, opening=space)


def _callout_type(lines: LineIndex, number: int) -> str:
    """The type of the callout that a line belongs to, "" if to none."""
    for above in range(number, max(-1, number - _MOST_LINES), -1):
        text = lines.line(above)
        quote = _QUOTE.match(text)
        if quote is None:
            return ""
        if mark := _CALLOUT_MARK.match(text, quote.end()):
            return mark[1].strip().lower()
    return ""


def _typed_edge(content: str, after: str, cursor: int) -> Typed | None:
    """A kind in front of the links of an edge callout's line, or a target behind it."""
    mark = _CALLOUT_MARK.match(content)
    content = content[mark.end() :] if mark else content
    if found := _EDGE_KIND.search(content):
        return _kind(found[1] or "", after, cursor, ": ")
    if found := _EDGE_TARGET.search(content):
        return _target(found[1], found[2], content, after, cursor)
    return None


def _edge_kind(lines: LineIndex, number: int, content: str) -> str:
    """The last kind named in an edge callout before the end of `content`."""
    above = number
    while True:
        mark = _CALLOUT_MARK.match(content)
        found = _EDGE_LINE.findall(content[mark.end() :] if mark else content)
        if found:
            return str(found[-1])
        above -= 1
        quote = _QUOTE.match(lines.line(above)) if above >= 0 else None
        if mark or quote is None or number - above > _MOST_LINES:
            return ""
        content = lines.line(above)[quote.end() :]
