"""Hover on a note's title or frontmatter: the edges that are suggested for it."""

from __future__ import annotations

from core.features.hover_context import HoverContext
from core.features.suggested import REFERENCES

_MOST = 5


def suggestions(context: HoverContext) -> None:
    """The strongest suggestions with their kind and the first reason; nothing where none is
    ready."""
    writer, found = context.writer, context.suggested()
    if not found:
        return
    writer.rule()
    count = len(found)
    one, many = context.say("1 suggestion", "1 Vorschlag"), context.say("suggestions", "Vorschläge")
    writer.add(writer.bold(one if count == 1 else f"{count} {many}"))
    items = []
    for suggested in found[:_MOST]:
        line = writer.escape(suggested.title)
        if suggested.kind != REFERENCES:
            line += f" · {writer.escape(context.relations.label(suggested.kind, context.locale))}"
        if suggested.reasons:
            line += f" — {writer.escape(suggested.reasons[0])}"
        items.append(line)
    writer.items(items)
    if count > _MOST:
        left = count - _MOST
        context.add(f"… and {left} more", f"… und {left} weitere")
