"""textDocument/definition: where the thing under the cursor is."""

from __future__ import annotations

from core.features.context import LinkPart, thing_at
from core.features.document import Document
from core.features.linkage import resolve_link
from core.features.results import Target
from core.model import Block, Heading, Span, Tag
from core.text import fold
from core.vault.index import VaultIndex


def definition(index: VaultIndex, document: Document, offset: int) -> tuple[Target, ...]:
    """Where the link under the cursor leads: a note, a heading or block in it, or a file.

    A heading that does not exist leads to its note. A tag leads to each note that has it. Empty
    where nothing is, or where the link leads nowhere.
    """
    thing = thing_at(document.note, offset)
    if isinstance(thing, LinkPart):
        found = resolve_link(index, thing.link, document)
        if found.attachment:
            return (Target(found.attachment, thing.link.span),)
        if found.note is None:
            return ()
        return (Target(found.note.path, thing.link.span, found.place, _line(found.place)),)
    if isinstance(thing, Tag):
        return tuple(_tagged(index, thing, thing.span))
    return ()


def _line(place: Heading | Block | None) -> int:
    if place is None:
        return 0
    return place.first_line if isinstance(place, Block) else place.line


def _tagged(index: VaultIndex, tag: Tag, origin: Span) -> list[Target]:
    """The first place of the tag, or of one nested below it, in each note."""
    wanted = fold(tag.name)
    found = []
    for path in index.tagged(tag.name):
        for other in index.notes[path].tags:
            name = fold(other.name)
            if name == wanted or name.startswith(f"{wanted}/"):
                found.append(Target(path, origin, other, other.line))
                break
    return found
