"""textDocument/documentSymbol: the outline of a note."""

from __future__ import annotations

from bisect import bisect_right

from core.config.relations import RelationsConfig
from core.features.document import Document
from core.features.results import Symbol
from core.locale import Locale
from core.model import PLAIN, Heading, Link, Span


def document_symbols(
    document: Document, relations: RelationsConfig, locale: Locale
) -> tuple[Symbol, ...]:
    """Headings as a tree, each over its whole section, with the typed relations in it.

    Relations in the frontmatter and before the first heading stand at the top.
    """
    headings = document.note.headings
    starts = [document.lines.start(heading.line) for heading in headings]
    # relations by the heading that they stand under; 0 is the text before the first
    under: list[list[Symbol]] = [[] for _ in range(len(headings) + 1)]
    for link in document.note.links:
        if link.origin != PLAIN:
            under[bisect_right(starts, link.start)].append(_relation(link, relations, locale))

    def build(at: int, level: int) -> tuple[list[Symbol], int]:
        """The headings from `at` on that are deeper than `level`, and where they end."""
        built: list[Symbol] = []
        while at < len(headings) and headings[at].level > level:
            heading, start, own = headings[at], starts[at], under[at + 1]
            below, at = build(at + 1, heading.level)
            end = starts[at] if at < len(headings) else len(document.text)
            span = Span(start, max(heading.end, _trimmed(document.text, start, end)))
            built.append(_heading(heading, span, (*own, *below)))
        return built, at

    tree, _ = build(0, 0)
    return (*under[0], *tree)


def _heading(heading: Heading, span: Span, children: tuple[Symbol, ...]) -> Symbol:
    marks = "#" * heading.level
    return Symbol(heading.text or marks, "heading", marks, heading, span, children)


def _relation(link: Link, relations: RelationsConfig, locale: Locale) -> Symbol:
    kind = link.relation or ""
    name = link.target or link.heading or link.raw
    return Symbol(name, "relation", relations.label(kind, locale), link, link.span)


def _trimmed(text: str, start: int, end: int) -> int:
    """The end of a section without the blank lines before the next one."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
