"""Completion within a link's note: headings, and what the link shows."""

from __future__ import annotations

from core.features.completion_context import CompletionContext
from core.features.linktext import alias_text, heading_anchors
from core.features.ranking import filter_text, fit, sort_text
from core.features.results import CompletionItem, Completions
from core.features.typed import Typed
from core.model import Heading, Note
from core.vault.resolve import find_heading


def complete_headings(context: CompletionContext, typed: Typed) -> Completions:
    """The headings of the note before `#`, best fit first, else as they stand in it.

    A wikilink gets readable text, a Markdown link GitHub's slug.
    """
    note, limit = target_note(context, typed), context.limit
    if note is None:
        return Completions()
    found = []
    for at, (heading, anchor) in enumerate(_anchors(note, typed)):
        score = max(fit(typed.query, heading.text), fit(typed.query, anchor))
        if score:
            found.append((-score, at, heading, anchor))
    found.sort(key=lambda item: item[:2])
    items = tuple(
        CompletionItem(
            heading.text,
            "heading",
            anchor + typed.closing,
            typed.insert,
            typed.replace,
            filter_text(anchor, typed.query),
            sort_text(at),
            "#" * heading.level,
            note.title,
            note.path,
            heading.slug,
        )
        for at, (_, _, heading, anchor) in enumerate(found[:limit])
    )
    return Completions(items, len(found) > limit)


def complete_alias(context: CompletionContext, typed: Typed) -> Completions:
    """The names of the note before `|`: what the link can show."""
    note = target_note(context, typed)
    if note is None:
        return Completions()
    names = dict.fromkeys(alias_text(name) for name in (note.title, note.stem, *note.aliases))
    items = tuple(
        CompletionItem(
            name, "alias", name + typed.closing, typed.insert, typed.replace,
            filter_text(name, typed.query), sort_text(at), path=note.path,
        )
        for at, name in enumerate(name for name in names if name and fit(typed.query, name))
    )  # fmt: skip
    return Completions(items)


def target_note(context: CompletionContext, typed: Typed) -> Note | None:
    """The note that the typed link means; an open note as it is now."""
    document = context.document
    found = context.index.resolve_name(typed.target, document.path, typed.kind == "slug")
    if found.path == document.path:
        return document.note
    return context.index.get(found.path) if found.path else None


def _anchors(note: Note, typed: Typed) -> list[tuple[Heading, str]]:
    if typed.kind == "slug":
        return [(heading, heading.slug) for heading in note.headings if heading.slug]
    if not typed.anchor:
        return list(heading_anchors(note))
    above = find_heading(note, typed.anchor)
    if above is None:
        return []
    # behind `H1#` what stands in the section of H1
    inside: list[Heading] = []
    for heading in note.headings:
        if heading.start > above.start:
            if heading.level <= above.level:
                break
            inside.append(heading)
    part = Note(note.path, note.title, headings=tuple(inside))
    return list(heading_anchors(part))
