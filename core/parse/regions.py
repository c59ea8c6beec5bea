"""Regions that hold no links, tags or ids: code, comments, math, HTML tags.

Each method is called where such a region may begin and returns where it ends, 0 where
there is none. Each is linear over a whole text: a mark that is not found once is not
looked for again.
"""

from __future__ import annotations

import re
from bisect import bisect_left, insort

from core.parse import blocks

_TICK_RUN = re.compile(r"``*")
_HTML = re.compile(r"<(?:/?[A-Za-z][^<>\n\[]*|[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*)>")
_DOLLAR_END = re.compile(r"\$(?<![\s\\]\$)(?![\d$])")
_LONGEST_LEAD = 200


class Regions:
    """The regions of one body, in `dead` as they are found: `(start, end)`, in order."""

    def __init__(self, flat: str, start: int) -> None:
        self.flat = flat
        self.start = start
        self.dead: list[tuple[int, int]] = []
        self.block_end = blocks.BlockEnd(flat)
        self._tick_runs: dict[int, list[int]] | None = None
        self._nesting: blocks.Nesting | None = None
        self._no_comment = self._no_percent = self._no_math = False
        self._no_dollar_before = 0

    @property
    def last_end(self) -> int:
        """End of the last region so far, or the body's start."""
        return self.dead[-1][1] if self.dead else self.start

    def skip(self, start: int, end: int) -> int:
        """Note a region and return its end."""
        self.dead.append((start, end))
        return end

    def is_dead(self, offset: int) -> bool:
        """Whether `offset` is inside code, a comment or math."""
        at = bisect_left(self.dead, (offset + 1,)) - 1
        return at >= 0 and self.dead[at][1] > offset

    def indented_code(self, start: int) -> int:
        """Skip indented code that begins at `start`, or behind the blank line there."""
        flat = self.flat
        end = blocks.line_end(flat, start)
        if not flat[start:end].strip():
            start = end + 1
        end = self._nested().code.get(start, 0)
        return end and self.skip(start, end)

    def code_below(self, start: int) -> bool:
        """Note the indented code that begins at `start`, right below a heading. False where
        there is none: the line may be in a list, or in a region already."""
        end = self._nested().code.get(start, 0)
        if not end or self.is_dead(start):
            return False
        insort(self.dead, (start, end))
        return True

    def fence(self, start: int, opener: re.Match[str]) -> int:
        """Skip the code block that the fence in the line at `start` begins."""
        indent = self._nested().fences.get(start, 0) if opener[1] else 0
        return self.skip(start, blocks.fence_end(self.flat, opener, indent))

    def _nested(self) -> blocks.Nesting:
        if self._nesting is None:
            self._nesting = blocks.find_nesting(self.flat, self.start)
        return self._nesting

    def code_span(self, start: int, end: int) -> int:
        if self._tick_runs is None:
            self._tick_runs = {}
            for run in _TICK_RUN.finditer(self.flat, start):
                self._tick_runs.setdefault(run.end() - run.start(), []).append(run.start())
        closers = self._tick_runs.get(end - start, ())
        at = bisect_left(closers, end)
        if at == len(closers) or not self.block_end.joins(start, closers[at]):
            return 0
        return self.skip(start, closers[at] + end - start)

    def html(self, start: int, end: int) -> int:
        flat = self.flat
        if not flat.startswith("<!--", start):
            tag = _HTML.match(flat, start)
            return tag.end() if tag else 0
        close = -1 if self._no_comment else flat.find("-->", start + 2)
        if close >= 0:
            return self.skip(start, close + 3)
        self._no_comment = True
        # at the beginning of a line an open comment hides the rest
        return self.skip(start, len(flat)) if self._leads_line(start) else 0

    def _leads_line(self, start: int) -> bool:
        before = self.flat[max(start - _LONGEST_LEAD, 0) : start]
        lead = before.rpartition("\n")[2]
        return not lead.strip(" \t>") and (len(lead) < len(before) or start == len(before))

    def comment(self, start: int, end: int) -> int:
        close = -1 if self._no_percent else self.flat.find("%%", end)
        self._no_percent = close < 0
        return 0 if close < 0 else self.skip(start, close + 2)

    def math(self, start: int, end: int) -> int:
        flat = self.flat
        if flat.startswith("$", end):
            close = -1 if self._no_math else flat.find("$$", end + 1)
            self._no_math = close < 0
            if close >= 0 and (self._leads_line(start) or self.block_end.joins(start, close)):
                return self.skip(start, close + 2)
            return end + 1
        if start < self._no_dollar_before or flat[end : end + 1].isspace():
            return 0
        stop = blocks.line_end(flat, end)
        close_mark = _DOLLAR_END.search(flat, end + 1, stop)
        if close_mark is None:
            self._no_dollar_before = stop
            return 0
        return self.skip(start, close_mark.end())
