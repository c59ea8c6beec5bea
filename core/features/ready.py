"""What is ready to be suggested for a note, though its text went on since it was looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.features.document import Document
from core.features.suggested import Shift, Suggested
from core.model import Span
from core.vault.index import VaultIndex

LEAST_WORDS = 5
"""Words that a paragraph needs before it means something."""
GROWN = 80
"""Letters that a paragraph may have grown or shrunk by at its end and still be about the same."""

_WORD = re.compile(r"\w+")


class NearPassage(NamedTuple):
    """The notes near in meaning to a stretch of the text, nearest first."""

    span: Span
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """What was found in `text`; all offsets are of that text."""

    text: str
    suggested: tuple[Suggested, ...] = ()
    passages: tuple[NearPassage, ...] = ()

    def now(self, index: VaultIndex, document: Document) -> tuple[Suggested, ...]:
        """The suggestions for the text as it is now: without targets that are linked by now or
        gone, and without mentions that were edited."""
        if not self.suggested:
            return ()
        shift = Shift(self.text, document.text)
        known = {*index.targets(document.path), document.path}
        found = []
        for one in self.suggested:
            if one.path in known or index.get(one.path) is None:
                continue
            if one.about is None:
                found.append(one)
                continue
            about = shift.span(one.about) if one.mention else shift.around(one.about)
            if about is not None and _stands(document.text, about, whole=one.mention):
                found.append(replace(one, about=about))
        return tuple(found)

    def near(self, document: Document, offset: int) -> tuple[str, ...]:
        """The notes near in meaning to what stands around `offset` now."""
        shift = Shift(self.text, document.text)
        for passage in self.passages:
            span = shift.around(passage.span)
            if span.start <= offset <= span.end:
                return passage.paths
        return ()

    def edited(self, document: Document) -> int:
        """Where the stretch ends that was edited since."""
        return Shift(self.text, document.text).end

    def without(self, note_id: str) -> Ready:
        """The same without one target."""
        return replace(self, suggested=tuple(s for s in self.suggested if s.note_id != note_id))


def _stands(text: str, span: Span, *, whole: bool) -> bool:
    """Whether there is still something, and nothing was typed onto `whole` words."""
    if whole and (
        text[max(0, span.start - 1) : span.start].isalnum()
        or text[span.end : span.end + 1].isalnum()
    ):
        return False
    return bool(text[span.start : span.end].strip())


class Paragraph(NamedTuple):
    """The paragraph around a cursor; `key` is its words, without brackets of a link that is
    just being written."""

    span: Span
    key: str

    @property
    def says_something(self) -> bool:
        """Whether it has enough words to mean something."""
        return len(_WORD.findall(self.key)) >= LEAST_WORDS

    def is_like(self, key: str) -> bool:
        """Whether it is, but for its end, the one that had this key."""
        if abs(len(self.key) - len(key)) > GROWN:
            return False
        return self.key.startswith(key) or key.startswith(self.key)


def paragraph_at(document: Document, offset: int) -> Paragraph:
    """The block of lines without a blank one around `offset`; no frontmatter."""
    lines = document.lines
    first = last = lines.line_at(offset)
    if lines.line(first).strip():
        while first > document.note.body_line and lines.line(first - 1).strip():
            first -= 1
        while last + 1 < len(lines) and lines.line(last + 1).strip():
            last += 1
    span = Span(lines.start(first), lines.end(last))
    text = document.text[span.start : span.end].replace("[[", " ").replace("]]", " ")
    return Paragraph(span, " ".join(text.split()))
