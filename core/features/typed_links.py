"""Links and tags that are being typed, read from the text of their line."""

from __future__ import annotations

import re

from core.features.surroundings import ends_cell, is_escaped, split_alias
from core.features.typed_form import Typed

_REL = re.compile(r"\s*rel:\s*", re.IGNORECASE)
_KIND = re.compile(r"[\w\-]*")
_TAG = re.compile(r"(?:^|(?<=[\s(,;]))#([\w/\-]*)$")
_TAG_REST = re.compile(r"[\w/\-]*")
_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+:")


def typed_wikilink(before: str, after: str, cursor: int, table: bool) -> Typed | None:
    """The part of an open `[[...` that ends `before`; `table` says that the line is a row."""
    opened = before.rfind("[[")
    if opened < 0 or "]]" in before[opened:] or is_escaped(before, opened):
        return None
    inner = before[opened + 2 :]
    if table and ends_cell(inner):
        return None
    rest, closing = _rest(after, table)
    head, pipe, alias = split_alias(inner, table)
    target, mark, anchor = head.partition("#")
    own, relation = target, ""
    if rel := _REL.match(target):
        kind = _KIND.match(target, rel.end())
        behind = kind.end() if kind else rel.end()
        if behind == len(head):
            query = target[rel.end() :]
            more = _KIND.match(rest)
            end = cursor + (more.end() if more else 0)
            space = "" if rest[end - cursor :].startswith(" ") else " "
            return Typed("relation", query, cursor - len(query), cursor, end, space, in_table=table)
        own = target[behind:].lstrip()
        relation = target[rel.end() : behind]
    tail = split_alias(rest, table)[0]
    has_tail = len(tail) < len(rest) or (not table and after.startswith("|"))
    typed = Typed(
        "note", own, cursor - len(own), cursor, cursor + len(tail), closing,
        has_tail=has_tail, in_table=table, embed=before[:opened].endswith("!"), relation=relation,
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


def typed_destination(before: str, after: str, cursor: int) -> Typed | None:
    """The destination of a Markdown link or image that `before` ends in."""
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
    embed = before.rfind("![", 0, opened) >= 0 and before.rfind("[", 0, opened) == (
        before.rfind("![", 0, opened) + 1
    )
    if mark:
        end = cursor + len(rest)
        return Typed(
            "slug", slug, cursor - len(slug), cursor, end, closing, target, in_angles=angles
        )
    end = cursor + len(rest.partition("#")[0])
    return Typed(
        "path", inner, cursor - len(inner), cursor, end, closing, in_angles=angles, embed=embed
    )


def typed_tag(before: str, after: str, cursor: int) -> Typed | None:
    """A tag behind its `#`."""
    found = _TAG.search(before)
    if found is None:
        return None
    rest = _TAG_REST.match(after)
    end = cursor + (rest.end() if rest else 0)
    return Typed("tag", found[1], cursor - len(found[1]), cursor, end)
