"""textDocument/foldingRange: what of a note can be folded away.

Sections, frontmatter, lists and their items, quotes and callouts, code, formulas, tables,
comments, and what stands between `<!-- #region -->` and `<!-- #endregion -->`. A fold ends with
its last line of text: blank lines before the next section stay visible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.features.document import Document
from core.features.structure import Part, Structure, region_kind, structure
from core.features.view_results import Fold

_REGION = re.compile(r"<!--\s*#?(end)?region\b", re.IGNORECASE)
_SECTION, _BLOCK, _ITEM = 0, 10, 20
"""Ranks: a section's is that of its level, the blocks within come later."""


def folding_ranges(document: Document) -> tuple[Fold, ...]:
    """All folds of a note by first line, the longer before the shorter ones; no two begin in
    the same line."""
    found = structure(document)
    every = [
        *_frontmatter(document),
        *_sections(document),
        *_regions(document, found),
        *_blocks(found),
    ]
    by_line: dict[int, Fold] = {}
    for fold in sorted(every, key=lambda fold: (fold.first, -fold.last, fold.rank)):
        if fold.last > fold.first:
            by_line.setdefault(fold.first, fold)
    return tuple(by_line.values())


def limited(folds: tuple[Fold, ...], most: int | None) -> tuple[Fold, ...]:
    """At most `most` folds, in the same order: those of the highest rank, of them the longest."""
    if most is None or len(folds) <= most:
        return folds
    best = sorted(folds, key=lambda fold: (fold.rank, fold.first - fold.last, fold.first))
    return tuple(sorted(best[: max(most, 0)]))


def _frontmatter(document: Document) -> Iterator[Fold]:
    block = document.note.frontmatter
    if block is not None:
        # what comes before the content, as the imports of a program
        yield Fold(0, block.end_line, "imports", _SECTION)


def _sections(document: Document) -> Iterator[Fold]:
    """From each heading to the last line of text before the next one that is not below it."""
    open_: list[tuple[int, int]] = []
    for heading in document.note.headings:
        while open_ and open_[-1][0] >= heading.level:
            level, first = open_.pop()
            yield Fold(first, _last_text(document, heading.line), None, level)
        open_.append((heading.level, heading.line))
    for level, first in open_:
        yield Fold(first, _last_text(document, len(document.lines)), None, level)


def _last_text(document: Document, line: int) -> int:
    """The last line before `line` that is not blank."""
    lines = document.lines
    line -= 1
    while line > 0 and not lines.line(line).strip():
        line -= 1
    return line


def _regions(document: Document, found: Structure) -> Iterator[Fold]:
    """Comments over several lines, and what two marks enclose."""
    text, lines = document.text, document.lines
    open_: list[int] = []
    for span in found.regions:
        if region_kind(text, span.start) != "comment":
            continue
        first = lines.line_at(span.start)
        mark = _REGION.match(text, span.start)
        if mark and mark[1] is None:
            open_.append(first)
        elif mark and open_:
            yield Fold(open_.pop(), first, "region", _BLOCK)
        yield Fold(first, lines.line_at(span.end), "comment", _BLOCK)


def _blocks(found: Structure) -> Iterator[Fold]:
    whole: Part | None = None
    for part in found.parts:
        if part.kind == "list":
            whole = part
        elif part.kind == "item" and whole is not None:
            # a list folds from its first item on, unless that one has more to fold
            one_line = part.first == part.last
            yield Fold(part.first, whole.last if one_line else part.last, None, _ITEM)
            whole = None
        elif part.kind == "item":
            yield Fold(part.first, part.last, None, _ITEM)
        elif part.kind in ("quote", "table", "code", "math"):
            yield Fold(part.first, part.last, None, _BLOCK)
