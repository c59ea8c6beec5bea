"""Suggested edges: the form that each is written in, and the exact edit."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from core.features.document import Document
from core.features.edge_callout import appended, last_callout
from core.features.insertion import insertion
from core.features.link_at import paragraph_end
from core.features.linktext import alias_text, wikilink_target
from core.model import PLAIN, Link, Span
from core.vault.index import VaultIndex

SuggestedForm = Literal["wikilink", "relation", "field", "callout"]
FORMS: tuple[SuggestedForm, ...] = ("wikilink", "relation", "field", "callout")
REFERENCES = "references"
"""The kind of a plain link."""

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\*\*|__|[*_])?$")
_NO_LETTERS = re.compile(r"[^\w ]+")
_LISTS_OF_LINKS = frozenset(
    (
        "see also", "see", "related", "related notes", "related links", "links", "connections",
        "further reading", "siehe auch", "siehe", "verbindungen", "verwandt", "verwandtes",
        "verwandte notizen", "querverweise", "zusammenhänge", "bezüge", "verweise", "weiterlesen",
    )
)  # fmt: skip
"""Headings of the sections that hold a note's links."""


@dataclass(frozen=True, slots=True)
class Suggested:
    """An edge that a note should have, to the note at `path`.

    `about` is what it comes from: the words that name the target where `mention`, else the
    passage; None where it is the note as a whole.
    """

    path: str
    note_id: str
    title: str
    kind: str
    score: float
    reasons: tuple[str, ...] = ()
    about: Span | None = None
    mention: bool = False


class Written(NamedTuple):
    """`new_text` replaces `start` to `end` of the note, in this form, and states `kind`."""

    form: SuggestedForm
    kind: str
    start: int
    end: int
    new_text: str


def usual_form(document: Document, one: Suggested) -> SuggestedForm:
    """The form that fits best: over the words that name the target; else in the note's list of
    links, where it has one; else a relation of its own."""
    if one.mention:
        return "wikilink" if one.kind == REFERENCES else "relation"
    return "relation" if list_of_links(document) is None else "wikilink"


def write(
    index: VaultIndex, document: Document, one: Suggested, form: SuggestedForm | None = None
) -> Written:
    """The edit that states the edge; without `form` as `usual_form` has it."""
    form = form or usual_form(document, one)
    kind = REFERENCES if form == "wikilink" else one.kind
    if one.mention and one.about is not None and form in ("wikilink", "relation"):
        words = document.text[one.about.start : one.about.end]
        link = _link(index, document, one, words, kind if form == "relation" else "")
        return Written(form, kind, one.about.start, one.about.end, link)
    target = wikilink_target(index, one.path, document.path)
    # an id says nothing to a reader
    shown = one.title if target == one.note_id else ""
    link = _link(index, document, one, shown, kind if form == "relation" else "")
    if form == "wikilink":
        at, text = _listed(document, one, link)
    elif form == "callout":
        at, text = _in_callout(document, kind, link)
    else:
        line = f"{kind}:: {link}" if form == "field" else link
        at, text = insertion(document, line, _lines(document, one))
    return Written(form, kind, at, at, text)


def list_of_links(document: Document) -> tuple[int, str] | None:
    """The end of the list that a note keeps its links in, and the mark of its items.

    That is the last one whose items begin with links, below a heading that says so
    (“Siehe auch”, “Related”).
    """
    note, lines = document.note, document.lines
    found: Link | None = None
    for heading, below in zip(note.headings, (*note.headings[1:], None), strict=False):
        end = below.start if below is not None else len(document.text)
        if " ".join(_NO_LETTERS.sub(" ", heading.text.lower()).split()) not in _LISTS_OF_LINKS:
            continue
        for link in note.links:
            before = document.text[lines.start(link.line) : link.start]
            inside = link.origin == PLAIN and heading.end <= link.start < end
            if inside and _ITEM.match(before):
                found = link
    if found is None:
        return None
    end = paragraph_end(document, found.line)
    line = lines.line_at(end)
    while line + 1 < len(lines) and lines.line(line + 1)[:1] in (" ", "\t"):
        if not lines.line(line + 1).strip():
            break
        line += 1
    before = document.text[lines.start(found.line) : found.start].rstrip("*_")
    return lines.end(line), re.sub(r"\d+", lambda n: str(int(n[0]) + 1), before)


class Shift:
    """Where offsets of a text are after it was edited in one stretch."""

    def __init__(self, old: str, new: str) -> None:
        most = min(len(old), len(new))
        self._head = most if old == new else _longest(most, lambda n: old[:n] == new[:n])
        same = _longest(most - self._head, lambda n: not n or old[-n:] == new[-n:])
        self._tail, self._by = len(old) - same, len(new) - len(old)
        self.end = self._tail + self._by
        """Where the edited stretch ends in the new text."""

    def span(self, span: Span) -> Span | None:
        """The same letters in the new text; None where they were touched."""
        if span.end <= self._head:
            return span
        if span.start >= self._tail:
            return Span(span.start + self._by, span.end + self._by)
        return None

    def around(self, span: Span) -> Span:
        """The stretch that a span became, edits within it and at its edges included."""
        start = span.start if span.start <= self._head else max(span.start, self._tail) + self._by
        end = span.end if span.end < self._head else max(span.end, self._tail) + self._by
        if self._head < span.start < self._tail:
            start = self._head
        return Span(start, max(start, end))


def _longest(most: int, same: Callable[[int], bool]) -> int:
    """The largest number up to `most` for which `same` holds; it holds for all below."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if same(middle) else (low, middle - 1)
    return low


def _link(index: VaultIndex, document: Document, one: Suggested, words: str, kind: str) -> str:
    target = wikilink_target(index, one.path, document.path)
    shown = alias_text(words)
    tail = "" if shown in ("", target) else f"|{shown}"
    return f"[[{f'rel:{kind} ' if kind else ''}{target}{tail}]]"


def _listed(document: Document, one: Suggested, link: str) -> tuple[int, str]:
    kept = list_of_links(document)
    if kept is None:
        return insertion(document, link, _lines(document, one))
    return kept[0], f"{document.lines.eol}{kept[1]}{link}"


def _in_callout(document: Document, kind: str, link: str) -> tuple[int, str]:
    callout = last_callout(document)
    if callout is not None:
        return appended(document, callout, kind, link)
    eol = document.lines.eol
    return insertion(document, f"> [!edge]{eol}> {kind}: {link}")


def _lines(document: Document, one: Suggested) -> tuple[int, int] | None:
    if one.about is None:
        return None
    lines = document.lines
    return lines.line_at(one.about.start), lines.line_at(max(one.about.start, one.about.end - 1))
