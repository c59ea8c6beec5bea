"""What is being typed at the cursor, read from the text of its line alone.

Works while a link is still open, so it cannot come from the parsed note.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from core.features.document import Document
from core.features.surroundings import ends_cell, in_code, in_table, is_escaped, split_alias
from core.model import Span

TypedKind = Literal["note", "heading", "block", "alias", "relation", "path", "slug", "tag"]

_REL = re.compile(r"\s*rel:\s*", re.IGNORECASE)
_KIND = re.compile(r"[\w\-]*")
_TAG = re.compile(r"(?:^|(?<=[\s(,;]))#([\w/\-]*)$")
_TAG_REST = re.compile(r"[\w/\-]*")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+:")


class Typed(NamedTuple):
    """An open construct with the cursor in it.

    `query` is what is typed so far, from `start` to `cursor`; `end` is where the typed part
    ends, maybe behind the cursor. `closing` is what is missing behind it: `]]`, `)` or
    nothing. `target` and `anchor` are what stands before a heading, block or alias.
    `has_tail` says that a heading or an alias follows.
    """

    kind: TypedKind
    query: str
    start: int
    cursor: int
    end: int
    closing: str = ""
    target: str = ""
    anchor: str = ""
    has_tail: bool = False
    in_table: bool = False
    in_angles: bool = False

    @property
    def insert(self) -> Span:
        """The range to replace that leaves what follows the cursor alone."""
        return Span(self.start, self.cursor)

    @property
    def replace(self) -> Span:
        """The range to replace together with the rest of the typed part."""
        return Span(self.start, self.end)


def typed_at(document: Document, offset: int) -> Typed | None:
    """The construct that a cursor at `offset` is typing in, None in plain text and in code."""
    lines = document.lines
    number = lines.line_at(offset)
    offset = max(lines.start(number), min(offset, lines.end(number)))
    before = document.text[lines.start(number) : offset]
    after = document.text[offset : lines.end(number)]
    found = (
        _wikilink(before, after, offset, in_table(lines, number))
        or _markdown(before, after, offset)
        or _tag(before, after, offset)
    )
    if found is None or in_code(document, offset):
        return None
    if found.kind == "tag" and document.in_frontmatter(offset):
        return None
    return found


def _wikilink(before: str, after: str, cursor: int, table: bool) -> Typed | None:
    opened = before.rfind("[[")
    if opened < 0 or "]]" in before[opened:] or is_escaped(before, opened):
        return None
    inner = before[opened + 2 :]
    if table and ends_cell(inner):
        return None
    rest, closing = _rest(after, table)
    head, pipe, alias = split_alias(inner, table)
    target, mark, anchor = head.partition("#")
    own = target
    if relation := _REL.match(target):
        kind = _KIND.match(target, relation.end())
        behind = kind.end() if kind else relation.end()
        if behind == len(head):
            query = target[relation.end() :]
            more = _KIND.match(rest)
            end = cursor + (more.end() if more else 0)
            return Typed("relation", query, cursor - len(query), cursor, end, in_table=table)
        own = target[behind:].lstrip()
    tail = split_alias(rest, table)[0]
    has_tail = len(tail) < len(rest) or (not table and after.startswith("|"))
    typed = Typed(
        "note", own, cursor - len(own), cursor, cursor + len(tail), closing,
        has_tail=has_tail, in_table=table,
    )  # fmt: skip
    if pipe:
        end = cursor + len(rest)
        return typed._replace(
            kind="alias", query=alias, start=cursor - len(alias), end=end, target=own.strip()
        )
    if has_tail:
        # brackets written here would land in front of the alias
        typed = typed._replace(closing="")
    if not mark:
        end = cursor + len(tail.partition("#")[0])
        return typed._replace(end=end, has_tail=has_tail or "#" in tail)
    above, _, query = anchor.rpartition("#")
    return typed._replace(
        kind="block" if query.startswith("^") else "heading",
        query=query, start=cursor - len(query), target=own.strip(), anchor=above,
    )  # fmt: skip


def _rest(after: str, table: bool) -> tuple[str, str]:
    """What is left of the link behind the cursor, and the brackets that it lacks."""
    closed, opens = after.find("]]"), after.find("[[")
    if closed >= 0 and not (0 <= opens < closed) and not (table and ends_cell(after[:closed])):
        return after[:closed], ""
    if table and after.startswith("\\|"):
        return after[:2], "]]"
    return "", "]" if after.startswith("]") else "]]"


def _markdown(before: str, after: str, cursor: int) -> Typed | None:
    opened = before.rfind("](")
    if opened < 0 or is_escaped(before, opened):
        return None
    inner = before[opened + 2 :]
    angles = inner.startswith("<")
    inner = inner.removeprefix("<")
    if (">" if angles else ")") in inner or _EXTERNAL.match(inner):
        return None
    if not angles and any(char.isspace() for char in inner):
        return None
    stop = re.search(r">" if angles else r"[)\s]", after)
    closed = stop is not None and stop[0] in ">)"
    rest = after[: stop.start()] if stop and closed else ""
    closing = "" if closed else ">)" if angles else ")"
    target, mark, slug = inner.partition("#")
    if mark:
        end = cursor + len(rest)
        return Typed(
            "slug", slug, cursor - len(slug), cursor, end, closing, target, in_angles=angles
        )
    end = cursor + len(rest.partition("#")[0])
    return Typed("path", inner, cursor - len(inner), cursor, end, closing, in_angles=angles)


def _tag(before: str, after: str, cursor: int) -> Typed | None:
    found = _TAG.search(before)
    if found is None:
        return None
    rest = _TAG_REST.match(after)
    end = cursor + (rest.end() if rest else 0)
    return Typed("tag", found[1], cursor - len(found[1]), cursor, end)
