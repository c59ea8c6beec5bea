"""textDocument/references: where the thing under the cursor is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.features.context import FrontmatterBlock, LinkPart, thing_at
from core.features.document import Document
from core.features.linkage import anchor_of, anchor_span, place_of, resolve_link, target_span
from core.features.results import Reference
from core.model import Block, Heading, KindMention, Link, Note, Tag
from core.text import fold
from core.vault.index import VaultIndex
from core.vault.resolve import UNRESOLVED


def references(
    index: VaultIndex, document: Document, offset: int, *, declaration: bool = False
) -> tuple[Reference, ...]:
    """All uses in the vault of the note, heading, block, tag or relation kind at `offset`.

    On a link it is what the link means; on the first level-1 heading and in the
    frontmatter the note itself. By path, then offset. `declaration` adds the heading or block.
    """
    thing = thing_at(document.note, offset)
    note = document.note
    match thing:
        case LinkPart(link, _, _):
            return _of_link(index, document, link, declaration)
        case Heading() | Block() if thing is not title_heading(note):
            return _uses(index, note, thing, declaration)
        case Heading() | FrontmatterBlock():
            return _sorted(to_note(index, document.path))
        case Tag():
            return _sorted(to_tag(index, thing.name))
        case KindMention():
            found = index.kind_mentions(thing.kind)
            return _sorted(Reference(path, at, 0, len(at.raw)) for path, at in found)
        case _:
            return ()


def to_note(index: VaultIndex, path: str) -> Iterator[Reference]:
    """The links to the note, each where it names its target."""
    note = index.notes[path]
    own = {fold(note.stem), fold(index.note_id(path))}
    for source, link in index.backlinks(path):
        found = UNRESOLVED
        # only a right side that may be this note's name is worth the look
        if link.alias and fold(link.alias.partition("#")[0]).rpartition("/")[2] in own:
            found = index.resolve(link, source)
        yield Reference(source, link, *target_span(link, found))


def to_place(index: VaultIndex, note: Note, place: Heading | Block) -> Iterator[Reference]:
    """The links to a heading or block of `note`, also from itself, where they name it."""
    known: dict[tuple[str, str], bool] = {}
    for source, link in _links_into(index, note):
        if link.heading is None and link.block is None and "#" not in (link.alias or ""):
            continue
        found = index.resolve(link, source)
        anchor = anchor_of(link, found)
        key = (anchor, link.form)
        if key not in known:
            known[key] = bool(anchor) and place_of(note, anchor, link.form) == place
        if known[key]:
            yield Reference(source, link, *anchor_span(link, found))


def to_tag(index: VaultIndex, name: str) -> Iterator[Reference]:
    """The places of a tag and of those nested below it."""
    wanted = fold(name)
    for path in index.tagged(name):
        for tag in index.notes[path].tags:
            folded = fold(tag.name)
            if folded == wanted or folded.startswith(f"{wanted}/"):
                yield Reference(path, tag, 0, len(tag.raw))


def to_missing(index: VaultIndex, target: str) -> Iterator[Reference]:
    """The links to a note that does not exist, by the name that they all use."""
    wanted = fold(target)
    if not any(fold(name) == wanted for name in index.unresolved):
        return
    for path in index.paths:
        for link in index.unresolved_in(path):
            if fold(link.target) == wanted:
                yield Reference(path, link, *target_span(link, UNRESOLVED))


def title_heading(note: Note) -> Heading | None:
    """The heading that stands for the whole note: its first one of level 1."""
    return next((heading for heading in note.headings if heading.level == 1), None)


def _of_link(
    index: VaultIndex, document: Document, link: Link, declaration: bool
) -> tuple[Reference, ...]:
    found = resolve_link(index, link, document)
    if found.note is None:
        return _sorted(to_missing(index, link.target)) if found.resolution.is_unresolved else ()
    if found.place is None or found.place is title_heading(found.note):
        return _sorted(to_note(index, found.note.path))
    return _uses(index, found.note, found.place, declaration)


def _uses(
    index: VaultIndex, note: Note, place: Heading | Block, declaration: bool
) -> tuple[Reference, ...]:
    own = [Reference(note.path, place, 0, len(place.raw))] if declaration else []
    return _sorted([*own, *to_place(index, note, place)])


def _sorted(found: Iterable[Reference]) -> tuple[Reference, ...]:
    return tuple(sorted(found, key=lambda use: (use.path, use.place.start + use.start)))


def _links_into(index: VaultIndex, note: Note) -> Iterator[tuple[str, Link]]:
    yield from index.backlinks(note.path)
    for link in note.links:
        if not link.target:
            yield note.path, link
