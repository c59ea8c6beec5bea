"""Where a paragraph about a passage of a note goes."""

from __future__ import annotations

import re

from core.features.document import Document
from core.parse.places import flatten
from core.parse.scan import Body

_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]")
_RULE = re.compile(r"[ >]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={2,}[ \t]*)$")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ ]{2,}\S|\t")
_BLOCK_ID = re.compile(r"[ \t]*\^[A-Za-z0-9-]+[ \t]*$")


def insertion(
    document: Document, written: str, lines_of: tuple[int, int] | None = None
) -> tuple[int, str]:
    """Where a paragraph about a passage goes, and its text with the blank lines around it.

    `lines_of` are the first and last line of the passage, None for the note as a whole. The
    paragraph never parts a list, a table, a callout or a block of code, and never makes a
    heading of what stands there.
    """
    lines = document.lines
    first = document.note.body_line
    stop, last = lines_of or (first, len(lines) - 1)
    last = min(last, len(lines) - 1)
    while last > stop and _is_gap(lines.line(last)):
        last -= 1
    last = _end_of_block(document, last)
    while last > first and not lines.line(last).strip():
        last -= 1
    offset, eol = lines.end(last), lines.eol
    lead = eol * 2 if document.text[:offset].strip() else ""
    below = lines.line(last + 1).strip()
    return offset, f"{lead}{written}{eol if below else ''}"


def _is_gap(line: str) -> bool:
    return not line.strip() or bool(_RULE.match(line))


def _end_of_block(document: Document, line: int) -> int:
    """The last line of the block that `line` is in."""
    lines, note = document.lines, document.note
    hidden = Body(flatten(document.text), note.body_start).regions.dead
    end, number = line, line
    while number < len(lines):
        # code, comments and math are not parted, whatever stands in them
        over = next((stop for start, stop in hidden if start < lines.end(number) < stop), None)
        if over is not None:
            end = number = max(number + 1, lines.line_at(over - 1))
            continue
        number += 1
        text = lines.line(number)
        if not text.strip():
            continue
        joined = number == end + 1
        if joined and (_HEADING.match(text) or (_RULE.match(text) and "=" not in text)):
            break
        in_list = bool(_ITEM.match(text)) and _in_list(document, end)
        if not joined and not in_list and not _BLOCK_ID.match(text):
            break
        end = number
    return min(end, len(lines) - 1)


def _in_list(document: Document, line: int) -> bool:
    """Whether the block that ends with `line` is a list, or a continuation of one."""
    lines = document.lines
    for number in range(line, document.note.body_line - 1, -1):
        text = lines.line(number)
        if not text.strip():
            return False
        if _ITEM.match(text):
            return True
    return False
