"""Block ids: `^name` at the end of a paragraph, item or table, or alone below it."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.parse.blocks import HEADING

_ID = re.compile(r"\^([A-Za-z0-9-]+)[ \t]*(?=\n|\Z)")
_BOUNDARY = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})(?:[ \t\n]|\Z)")


class BlockId(NamedTuple):
    """`^id` at `start`; `first` is an offset in the first line of what carries it."""

    start: int
    id: str
    first: int


def find_block_ids(flat: str, start: int) -> list[BlockId]:
    """The block ids of the body that begins at `start`, in order."""
    found: list[BlockId] = []
    if "^" not in flat:
        return found
    since = start
    for match in _ID.finditer(flat, start):
        at = match.start()
        if at > start and not flat[at - 1].isspace():
            continue
        line = flat.rfind("\n", since, at) + 1 or since
        if flat[line:at].strip(" \t>"):
            first = _first_line(flat, line, since)
        else:
            # alone in its line: it names what stands above, with or without a blank line
            above = len(flat[since:line].rstrip(" \t>\n")) + since
            last = flat.rfind("\n", since, above) + 1 or since
            first = _first_line(flat, last, since) if above > since else line
        found.append(BlockId(at, match[1], first))
        since = match.end()
    return found


def _first_line(flat: str, line: int, since: int) -> int:
    """Begin of the paragraph, item or table that the line at `line` belongs to."""
    while line > since and not _BOUNDARY.match(flat, line):
        above = flat.rfind("\n", since, line - 1) + 1 or since
        if not flat[above : line - 1].strip(" \t>") or HEADING.match(flat, above):
            break
        line = above
    return line
