"""Parts of a note whose meaning tells what it is about, and where to write about them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.chunking.chunks import Chunk
from core.features.document import Document
from core.parse.places import flatten
from core.parse.scan import Body

MIN_WORDS = 20
"""Words of its own that a passage needs: boilerplate and lists of links are near everything."""
MAX_POINTING = 0.3
"""Share of links and addresses in a text from which on it is about other notes."""

MIN_PROSE = 0.5
"""Share of a text that must be neither link nor code nor table: code is near all code."""
SHINGLE = 4
MAX_SHARED = 0.2
"""Share of the shorter text's runs of `SHINGLE` words that the other has too from which on
the two are near because of one template."""

_POINTERS = re.compile(
    r"!?\[\[[^\]\n]*\]\]|!?\[[^\]\n]*\]\([^)\n]*\)|\b[A-Za-z][A-Za-z0-9+.-]*://\S+|(?<!`)`[^`\n]+`(?!`)"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]")
_RULE = re.compile(r"[ >]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={2,}[ \t]*)$")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ ]{2,}\S|\t")
_BLOCK_ID = re.compile(r"[ \t]*\^[A-Za-z0-9-]+[ \t]*$")
_FENCED = re.compile(r"^[ >\t]*(`{3,}|~{3,}).*?(?:^[ >\t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^[ >\t]*\|.*", re.MULTILINE)


def is_telling(text: str) -> bool:
    """Whether a chunk's text says something itself, and not what other notes say."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    if _HEADING.match(heading) and "[[" in heading:
        return False
    own = _POINTERS.sub(" ", text)
    if len(text) - len(own) > MAX_POINTING * len(text):
        return False
    own = _ROW.sub("", _FENCED.sub("", own))
    if len(own) < MIN_PROSE * len(text):
        return False
    body = (line for line in own.splitlines() if not _HEADING.match(line))
    return len(_WORD.findall("\n".join(body))) >= MIN_WORDS


def shares_wording(text: str, other: str) -> bool:
    """Whether two texts have runs of words in common, as pages made from one template have."""
    mine, theirs = _shingles(text), _shingles(other)
    return len(mine & theirs) > MAX_SHARED * min(len(mine), len(theirs))


@lru_cache(maxsize=512)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return frozenset(zip(*(words[at:] for at in range(SHINGLE)), strict=False))


def some(chunks: Sequence[Chunk], count: int) -> list[Chunk]:
    """Up to `count` chunks, evenly from the whole note."""
    if len(chunks) <= count:
        return list(chunks)
    return [chunks[at * len(chunks) // count] for at in range(count)]


def insertion(document: Document, chunk: Chunk | None, written: str) -> tuple[int, str]:
    """Where a paragraph about a passage goes, and its text with the blank lines around it.

    It never parts a list, a table, a callout or a block of code, and never makes a
    heading of what stands there.
    """
    lines = document.lines
    first = document.note.body_line
    last = chunk.end_line if chunk is not None else len(lines) - 1
    stop = chunk.start_line if chunk is not None else first
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
