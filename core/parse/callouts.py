"""Callouts, and the relations that edge callouts state."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.parse import blocks

EDGE = "edge"
_MARK = re.compile(r"\[!([^\[\]\n]+)\]([+-]?)")
_PREFIX = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>[ \t>]*")
_LONGEST_PREFIX = 500


class CalloutLines(NamedTuple):
    """`[!type]` at `start`..`end`; `lines` are the offsets of `(start, end)` of its lines'
    contents, without quote marks. The first is what follows the mark."""

    start: int
    end: int
    type: str
    title: str
    lines: list[tuple[int, int]]


def find_callouts(flat: str, start: int) -> list[CalloutLines]:
    """The callouts of the body that begins at `start`, in order.

    Only the first line of a quote begins one, as in Obsidian.
    """
    found: list[CalloutLines] = []
    if "[!" not in flat:
        return found
    inside: list[tuple[int, int]] = []
    for mark in _MARK.finditer(flat, start):
        at = mark.start()
        line = flat.rfind("\n", max(start, at - _LONGEST_PREFIX), at) + 1 or start
        prefix = _PREFIX.fullmatch(flat, line, at)
        if prefix is None:
            continue
        depth = prefix[0].count(">")
        while inside and inside[-1][0] < line:
            inside.pop()
        if inside and inside[-1][1] >= depth:
            continue
        header_end = blocks.line_end(flat, at)
        lines = [(mark.end(), header_end), *_following(flat, header_end, depth)]
        title = flat[mark.end() : header_end].strip()
        # `[!note|wide]`: what follows the bar is for the style sheet
        kind = mark[1].partition("|")[0].strip().lower()
        found.append(CalloutLines(at, mark.end(1) + 1, kind, title, lines))
        inside.append((lines[-1][1], depth))
    return found


def _following(flat: str, end: int, depth: int) -> list[tuple[int, int]]:
    quote = _quote(depth)
    lines: list[tuple[int, int]] = []
    while match := quote.match(flat, end):
        end = blocks.line_end(flat, match.end())
        lines.append((match.end(), end))
    return lines


def _quote(depth: int) -> re.Pattern[str]:
    return _QUOTES[depth] if depth < len(_QUOTES) else re.compile(_QUOTE.format(depth))


_QUOTE = r"\n[ \t]*(?:>[ \t]?){{{}}}"
_QUOTES = [re.compile(_QUOTE.format(depth)) for depth in range(8)]
