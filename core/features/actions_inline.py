"""refactor.inline: the text of a note in place of a link or embed that stands alone in its line.

The note itself stays; whether it is still needed is its writer's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core.features.action_context import ActionContext
from core.features.link_at import link_at
from core.features.linkage import Linked, linked
from core.features.moved_text import Part, moved_text, section_of, trimmed
from core.features.results import CodeAction, Deferred, VaultEdit
from core.model import FRONTMATTER, PLAIN, Heading, Link, Span
from core.parse import parse_note

INLINE = "inline"
KIND = "refactor.inline"
_LINE_ENDS = re.compile(r"\r\n|\n|\r")


def inlinings(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """The text of the note, or of its section, that the line under the cursor links to."""
    if context.automatic or not context.wanted(KIND):
        return
    link = link_at(context.document, span)
    if link is None or (found := _source(context, link)) is None or found.note is None:
        return
    if inlined(context, {"start": link.start}) is None:
        return  # there is no text
    name = found.note.title
    if isinstance(found.place, Heading):
        name = f"{name} › {found.place.text}"
    title = context.say(f"Insert the text of “{name}” here", f"Text von „{name}“ hier einfügen")
    yield CodeAction(title, KIND, deferred=Deferred(INLINE, {"start": link.start}))


def inlined(context: ActionContext, arguments: Mapping[str, object]) -> VaultEdit | None:
    """The edit of a deferred `INLINE`."""
    start = arguments.get("start")
    link = next((link for link in context.note.links if link.start == start), None)
    found = _source(context, link) if link is not None else None
    if link is None or found is None or found.note is None:
        return None
    text = context.text_of(found.note.path)
    if text is None:
        return None
    note = parse_note(found.note.path, text)
    part = Part(note, text, note.body_start if note.frontmatter else 0, len(text))
    place = linked(context.index, link, context.note).place
    if isinstance(place, Heading):
        here = next((h for h in note.headings if h.raw == place.raw and h.line == place.line), None)
        if here is None:
            return None
        part = section_of(note, text, here)
    part = trimmed(part)
    if not part.raw.strip():
        return None
    above = [heading for heading in context.note.headings if heading.start < link.start]
    levels = 0
    if part.headings:
        levels = (above[-1].level if above else 0) + 1 - min(h.level for h in part.headings)
    moved = moved_text(context.index, part, context.path, levels).rstrip()
    moved = _LINE_ENDS.sub(lambda _: context.eol, moved)
    return VaultEdit((context.edit(link.start, link.end, moved),))


def _source(context: ActionContext, link: Link) -> Linked | None:
    """What a link alone in its line leads to, if its text can stand there."""
    document = context.document
    lines = document.lines
    before = document.text[lines.start(link.line) : link.start]
    after = document.text[link.end : lines.end(link.line)]
    if before or after.strip() or link.origin != PLAIN or link.origin == FRONTMATTER:
        return None
    found = linked(context.index, link, context.note)
    if found.note is None or found.note.path == context.path:
        return None
    if found.anchor and not isinstance(found.place, Heading):
        return None
    return found
