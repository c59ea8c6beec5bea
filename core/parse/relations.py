"""Relations written in the body: `rel:` in front of links, inline fields, edge callouts.

All three say of plain links found by the scanner which kind of relation they state.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from core.model import EDGE_CALLOUT, INLINE_FIELD, INLINE_REL, PLAIN
from core.parse import blocks
from core.parse.callouts import EDGE, CalloutLines
from core.parse.kinds import normal_kind
from core.parse.scan import Body

_REL = re.compile(r"rel:(?<![\w\[:/.#-]rel:)[ \t]*([^\W\d][\w-]*):?[ \t]*(?=!?\[)")
_BETWEEN = re.compile(r"[ \t]*(?:(?:[,;&+]|and|und)[ \t]*){0,2}")
_LONGEST_GAP = 40

_NAME = r"[^\W_](?:[^\[\](){}:`\n|<>\"]*[^\[\](){}:`\n|<>\"\s*_~])?"
_LINE_KEY = re.compile(
    r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[.\][ \t]+)?[*_~]{0,3}("
    + _NAME
    + r")[*_~]{0,3}[ \t]*"
)
_BRACKET_KEY = re.compile(r"[(\[][ \t]*[*_~]{0,3}(" + _NAME + r")[*_~]{0,3}[ \t]*\Z")
_LONGEST_KEY = 80
_BRACKETS = re.compile(r"[\[\]()]")
_LETTER = re.compile(r"[^\W\d_]")
_AFTER_LINE_KEY = ("", " ", "\t", "\n", "[", "!")

_KIND = re.compile(r"(?:(?<=\]\])|[\s,;.(>])([^\W\d][\w-]*)[*_]{0,2}[ \t]*::?[*_]{0,2}[ \t]*\Z")
_LINE_KIND = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?(?:\[!edge\][+-]?)?[ \t]*"
    r"[*_]{0,2}([^\W\d][\w \t-]{0,60}?)[*_]{0,2}[ \t]*::?[*_]{0,2}[ \t]*",
    re.IGNORECASE,
)


class Mention(NamedTuple):
    """A relation kind as written at `start`."""

    start: int
    raw: str
    origin: str


class FieldText(NamedTuple):
    """An inline field: its key at `start`, and the range of its value."""

    start: int
    key: str
    value_start: int
    value_end: int


class Relations:
    """Gives the links of a body their relations; `mentions` and `fields` are what it found."""

    def __init__(self, body: Body, callouts: list[CalloutLines]) -> None:
        self._body = body
        self._flat = body.flat
        self._starts: list[int] = []
        self.mentions = [Mention(start, raw, INLINE_REL) for start, raw in body.kinds]
        self.fields: list[FieldText] = []
        self._pairs: dict[int, int] = {}
        self._paired_to = -1
        has_rels, has_fields = "rel:" in self._flat, "::" in self._flat
        edges = [callout for callout in callouts if callout.type == EDGE]
        if not (has_rels or has_fields or edges):
            return
        self._starts = [link.start for link in body.links]
        if has_rels:
            self._add_rels()
        if has_fields:
            self._add_fields()
        for callout in edges:
            self._add_callout(callout)
        self.mentions.sort()

    def _relate(self, at: int, kind: str, origin: str) -> bool:
        link = self._body.links[at]
        if link.origin != PLAIN:
            return False
        self._body.links[at] = link._replace(origin=origin, relation=normal_kind(kind))
        return True

    def _add_rels(self) -> None:
        """`rel: kind [[A]] [[B]], [[C]]`: the links that follow without other words."""
        for match in _REL.finditer(self._flat, self._body.start):
            if self._body.regions.is_dead(match.start()):
                continue
            end, any_link = match.end(), False
            for at in range(bisect_left(self._starts, end), len(self._starts)):
                link = self._body.links[at]
                gap = self._flat[end : min(link.start, end + _LONGEST_GAP + 1)]
                if len(gap) > _LONGEST_GAP or not _BETWEEN.fullmatch(gap):
                    break
                any_link |= self._relate(at, match[1], INLINE_REL)
                end = link.end
            if any_link:
                self.mentions.append(Mention(match.start(1), match[1], INLINE_REL))

    def _add_fields(self) -> None:
        """`key:: value` alone in a line, or in round or square brackets within one."""
        flat = self._flat
        at = flat.find("::", self._body.start)
        while at >= 0:
            end = at + 2
            field = None if self._body.regions.is_dead(at) else self._field_at(at)
            if field is not None:
                self.fields.append(field)
                self._relate_field(field)
                # a value holds no fields of its own
                end = max(end, field.value_end)
            at = flat.find("::", end)

    def _field_at(self, at: int) -> FieldText | None:
        """The field whose key ends before the `::` at `at`."""
        flat = self._flat
        limit = max(self._body.start, at - _LONGEST_KEY)
        line = flat.rfind("\n", limit, at) + 1
        before = flat[max(line, limit) : at]
        base = at - len(before)
        bracket = max(before.rfind("("), before.rfind("["))
        key = _BRACKET_KEY.match(before, bracket) if bracket >= 0 else None
        if key:
            end = self._closing(base + bracket)
        else:
            # not `std::vector`, and only where the line begins within reach
            if flat[at + 2 : at + 3] in _AFTER_LINE_KEY and (line or limit == self._body.start):
                key = _LINE_KEY.fullmatch(before)
            end = blocks.line_end(flat, at)
        if not key or not _LETTER.search(key[1]) or end < 0:
            return None
        value = flat[at + 2 : end]
        begin = at + 2 + len(value) - len(value.lstrip())
        return FieldText(
            base + key.start(1), key[1], begin, max(begin, at + 2 + len(value.rstrip()))
        )

    def _closing(self, opener: int) -> int:
        """Where the bracket at `opener` closes on its line, -1 if it does not."""
        if opener >= self._paired_to:
            end = blocks.line_end(self._flat, opener)
            self._pairs, self._paired_to = _pairs(self._flat, opener, end), end
        return self._pairs.get(opener, -1)

    def _relate_field(self, field: FieldText) -> None:
        """The links of a value that begins with one; a text that mentions one is a text."""
        at = bisect_left(self._starts, field.value_start)
        any_link = False
        while at < len(self._starts) and self._starts[at] < field.value_end:
            if not any_link and self._starts[at] != field.value_start:
                break
            any_link |= self._relate(at, field.key, INLINE_FIELD)
            at += 1
        if any_link:
            self.mentions.append(Mention(field.start, field.key, INLINE_FIELD))

    def _add_callout(self, callout: CalloutLines) -> None:
        """Each line states kinds in front of its links; a line without one goes on."""
        kind: str | None = None
        for start, end in callout.lines:
            at = bisect_left(self._starts, start)
            before = start
            while at < len(self._starts) and self._starts[at] < end:
                link = self._body.links[at]
                named = self._kind_before(before, link.start, is_first=before == start)
                if named is not None:
                    kind = named.raw
                    self.mentions.append(named)
                if kind is not None:
                    self._relate(at, kind, EDGE_CALLOUT)
                before = link.end
                at += 1

    def _kind_before(self, start: int, end: int, *, is_first: bool) -> Mention | None:
        """The kind between one link (or the line's start) and the next link."""
        if is_first and end - start <= 2 * _LONGEST_KEY:
            match = _LINE_KIND.fullmatch(self._flat, start, end)
        else:
            match = None
        if match is None:
            match = _KIND.search(self._flat, max(start, end - _LONGEST_KEY), end)
        return Mention(match.start(1), match[1].rstrip(), EDGE_CALLOUT) if match else None


def _pairs(flat: str, start: int, end: int) -> dict[int, int]:
    """Round and square brackets that belong together, each kind counted on its own."""
    found: dict[int, int] = {}
    opened: dict[str, list[int]] = {"(": [], "[": []}
    for match in _BRACKETS.finditer(flat, start, end):
        mark, at = match[0], match.start()
        if mark in opened:
            opened[mark].append(at)
        elif stack := opened["(" if mark == ")" else "["]:
            found[stack.pop()] = at
    return found
