"""Hover on a note: who means it by the word of a language model."""

from __future__ import annotations

from core.features.hover_context import HoverContext
from core.model import Note


def smart_backlinks(context: HoverContext, note: Note) -> None:
    """The smart edges that are known, strongest first, each note and kind once; nothing where
    none is known."""
    best: dict[tuple[str, str], float] = {}
    for source in context.smart(note.path):
        key = (source.kind, source.path)
        best[key] = max(best.get(key, 0.0), source.confidence)
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    shown = ranked[: context.settings.max_backlinks]
    if not shown:
        return
    context.writer.add(context.say("Found by the language model:", "Vom Sprachmodell gefunden:"))
    context.writer.items(
        [
            f"← {context.writer.escape(context.relations.label(kind, context.locale))}: "
            f"{context.title_of(path)} ({confidence:.2f})"
            for (kind, path), confidence in shown
        ]
    )
