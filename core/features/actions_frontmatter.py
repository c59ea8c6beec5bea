"""Fixes for the frontmatter: single values are quoted, everything else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.features.action_context import ActionContext, fix
from core.features.linktext import yaml_quoted
from core.features.results import CodeAction, Diagnostic
from core.model import FRONTMATTER, WIKILINK, Span

_BEFORE_VALUE = re.compile(r"(?:^|[:\-\[,])\s*$")
_AFTER_VALUE = re.compile(r"\s*(?:$|[,\]]|\s#)")
_QUOTABLE = frozenset(
    ("unquoted-colon", "reserved-character", "unquoted-link", "comment-cuts-value")
)


def quote_wikilinks(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """Quotes for wikilinks in YAML values, which YAML reads as nested lists without them."""
    document = context.document
    if not document.in_frontmatter(span.start):
        return
    for link in document.note.links:
        if link.origin != FRONTMATTER or link.form != WIKILINK:
            continue
        if link.start > span.end or link.end < span.start:
            continue
        line = document.lines.line_at(link.start)
        before = document.text[document.lines.start(line) : link.start]
        after = document.text[link.end : document.lines.end(line)]
        if _BEFORE_VALUE.search(before) and _AFTER_VALUE.match(after):
            title = context.say(f"Quote {link.raw}", f"{link.raw} in Anführungszeichen setzen")
            change = context.edit(link.start, link.end, yaml_quoted(link.raw))
            yield CodeAction(title, "quickfix", (change,))


def fix_problem(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """Quotes for a value that YAML cannot read as it stands, or reads as something else."""
    if diagnostic.data.get("reason") not in _QUOTABLE:
        return
    span = diagnostic.span
    value = context.document.text[span.start : span.end].strip()
    if value and value[0] not in "\"'":
        title = context.say("Quote the value", "Wert in Anführungszeichen setzen")
        yield fix(
            title,
            diagnostic,
            context.edit(span.start, span.end, yaml_quoted(value)),
            preferred=True,
        )
