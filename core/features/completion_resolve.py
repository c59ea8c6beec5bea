"""completionItem/resolve: what an item of the list stands for."""

from __future__ import annotations

from dataclasses import replace

from core.features.describe import describe_note
from core.features.document import Document
from core.features.hover_context import HoverContext
from core.features.hover_link import hover_file
from core.features.hover_words import (
    hover_callout,
    hover_key,
    hover_kind,
    hover_tag,
    hover_type,
)
from core.features.linkage import place_of
from core.features.summary import MAX_CHARS
from core.model import MDLINK, Callout, Note, Property, Tag


def documentation(context: HoverContext, kind: str, name: str, path: str, anchor: str) -> str:
    """What an item of this `CompletionKind` stands for: facts and text of the note at `path`, or
    of the section or block in it; of a relation kind, tag, key, type or callout what hover says
    of it. "" where there is nothing to say."""
    match kind:
        case "relation":
            hover_kind(context, name)
        case "tag":
            hover_tag(context, Tag(0, 0, 0, f"#{name}", name=name))
        case "key":
            hover_key(context, Property(0, 0, 0, name, key=name))
        case "callout":
            hover_callout(context, Callout(0, 0, 0, f"[!{name}]", type=name))
        case "type":
            note = Note("", "", type=name)
            context = replace(context, document=Document.of(note, ""))
            hover_type(context, name)
        case "file":
            hover_file(context, name)
        case "block" if not path:
            context.writer.add(context.writer.escape(name, MAX_CHARS))
        case "missing":
            _describe_missing(context, name)
        case _:
            found = context.index.get(path)
            if found is None:
                return ""
            place = place_of(found, anchor, MDLINK) if anchor else None
            describe_note(context.writer, found, context.own_text, place, context.type_of(found))
    return context.writer.text()


def _describe_missing(context: HoverContext, target: str) -> None:
    """Who links to a note that is not there."""
    context.add(
        "Nobody has written this note yet; links to it stand in:",
        "Diese Notiz ist noch nicht geschrieben; Links auf sie stehen in:",
    )
    index = context.index
    sources = [
        path
        for path in index.may_name(target)
        if any(link.target == target for link in index.unresolved_in(path))
    ]
    context.titles(sources[: context.settings.max_backlinks], len(sources))
