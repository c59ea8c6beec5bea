"""Blocks of a body as far as links, headings and block ids need them: fences, indented
code, headings, and where a paragraph ends.

All texts here are flattened (see `places.flatten`): `\\n` is the only line end.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_MARKER = r"(?:[-*+]|\d{1,9}[.)])"
_FENCE = rf"[ \t>]*+(?:{_MARKER}[ \t]++)*+(?:```|~~~)"
_HEADING = r" {0,3}#{1,6}(?:[ \t\n]|\Z)"
_UNDERLINE = r" {0,3}(?:=+|-+)[ \t]*(?:\n|\Z)"
_INDENT = r"(?: {4}| {0,3}\t)"

STARTS = rf"{_HEADING}|{_FENCE}|{_UNDERLINE}|[ \t]*\n{_INDENT}| {{0,3}}\[[^\[\]\n]+\]:"
"""What a line begins with that the scanner must look at."""

FIRST_LINE = re.compile(rf"{STARTS}|{_INDENT}")
FENCE = re.compile(rf"([ \t>]*+(?:{_MARKER}[ \t]++)*+)(`{{3,}}(?=[^`\n]*(?:\n|\Z))|~{{3,}})")
HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t\n]|\Z)")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*(?=\n|\Z)")
INDENT = re.compile(_INDENT)

_FENCE_CLOSE = re.compile(r"\n[ \t>]*+(`{3,}|~{3,})[ \t]*(?=\n|\Z)")
_QUOTE_END = re.compile(r"\n(?![ \t]*>)")
_ITEM = re.compile(rf"{_MARKER}(?:([ \t]+)|\Z)")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_PARAGRAPH = re.compile(
    rf" {{0,3}}(?!{_MARKER}(?:[ \t]|\Z)|#{{1,6}}(?:[ \t]|\Z)|```|~~~|(?:=+|-+)[ \t]*\Z)[^\s>|]"
)
_BLOCK_END = re.compile(
    rf"\n(?=[ \t>]*+(?:\n|\Z|(?:#{{1,6}}|{_MARKER})(?:[ \t\n]|\Z)|```|~~~))"
    r"|\n {0,3}(?:=+|-+)[ \t]*(?=\n|\Z)"
)


class HeadingLine(NamedTuple):
    """Where a heading's content is (without marks and outer blanks), and its level."""

    start: int
    end: int
    level: int


def line_end(flat: str, offset: int) -> int:
    """Offset of the line end behind `offset`, or of the text's end."""
    end = flat.find("\n", offset)
    return len(flat) if end < 0 else end


def fence_end(flat: str, opener: re.Match[str], indent: int) -> int:
    """End of the code block that `opener` (a match of FENCE) begins, with its closing line.

    Without a closing fence it ends with what contains it: the quote, the list item (whose
    content is indented by `indent` columns), the note.
    """
    limit = len(flat)
    if ">" in opener[1]:
        found = _QUOTE_END.search(flat, opener.end())
        limit = found.start() if found else limit
    elif indent:
        found = _outdent(indent).search(flat, opener.end())
        limit = found.start() if found else limit
    marks = opener[2]
    for close in _FENCE_CLOSE.finditer(flat, line_end(flat, opener.end()), limit):
        run = close[1]
        if run[0] == marks[0] and len(run) >= len(marks):
            return close.end()
    return limit


@lru_cache(maxsize=64)
def _outdent(indent: int) -> re.Pattern[str]:
    return re.compile(rf"\n(?= {{0,{indent - 1}}}[^ \t\n])")


def atx_heading(flat: str, start: int) -> HeadingLine | None:
    """The heading in the line at `start`, with or without a text."""
    match = HEADING.match(flat, start)
    if match is None:
        return None
    content = flat[match.end() : line_end(flat, start)]
    begin = match.end() + len(content) - len(content.lstrip())
    content = content.strip()
    if not content:
        begin = match.end()
    if content.endswith("#"):
        opened = content.rstrip("#")
        if not opened or opened[-1] in " \t":
            content = opened.rstrip()
    return HeadingLine(begin, begin + len(content), len(match[1]))


def setext_heading(flat: str, start: int, since: int) -> HeadingLine | None:
    """The heading that the underline at `start` makes of the paragraph above it, if any.

    Lines before `since` belong to something else.
    """
    begin = start
    while begin > since:
        above = max(flat.rfind("\n", since, begin - 1) + 1, since)
        if not _PARAGRAPH.match(flat, above, begin - 1):
            break
        begin = above
    if begin == start:
        return None
    if begin > since:
        # a line that goes on with a list item or a quote is no paragraph of its own
        above = max(flat.rfind("\n", since, begin - 1) + 1, since)
        line = flat[above : begin - 1].strip()
        if line[:1] in (">", "|") or _ITEM.match(line):
            return None
    content = flat[begin : start - 1]
    begin += len(content) - len(content.lstrip())
    content = content.strip()
    level = 1 if "=" in flat[start : start + 4] else 2
    return HeadingLine(begin, begin + len(content), level) if content else None


class BlockEnd:
    """Whether two offsets stand in the same paragraph (or heading, or item)."""

    __slots__ = ("_end", "_flat", "_from")

    def __init__(self, flat: str) -> None:
        self._flat = flat
        self._from = self._end = 0

    def joins(self, start: int, end: int) -> bool:
        """Whether nothing between `start` and `end` ends a block."""
        if self._flat.find("\n", start, end) < 0:
            return True
        if start < self._from:
            found = _BLOCK_END.search(self._flat, start, self._from)
            if found:
                return end <= found.start()
            self._from = start
        elif start >= self._end:
            found = _BLOCK_END.search(self._flat, start)
            self._from = start
            self._end = found.start() if found else len(self._flat)
        return end <= self._end


class Nesting(NamedTuple):
    """What depends on the list items around it: `code` maps the offsets of indented code
    blocks to their ends, `fences` those of lines with a fence in a list to the columns
    that the item's content is indented by."""

    code: dict[int, int]
    fences: dict[int, int]


def find_nesting(flat: str, start: int) -> Nesting:
    """Follow the list items of the body that begins at `start`, line by line.

    Code is what is indented by four columns more than the item around it (if any), behind
    a blank line or another block. A list item in or below a list never counts as code,
    however it is indented: people skip levels.
    """
    found = Nesting({}, {})
    items: list[int] = []
    open_paragraph, open_code, fence, fence_indent = False, -1, "", 0
    at = start
    for line in flat[start:].split("\n"):
        begin, at = at, at + len(line) + 1
        content = line.lstrip(" \t")
        if not content:
            open_paragraph = False
            continue
        indent = _columns(line[: len(line) - len(content)])
        if fence and indent >= fence_indent:
            if content.startswith(fence) and not content.strip(fence[0] + " \t"):
                fence = ""
            continue
        fence = ""
        item = _ITEM.match(content) if content[0] in "-*+0123456789" else None
        if item and _RULE.match(content):
            item = None
        if not open_paragraph:
            in_list = bool(items)
            while items and indent < items[-1]:
                items.pop()
            if indent - (items[-1] if items else 0) >= 4 and not (item and in_list):
                if open_code < 0:
                    open_code = begin
                found.code[open_code] = begin + len(line)
                continue
        open_code = -1
        if item:
            while items and indent < items[-1]:
                items.pop()
            gap = len((item[1] or " ").expandtabs(4))
            items.append(indent + len(item[0].rstrip()) + (gap if gap < 5 else 1))
            content = content[item.end() :]
        opener = FENCE.match(content)
        if opener and not opener[1]:
            fence, fence_indent = opener[2], items[-1] if items else 0
            found.fences[begin] = fence_indent
        open_paragraph = not fence and not HEADING.match(content) and not _RULE.match(content)
    return found


def _columns(blanks: str) -> int:
    return len(blanks.expandtabs(4)) if "\t" in blanks else len(blanks)
