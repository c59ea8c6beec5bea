"""Where in its line and block a cursor is: in a table, in code, behind an alias mark."""

from __future__ import annotations

import re

from core.features.document import Document
from core.parse.places import flatten
from core.parse.scan import Body
from core.text import LineIndex

_FENCE = re.compile(r"[ >\t]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})")
DELIMITER_ROW = re.compile(r"[ >\t]*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
_PIPE = re.compile(r"(\\?)\|")
_CODE_MARKS = re.compile(r"(?<!\\)`+")


def in_table(lines: LineIndex, number: int) -> bool:
    """Whether a line is a table row: it starts with a pipe, or a delimiter row is above it."""
    if lines.line(number).lstrip(" >\t").startswith("|"):
        return True
    for above in range(number - 1, -1, -1):
        row = lines.line(above)
        if "|" not in row:
            return False
        if DELIMITER_ROW.match(row):
            return True
    return False


def in_code(document: Document, offset: int) -> bool:
    """Whether a cursor is in a fenced block, or in a code span that began on its line."""
    lines = document.lines
    number = lines.line_at(offset)
    fence = ""
    for line in range(document.note.body_line, number):
        text = lines.line(line)
        found = _FENCE.match(text)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not text[found.end() :].strip():
            fence = ""
    return bool(fence) or _opens_code_span(document.text[lines.start(number) : offset])


def in_comment(document: Document, offset: int) -> bool:
    """Whether a cursor is in a comment, `<!-- -->` or `%% %%`, as the parser sees it."""
    begin = document.note.body_start
    if (
        document.text.find("<!--", begin, offset) < 0
        and document.text.find("%%", begin, offset) < 0
    ):
        return False
    return Body(flatten(document.text), begin).regions.is_dead(offset)


def split_alias(text: str, table: bool) -> tuple[str, str, str]:
    """What stands before the alias mark, the mark, and what stands behind it.

    The mark is `|`, or `\\|`; in a table an unescaped pipe is the end of the cell instead.
    """
    for found in _PIPE.finditer(text):
        if found[1] or not table:
            return text[: found.start()], found[0], text[found.end() :]
    return text, "", ""


def ends_cell(text: str) -> bool:
    """Whether an unescaped pipe is in `text`."""
    return any(not found[1] for found in _PIPE.finditer(text))


def is_escaped(text: str, at: int) -> bool:
    """Whether the character at `at` has a backslash in front that counts."""
    head = text[:at]
    return (len(head) - len(head.rstrip("\\"))) % 2 == 1


def _opens_code_span(text: str) -> bool:
    opened = ""
    for run in _CODE_MARKS.findall(text):
        if not opened:
            opened = run
        elif run == opened:
            opened = ""
    return bool(opened)
