"""textDocument/references: where the thing under the cursor is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.config.relations import RelationsConfig
from core.features.context import FrontmatterBlock, LinkPart
from core.features.document import Document
from core.features.kinds import kind_uses
from core.features.linkage import anchor_of, anchor_span, place_of, resolve_link, target_span
from core.features.pointed import Value, pointed_at
from core.features.results import Reference
from core.features.written import Footnote, Label, footnotes, places_of
from core.model import Block, Heading, KindMention, Link, Note, Place, Tag
from core.text import fold
from core.vault.index import VaultIndex
from core.vault.resolve import UNRESOLVED


def references(
    index: VaultIndex,
    document: Document,
    offset: int,
    relations: RelationsConfig | None = None,
    *,
    declaration: bool = False,
) -> tuple[Reference, ...]:
    """All uses in the vault of the note, heading, block, tag or relation kind at `offset`.

    On a link it is what the link means; on the first level-1 heading and in the
    frontmatter the note itself; of a relation kind where it is written, under any of its
    names, and what each of its links names; of a footnote its marks in this note. By path,
    then offset. `declaration` adds the note's title, the heading, the block or the
    footnote's text, which are left out otherwise.
    """
    pointed = pointed_at(document, offset)
    note = document.note
    match pointed:
        case LinkPart(link, _, _) | Label(_, _, link):
            return _of_link(index, document, link, declaration)
        case Heading() | Block() if pointed is not title_heading(note):
            return _uses(index, note, pointed, declaration)
        case Heading() | FrontmatterBlock() | Value():
            return _of_note(index, note, declaration)
        case Tag():
            return _sorted(to_tag(index, pointed.name))
        case KindMention():
            return _sorted(to_kind(index, pointed.kind, relations or RelationsConfig()))
        case Footnote():
            return tuple(_footnote(document, pointed, declaration))
        case _:
            return ()


def to_note(index: VaultIndex, path: str) -> Iterator[Reference]:
    """The links to the note, each where it names its target."""
    note = index.notes[path]
    own = {fold(note.stem), fold(index.note_id(path))}
    has_mark = any("#" in name for name in (note.stem, note.title, *note.aliases))
    for source, link in index.backlinks(path):
        found = UNRESOLVED
        # only a right side that may be this note's name is worth the look
        turned = link.alias and fold(link.alias.partition("#")[0]).rpartition("/")[2] in own
        if turned or (has_mark and link.heading):
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
    for path in index.may_name(target):
        for link in index.unresolved_in(path):
            if fold(link.target) == wanted:
                yield Reference(path, link, *target_span(link, UNRESOLVED))


def to_kind(index: VaultIndex, kind: str, relations: RelationsConfig) -> Iterator[Reference]:
    """Where a relation kind is written, and what each of its links names."""
    for path, use in kind_uses(index, kind, relations):
        if isinstance(use, Link):
            yield Reference(path, use, *target_span(use, UNRESOLVED))
        else:
            yield Reference(path, use, 0, len(use.raw))


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
        return _of_note(index, found.note, declaration)
    return _uses(index, found.note, found.place, declaration)


def _of_note(index: VaultIndex, note: Note, declaration: bool) -> tuple[Reference, ...]:
    own = []
    if declaration:
        title = title_heading(note) or Place(0, 0, 0, "")
        own = [Reference(note.path, title, 0, len(title.raw))]
    return _sorted([*own, *to_note(index, note.path)])


def _uses(
    index: VaultIndex, note: Note, place: Heading | Block, declaration: bool
) -> tuple[Reference, ...]:
    own = [Reference(note.path, place, 0, len(place.raw))] if declaration else []
    return _sorted([*own, *to_place(index, note, place)])


def _footnote(document: Document, mark: Footnote, declaration: bool) -> Iterator[Reference]:
    marks = (
        other.whole
        for other in footnotes(document)
        if other.label == mark.label and (declaration or not other.is_definition)
    )
    for place in places_of(document, marks):
        yield Reference(document.path, place, 0, len(place.raw))


def _sorted(found: Iterable[Reference]) -> tuple[Reference, ...]:
    return tuple(sorted(found, key=lambda use: (use.path, use.place.start + use.start)))


def _links_into(index: VaultIndex, note: Note) -> Iterator[tuple[str, Link]]:
    yield from index.backlinks(note.path)
    for link in note.links:
        if not link.target:
            yield note.path, link
