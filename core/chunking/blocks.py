"""The blocks of a note's body: the places where a cut does least harm.

Blocks partition the body: each begins where the one before it ends, and blank lines
belong to the block before them. So nothing is lost, whatever is cut where.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import IntEnum
from itertools import pairwise

import msgspec

from core.chunking.tokens import CJK, count_tokens
from core.model import Heading, Note
from core.text import LineIndex


class Grain(IntEnum):
    """What a piece of text is, and by that, how it may be cut further."""

    HEADING = 0
    PROSE = 1
    SENTENCE = 2
    LINE = 3
    WORDS = 4
    FENCE = 5
    WHOLE = 6
    """A line of code, or a row of a table: never cut."""


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A range of the note's text; `blank` if it holds nothing but blanks."""

    start: int
    end: int
    grain: Grain
    tokens: int
    blank: bool = False


_FENCE = re.compile(r"[ \t>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_TABLE_RULE = re.compile(r"[ \t>]*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_SETEXT_RULE = re.compile(r" {0,3}(?:=+|-+)\s*$")
# each run of marks is looked at once, from its begin
_SENTENCE = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+\s+|[。！？]+[」』”’）]*\s*")
_ENDS = ("\n", "\r")
_WORD = re.compile(r"\S+\s*|\s+")
_COMBINING = re.compile(r"[\u0300-\u036f\u200d\ufe00-\ufe0f\u20d0-\u20ff\U0001f3fb-\U0001f3ff]")
_CJK_RUN = re.compile(rf"[{CJK}]")


def body_blocks(note: Note, text: str, lines: LineIndex) -> list[Piece]:
    """The blocks of the body in order; [] for a body of blanks alone."""
    start = min(note.body_start, len(text))
    if not text[start:].strip():
        return []
    first = lines.line_at(start)
    starts = _block_starts(note, lines, first)
    pieces: list[Piece] = []
    for at, (line, grain) in enumerate(starts):
        begin = start if at == 0 else lines.start(line)
        end = lines.start(starts[at + 1][0]) if at + 1 < len(starts) else len(text)
        if begin < end:
            pieces.append(piece(text, begin, end, grain))
    return pieces


def piece(text: str, start: int, end: int, grain: Grain) -> Piece:
    """The piece of `text` between two offsets, with its size."""
    part = text[start:end]
    return Piece(start, end, grain, count_tokens(part), not part.strip())


def divide(text: str, whole: Piece, room: int) -> list[Piece]:
    """Cut a piece at the best places that it has; `[whole]` if there are none left.

    Words are taken together in runs of at most `room` code points.
    """
    grain = whole.grain
    if grain is Grain.FENCE:
        return _pieces(text, whole, _line_ends(text, whole), Grain.WHOLE)
    if grain is Grain.PROSE:
        cuts = [m.end() for m in _SENTENCE.finditer(text, whole.start, whole.end)]
        if parts := _pieces(text, whole, cuts, Grain.SENTENCE):
            return parts
        grain = Grain.SENTENCE
    if grain is Grain.SENTENCE:
        if parts := _pieces(text, whole, _line_ends(text, whole), Grain.LINE):
            return parts
        grain = Grain.LINE
    if grain in (Grain.LINE, Grain.HEADING):
        return _pieces(text, whole, _word_cuts(text, whole, room), Grain.WORDS) or [whole]
    return [whole]


def _pieces(text: str, whole: Piece, cuts: list[int], grain: Grain) -> list[Piece]:
    """The parts between `cuts`, [] if that would be one part."""
    bounds = sorted({cut for cut in cuts if whole.start < cut < whole.end})
    if not bounds:
        return [] if grain in (Grain.SENTENCE, Grain.LINE) else [piece_as(whole, grain)]
    edges = [whole.start, *bounds, whole.end]
    return [piece(text, a, b, grain) for a, b in pairwise(edges)]


def piece_as(whole: Piece, grain: Grain) -> Piece:
    """The same piece with another grain."""
    return Piece(whole.start, whole.end, grain, whole.tokens, whole.blank)


def _line_ends(text: str, whole: Piece) -> list[int]:
    part = text[whole.start : whole.end]
    return [whole.start + match.end() for match in re.finditer(r"\r\n|\n|\r", part)]


def _word_cuts(text: str, whole: Piece, room: int) -> list[int]:
    cuts: list[int] = []
    begin = whole.start
    for match in _WORD.finditer(text, whole.start, whole.end):
        if match.end() - begin > room and match.start() > begin:
            cuts.append(match.start())
            begin = match.start()
        while match.end() - begin > room:
            # one word longer than a run: cut it between characters
            begin = _character_end(text, begin + room, match.end())
            cuts.append(begin)
    return cuts


def _character_end(text: str, at: int, end: int) -> int:
    limit = min(end, at + 16)
    while at < limit and _COMBINING.match(text, at):
        at += 1
    return at


def _block_starts(note: Note, lines: LineIndex, first: int) -> list[tuple[int, Grain]]:
    headings = {heading.line for heading in note.headings}
    starts: list[tuple[int, Grain]] = []
    previous_blank = True
    grain = Grain.PROSE
    fence = ""
    table_rule = -1
    text = lines.text
    for number in range(first, len(lines)):
        if number == table_rule:
            continue
        begin = lines.start(number)
        if not fence and text[begin : begin + 1] in _ENDS and number not in headings:
            previous_blank = True
            continue
        line = lines.line(number)
        if number in headings:
            # the parser knows better whether this is still code
            fence = ""
            starts.append((number, Grain.HEADING))
            grain, previous_blank = Grain.HEADING, False
            continue
        if fence:
            if _closes(line, fence):
                fence, previous_blank, grain = "", True, Grain.PROSE
            continue
        if match := _FENCE.match(line):
            fence = match.group(1)
            starts.append((number, Grain.FENCE))
            continue
        if not line or line.isspace():
            previous_blank = True
            continue
        if grain is Grain.HEADING and not previous_blank and _SETEXT_RULE.match(line):
            previous_blank = True
            continue
        if grain is Grain.WHOLE and not previous_blank and "|" in line:
            starts.append((number, Grain.WHOLE))
        elif "|" in line and _is_table_head(lines, number):
            starts.append((number, Grain.WHOLE))
            grain, table_rule = Grain.WHOLE, number + 1
        elif previous_blank or grain is not Grain.PROSE or _ITEM.match(line):
            starts.append((number, Grain.PROSE))
            grain = Grain.PROSE
        previous_blank = False
    if not starts or starts[0][0] != first:
        # blank lines before the first block belong to it
        starts = [(first, starts[0][1]), *starts[1:]] if starts else [(first, Grain.PROSE)]
    return starts


def _closes(line: str, fence: str) -> bool:
    stripped = line.strip(" \t>")
    return stripped.startswith(fence) and not stripped.strip(fence[0])


def _is_table_head(lines: LineIndex, number: int) -> bool:
    below = lines.line(number + 1)
    return "-" in below and "|" in below and _TABLE_RULE.match(below) is not None


class Sections:
    """The heading path at each place of a note."""

    def __init__(self, headings: tuple[Heading, ...]) -> None:
        self._starts: list[int] = []
        self._paths: list[tuple[str, ...]] = [()]
        open_: list[Heading] = []
        for heading in headings:
            while open_ and open_[-1].level >= heading.level:
                open_.pop()
            open_.append(heading)
            self._starts.append(heading.start)
            self._paths.append(tuple(each.text for each in open_ if each.text))

    def at(self, offset: int) -> tuple[str, ...]:
        """Texts of the headings above `offset`, the outermost first."""
        return self._paths[bisect_right(self._starts, offset)]
