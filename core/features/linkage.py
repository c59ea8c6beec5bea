"""A link, all the way: the note that it means, and the heading or block in it."""

from __future__ import annotations

from typing import NamedTuple

from core.features.document import Document
from core.model import Block, Heading, Link, Note
from core.vault.candidates import Resolution
from core.vault.index import VaultIndex
from core.vault.resolve import find_block, find_heading
from core.vault.targets import MARKDOWN_FORMS


class Linked(NamedTuple):
    """What a link means. `anchor` is the heading or `^block` that it names, "" if none;
    `place` is where that stands, None where the note has no such."""

    resolution: Resolution
    note: Note | None
    anchor: str
    place: Heading | Block | None

    @property
    def attachment(self) -> str | None:
        return self.resolution.attachment


def resolve_link(index: VaultIndex, link: Link, document: Document) -> Linked:
    """What `link` of the open `document` means; the document counts as it is now."""
    return linked(index, link, document.note)


def linked(index: VaultIndex, link: Link, source: Note) -> Linked:
    """What `link`, written in the note `source`, means."""
    found = index.resolve(link, source.path)
    if found.path is None:
        return Linked(found, None, "", None)
    note = source if found.path == source.path else index.get(found.path)
    anchor = anchor_of(link, found)
    place = place_of(note, anchor, link.form) if note and anchor else None
    return Linked(found, note, anchor, place)


def anchor_of(link: Link, resolution: Resolution) -> str:
    """The heading, or `^` and the block id, that a link names; "" if none."""
    if resolution.is_reversed:
        return resolution.anchor or ""
    if resolution.is_whole:
        return ""
    if link.block is not None:
        return f"^{link.block}"
    return link.heading or ""


def place_of(note: Note, anchor: str, form: str) -> Heading | Block | None:
    """The heading or block of `note` that the text behind `#` means in a link of this form."""
    if anchor.startswith("^"):
        return find_block(note, anchor)
    return find_heading(note, anchor, form in MARKDOWN_FORMS)


def target_span(link: Link, found: Resolution) -> tuple[int, int]:
    """Where in `link.raw` the note is named: its target, in `[[label|target]]` the right side,
    all of it where it has no text of its own. A `#` may belong to the name."""
    if found.is_reversed and link.alias_at >= 0:
        length = len(link.raw[link.alias_at : link.alias_end].partition("#")[0])
        return link.alias_at, link.alias_at + length
    if found.is_whole:
        return link.target_at, link.anchor_end
    if link.target_at < 0 or link.target_end <= link.target_at:
        return 0, len(link.raw)
    return link.target_at, link.target_end


def anchor_span(link: Link, found: Resolution) -> tuple[int, int]:
    """Where in `link.raw` the heading or block is named, else where the note is."""
    if found.is_reversed and found.anchor and link.alias_at >= 0:
        return target_span(link, found)[1] + 1, link.alias_end
    if link.anchor_at < 0 or found.is_whole:
        return target_span(link, found)
    return link.anchor_at, link.anchor_end
