"""textDocument/definition and declaration: where the thing under the cursor is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from core.config.relations import RelationsConfig
from core.features.context import FrontmatterBlock, LinkPart
from core.features.document import Document
from core.features.kinds import kinds_like
from core.features.linkage import resolve_link
from core.features.pointed import Value, pointed_at
from core.features.results import Target
from core.features.written import Footnote, Label, footnotes, labels_like, place_at
from core.model import Block, Heading, KindMention, Link, Note, Place, Span, Tag
from core.text import fold
from core.vault.index import VaultIndex

DescribedAt = Callable[[str, str], tuple[str, int] | None]
"""Where the vault itself describes a relation kind (`("relations", kind)`) or a note type
(`("types", name)`): path and line; None where it does not."""

_MOST = 200
"""Notes with a tag that are offered; `references` gives them all."""


def definition(
    index: VaultIndex,
    document: Document,
    offset: int,
    relations: RelationsConfig,
    described_at: DescribedAt = lambda what, name: None,
    *,
    declaration: bool = False,
) -> tuple[Target, ...]:
    """Where the thing under the cursor is; empty where nothing is, or a link leads nowhere.

    A link leads to its note, heading, block or file; a heading that does not exist to its
    note. A tag leads to each note that has it, a relation kind or a note type to where the
    vault describes it, a kind else to its first use, a footnote to its text. Headings,
    block ids and a note's own `id` lead to themselves. `declaration` differs for reference
    links alone: it is the line that defines their label.
    """
    pointed = pointed_at(document, offset)
    note = document.note
    match pointed:
        case Label():
            if declaration:
                return _label(document, pointed)
            return _link(index, document, pointed.link)
        case LinkPart(link, _, _):
            return _link(index, document, link)
        case Heading() | Block():
            return (_place(note, pointed, pointed.span),)
        case Tag():
            return tuple(islice(_tagged(index, pointed), _MOST))
        case KindMention():
            return _kind(index, pointed, relations, described_at)
        case Footnote():
            return _footnote(document, pointed)
        case Value() if pointed.key == "type":
            found = described_at("types", fold(pointed.scalar.text))
            return () if found is None else (_described(found, pointed.scalar.span),)
        case Value() if pointed.key == "id":
            return (Target(note.path, pointed.scalar.span, None, 0, note.line_count),)
        case FrontmatterBlock(_, named) if named and relations.known(named.key):
            found = described_at("relations", relations.canonical(named.key))
            return () if found is None else (_described(found, named.span),)
        case _:
            return ()


def end_of(note: Note, place: Heading | Block) -> int:
    """The line behind a heading's section, or behind a block."""
    if isinstance(place, Block):
        return place.line + 1
    following = (h for h in note.headings if h.start > place.start and h.level <= place.level)
    return next((heading.line for heading in following), note.line_count)


def _link(index: VaultIndex, document: Document, link: Link) -> tuple[Target, ...]:
    found = resolve_link(index, link, document)
    if found.attachment:
        return (Target(found.attachment, link.span),)
    if found.note is None:
        return ()
    if found.place is None:
        return (Target(found.note.path, link.span, None, 0, found.note.line_count),)
    return (_place(found.note, found.place, link.span),)


def _place(note: Note, place: Heading | Block, origin: Span) -> Target:
    line = place.first_line if isinstance(place, Block) else place.line
    return Target(note.path, origin, place, line, end_of(note, place))


def _label(document: Document, label: Label) -> tuple[Target, ...]:
    """The first definition of a label, which is the one that counts."""
    for other in labels_like(document, label):
        if other.is_definition:
            return (_own(document, label.span, other.span),)
    return ()


def _footnote(document: Document, footnote: Footnote) -> tuple[Target, ...]:
    for other in footnotes(document):
        if other.is_definition and other.label == footnote.label:
            return (_own(document, footnote.whole, other.span),)
    return ()


def _own(document: Document, origin: Span, span: Span) -> Target:
    place = place_at(document, span)
    return Target(document.path, origin, place, place.line, place.line + 1)


def _tagged(index: VaultIndex, tag: Tag) -> Iterator[Target]:
    """The first place of the tag, or of one nested below it, in each note."""
    wanted = fold(tag.name)
    for path in index.tagged(tag.name):
        for other in index.notes[path].tags:
            name = fold(other.name)
            if name == wanted or name.startswith(f"{wanted}/"):
                yield _line(path, other, tag.span)
                break


def _kind(
    index: VaultIndex, mention: KindMention, relations: RelationsConfig, described_at: DescribedAt
) -> tuple[Target, ...]:
    described = described_at("relations", relations.canonical(mention.kind))
    if described is not None:
        return (_described(described, mention.span),)
    uses = (
        (path, place.start, place)
        for kind in kinds_like(index, mention.kind, relations)
        for path, place in islice(index.kind_mentions(kind), 1)
    )
    first = min(uses, default=None)
    return () if first is None else (_line(first[0], first[2], mention.span),)


def _described(found: tuple[str, int], origin: Span) -> Target:
    path, line = found
    return Target(path, origin, None, line, line + 1)


def _line(path: str, place: Place, origin: Span) -> Target:
    return Target(path, origin, place, place.line, place.line + 1)
