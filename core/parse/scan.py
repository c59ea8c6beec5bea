"""The one pass over a note's body.

A single pattern jumps from one character of interest to the next; regions that hold no
links (code, comments, math) are skipped as a whole. The scanner only collects where things
are. What they mean, and line and column, is worked out once everything is found.

The time is linear in the text, whatever the text: each search for a closing mark is
either bounded by its block, or remembers that there is none.
"""

from __future__ import annotations

import re
from operator import attrgetter
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
from core.parse.regions import Regions

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

_START = attrgetter("start")
_LONGEST_LABEL = 999
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
    relation kinds inside links, `(offset, name)` of tags, headings, and regions of none."""

    def __init__(self, flat: str, start: int) -> None:
        self.flat = flat
        self.start = start
        self.links: list[LinkParts] = []
        self.kinds: list[tuple[int, str]] = []
        self.tags: list[tuple[int, str]] = []
        self.headings: list[blocks.HeadingLine] = []
        self.regions = Regions(flat, start)
        self._openers: list[int] = []
        self._labels: list[Label] = []
        self._definitions: dict[str, LinkParts | None] = {}
        self._may_define = "]:" in flat
        self._brackets_end = -1
        self._last_link = -1
        self._code_below: list[int] = []
        self._scan()
        found = [self.regions.code_below(below) for below in self._code_below]
        if any(found):
            self._drop_dead()
        self._add_references()
        self.links.sort(key=_START)

    def _scan(self) -> None:
        flat, start = self.flat, self.start
        if blocks.FIRST_LINE.match(flat, start):
            start = self._line(start) or start
        add_link, find = self.links.append, _TOKEN.finditer
        handlers = {
            _OPEN: self._open,
            _CLOSE: self._close,
            _TICKS: self.regions.code_span,
            _ANGLE: self.regions.html,
            _PERCENT: self.regions.comment,
            _DOLLAR: self.regions.math,
        }
        while start >= 0:
            tokens, start = find(flat, start), -1
            for token in tokens:
                kind = token.lastindex
                if kind == _WIKILINK:
                    at = token.start()
                    embed = at > 0 and flat[at - 1] == "!" and not flat.endswith("\\!", 0, at)
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

    def _drop_dead(self) -> None:
        """Forget what was found in regions that turned out to be code."""
        is_dead = self.regions.is_dead
        self.links = [link for link in self.links if not is_dead(link.start)]
        self.kinds = [kind for kind in self.kinds if not is_dead(kind[0])]
        self.tags = [tag for tag in self.tags if not is_dead(tag[0])]
        self._labels = [label for label in self._labels if not is_dead(label.start)]

    def _line(self, start: int) -> int:
        """A line that may begin a block; returns where to go on, 0 for just behind."""
        flat = self.flat
        if fence := blocks.FENCE.match(flat, start):
            self._openers.clear()
            return self.regions.fence(start, fence)
        if blocks.HEADING.match(flat, start):
            self._openers.clear()
            if heading := blocks.atx_heading(flat, start):
                self.headings.append(heading)
                below = blocks.line_end(flat, start) + 1
                if blocks.INDENT.match(flat, below):
                    # code without a blank line in front, which nothing else stops at
                    self._code_below.append(below)
            return 0
        if self._may_define and (match := DEFINITION_LINE.match(flat, start)):
            self._define(match)
            return match.end()
        if blocks.UNDERLINE.match(flat, start):
            if heading := blocks.setext_heading(flat, start, self.regions.last_end):
                self._openers.clear()
                self.headings.append(heading)
            return 0
        if flat.startswith((" ", "\t", "\n"), start):
            return self.regions.indented_code(start)
        return 0

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
            embed = opener > 0 and flat[opener - 1] == "!"
            if (
                match
                and not (embed and opener < self._last_link)
                and self.regions.block_end.joins(opener, match.end())
            ):
                return self._add_markdown_link(opener, start, match, embed)
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

    def _add_markdown_link(self, opener: int, close: int, match: re.Match[str], embed: bool) -> int:
        flat = self.flat
        group = 1 if match[1] is not None else 2
        text = flat[opener + 1 : close]
        link = markdown_link(
            opener - embed, match.end(), opener + 1, text, match[group], match.start(group), embed
        )
        if link is not None:
            self.links.append(link)
        self._last_link = opener
        while self.tags and self.tags[-1][0] > opener:
            # a link's text is no place for tags
            self.tags.pop()
        if not embed:
            # a link may hold an image; nothing else holds a link
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
