"""The one pass over a note's body.

A single pattern jumps from one character of interest to the next; regions that hold no
links (code, comments, math) are skipped as a whole. The scanner only collects where things
are. What they mean, and line and column, is worked out once everything is found.

The time is linear in the text, whatever the text: each search for a closing mark is
either bounded by its block, or remembers that there is none.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from core.model import DEFINITION, REFERENCE
from core.parse import blocks, tags
from core.parse.links import (
    DEFINITION_LINE,
    DESTINATION,
    LinkParts,
    label_key,
    markdown_link,
    reference_link,
    wikilink,
)

_TOKEN = re.compile(
    # every branch begins with a literal: only then does the search skip what is none of them
    rf"\n(?={blocks.STARTS})()"
    r"|\[\[([^\[\]\n]+)\]\]"
    rf"|#(?<![^{tags.BEFORE}]#)({tags.NAME})"
    r"|\[()"
    r"|\]()"
    r"|``*()"
    r"|<(?=[!/A-Za-z])()"
    r"|%%()"
    r"|\$()"
    r"|\\[!-/:-@\[-`{-~]()"
)
_LINE, _WIKILINK, _TAG, _OPEN, _CLOSE, _TICKS, _ANGLE, _PERCENT, _DOLLAR, _ESCAPE = range(1, 11)

_TICK_RUN = re.compile(r"``*")
_HTML = re.compile(r"<(?:/?[A-Za-z][^<>\n\[]*|[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*)>")
_DOLLAR_END = re.compile(r"\$(?<![\s\\]\$)(?![\d$])")
_LONGEST_LABEL = 999
_LONGEST_LEAD = 200
_LABEL = re.compile(r"\[((?:[^\[\]\\\n]|\\.)*)\]")


class Label(NamedTuple):
    """What may be a reference link: its range, the range of its text, and its label."""

    start: int
    end: int
    text_at: int
    text_end: int
    label: str


class Body:
    """What one body holds, each list in the order of the text: links, `(offset, raw)` of
    relation kinds inside links, `(offset, name)` of tags, headings, dead regions."""

    def __init__(self, flat: str, start: int) -> None:
        self.flat = flat
        self.start = start
        self.links: list[LinkParts] = []
        self.kinds: list[tuple[int, str]] = []
        self.tags: list[tuple[int, str]] = []
        self.headings: list[blocks.HeadingLine] = []
        self.dead: list[tuple[int, int]] = []
        self._openers: list[int] = []
        self._labels: list[Label] = []
        self._definitions: dict[str, LinkParts | None] = {}
        self._may_define = "]:" in flat
        self._tick_runs: dict[int, list[int]] | None = None
        self._code: dict[int, int] | None = None
        self._brackets_end = -1
        self._no_comment = self._no_percent = self._no_math = False
        self._no_dollar_before = 0
        self._block_end = blocks.BlockEnd(flat)
        self._scan()
        self._add_references()
        self.links.sort()

    def is_dead(self, offset: int) -> bool:
        """Whether `offset` is inside code, a comment or math."""
        at = bisect_left(self.dead, (offset + 1,)) - 1
        return at >= 0 and self.dead[at][1] > offset

    def _scan(self) -> None:
        flat, start = self.flat, self.start
        if blocks.FIRST_LINE.match(flat, start):
            start = self._line(start) or start
        add_link, find = self.links.append, _TOKEN.finditer
        handlers = {
            _OPEN: self._open,
            _CLOSE: self._close,
            _TICKS: self._ticks,
            _ANGLE: self._angle,
            _PERCENT: self._percent,
            _DOLLAR: self._dollar,
        }
        while start >= 0:
            tokens, start = find(flat, start), -1
            for token in tokens:
                kind = token.lastindex
                if kind == _WIKILINK:
                    at = token.start()
                    embed = at > 0 and flat[at - 1] == "!"
                    link, mention = wikilink(at - embed, token.end(), token[2], embed)
                    if link is not None:
                        add_link(link)
                    if mention is not None:
                        self.kinds.append(mention)
                    continue
                if kind == _ESCAPE:
                    continue
                if kind == _TAG:
                    name = token[3].rstrip("/")
                    if tags.is_tag(name):
                        self.tags.append((token.start(), name))
                    continue
                if kind == _LINE:
                    goal = self._line(token.start() + 1)
                else:
                    goal = handlers[kind or 0](token.start(), token.end())
                if goal:
                    start = goal
                    break

    def _skip(self, start: int, end: int) -> int:
        self.dead.append((start, end))
        return end

    def _line(self, start: int) -> int:
        """A line that may begin a block; returns where to go on, 0 for just behind."""
        flat = self.flat
        if fence := blocks.FENCE.match(flat, start):
            self._openers.clear()
            return self._skip(start, blocks.fence_end(flat, fence))
        if blocks.HEADING.match(flat, start):
            self._openers.clear()
            if heading := blocks.atx_heading(flat, start):
                self.headings.append(heading)
            return 0
        if self._may_define and (match := DEFINITION_LINE.match(flat, start)):
            self._define(match)
            return match.end()
        if blocks.UNDERLINE.match(flat, start):
            since = max(self.start, self.dead[-1][1] if self.dead else 0)
            if heading := blocks.setext_heading(flat, start, since):
                self._openers.clear()
                self.headings.append(heading)
            return 0
        if flat.startswith((" ", "\t", "\n"), start):
            return self._code_at(start)
        return 0

    def _code_at(self, start: int) -> int:
        """Skip indented code that begins at `start`, or behind the blank line there."""
        flat = self.flat
        end = blocks.line_end(flat, start)
        if not flat[start:end].strip():
            start = end + 1
        if self._code is None:
            self._code = blocks.indented_code(flat, self.start)
        end = self._code.get(start, 0)
        return end and self._skip(start, end)

    def _open(self, start: int, end: int) -> int:
        flat = self.flat
        if flat.startswith("[", end) and not flat.startswith("[", end + 1):
            # `[[a [b] c]]`: the plain form is a token of its own
            if self._brackets_end <= end:
                close = flat.find("]]", end)
                self._brackets_end = len(flat) if close < 0 else close
            close = self._brackets_end
            if (
                close < len(flat)
                and flat.find("[[", end + 1, close) < 0
                and flat.find("\n", end, close) < 0
            ):
                embed = start > 0 and flat[start - 1] == "!"
                link, mention = wikilink(start - embed, close + 2, flat[end + 1 : close], embed)
                if link is not None:
                    self.links.append(link)
                if mention is not None:
                    self.kinds.append(mention)
                return close + 2
        self._openers.append(start)
        return 0

    def _close(self, start: int, end: int) -> int:
        flat = self.flat
        if not self._openers:
            return 0
        opener = self._openers.pop()
        if flat.startswith("(", end):
            match = DESTINATION.match(flat, end)
            if match and self._block_end.joins(opener, match.end()):
                return self._add_markdown_link(opener, start, match)
        elif self._may_define and start - opener <= _LONGEST_LABEL:
            text = flat[opener + 1 : start]
            label = _LABEL.match(flat, end, end + _LONGEST_LABEL)
            if label and label[1]:
                self._labels.append(Label(opener, label.end(), opener + 1, start, label[1]))
                return label.end()
            if text and text[0] != "^" and not flat.startswith(":", end):
                stop = label.end() if label else end
                self._labels.append(Label(opener, stop, opener + 1, start, text))
        return 0

    def _add_markdown_link(self, opener: int, close: int, match: re.Match[str]) -> int:
        flat = self.flat
        embed = opener > 0 and flat[opener - 1] == "!"
        group = 1 if match[1] is not None else 2
        text = flat[opener + 1 : close]
        link = markdown_link(
            opener - embed, match.end(), opener + 1, text, match[group], match.start(group), embed
        )
        if link is not None:
            self.links.append(link)
        if not embed:
            # links hold no links
            self._openers.clear()
        return match.end()

    def _define(self, match: re.Match[str]) -> None:
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        group = 2 if match[2] is not None else 3
        link = markdown_link(
            start, match.end(group) + (group == 2), -1, "", match[group], match.start(group),
            False, DEFINITION,
        )  # fmt: skip
        key = label_key(match[1])
        if key not in self._definitions:
            self._definitions[key] = link
        if link is not None:
            self.links.append(link)

    def _add_references(self) -> None:
        for found in self._labels if self._definitions else ():
            definition = self._definitions.get(label_key(found.label))
            if definition is None:
                continue
            embed = found.start > 0 and self.flat[found.start - 1] == "!"
            text = self.flat[found.text_at : found.text_end]
            self.links.append(
                reference_link(
                    found.start - embed, found.end, found.text_at, text, definition, REFERENCE,
                    embed,
                )
            )  # fmt: skip

    def _ticks(self, start: int, end: int) -> int:
        if self._tick_runs is None:
            self._tick_runs = {}
            for run in _TICK_RUN.finditer(self.flat, start):
                self._tick_runs.setdefault(run.end() - run.start(), []).append(run.start())
        closers = self._tick_runs.get(end - start, ())
        at = bisect_left(closers, end)
        if at == len(closers) or not self._block_end.joins(start, closers[at]):
            return 0
        return self._skip(start, closers[at] + end - start)

    def _angle(self, start: int, end: int) -> int:
        flat = self.flat
        if not flat.startswith("<!--", start):
            tag = _HTML.match(flat, start)
            return tag.end() if tag else 0
        close = -1 if self._no_comment else flat.find("-->", start + 2)
        if close >= 0:
            return self._skip(start, close + 3)
        self._no_comment = True
        # at the beginning of a line an open comment hides the rest
        return self._skip(start, len(flat)) if self._leads_line(start) else 0

    def _leads_line(self, start: int) -> bool:
        before = self.flat[max(start - _LONGEST_LEAD, 0) : start]
        lead = before.rpartition("\n")[2]
        return not lead.strip(" \t>") and (len(lead) < len(before) or start == len(before))

    def _percent(self, start: int, end: int) -> int:
        close = -1 if self._no_percent else self.flat.find("%%", end)
        self._no_percent = close < 0
        return 0 if close < 0 else self._skip(start, close + 2)

    def _dollar(self, start: int, end: int) -> int:
        flat = self.flat
        if flat.startswith("$", end):
            close = -1 if self._no_math else flat.find("$$", end + 1)
            self._no_math = close < 0
            if close >= 0 and (self._leads_line(start) or self._block_end.joins(start, close)):
                return self._skip(start, close + 2)
            return end + 1
        if start < self._no_dollar_before or flat[end : end + 1].isspace():
            return 0
        stop = blocks.line_end(flat, end)
        close_mark = _DOLLAR_END.search(flat, end + 1, stop)
        if close_mark is None:
            self._no_dollar_before = stop
            return 0
        return self._skip(start, close_mark.end())
