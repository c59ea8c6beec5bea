"""textDocument/prepareRename and rename: another name for the thing under the cursor.

What the cursor is on decides. In a link: its target is the note, or the missing note that
all such links name; behind `#` the heading or block; the text that it shows is no name. A
heading is a heading also where it is the note's title: the file keeps its name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from core.errors import InvalidArguments
from core.features.context import LinkPart
from core.features.document import Document
from core.features.linkage import anchor_span, resolve_link, target_span
from core.features.moving import rename_note
from core.features.pointed import Value, pointed_at
from core.features.relink import anchor_texts, decoded
from core.features.rename_block import rename_block
from core.features.rename_heading import rename_heading, text_end
from core.features.rename_kind import kind_span, rename_kind
from core.features.rename_missing import rename_missing
from core.features.rename_tag import rename_tag, tag_prefix
from core.features.rename_value import rename_value, value_span
from core.features.results import VaultEdit
from core.locale import Locale, say
from core.model import (
    REFERENCE,
    Block,
    Heading,
    KindMention,
    Link,
    Note,
    Span,
    Tag,
    strip_note_suffix,
)
from core.text import fold
from core.vault.anchors import comparable, heading_path
from core.vault.index import VaultIndex
from core.vault.targets import MARKDOWN_FORMS


class Renameable(NamedTuple):
    """Something that can have another name: where it stands, what it is called now, and what
    the new name changes."""

    span: Span
    placeholder: str
    renamed: Callable[[str, Locale], VaultEdit]


def prepare_rename(index: VaultIndex, document: Document, offset: int) -> tuple[Span, str] | None:
    """The span in the document and the present name of what a rename at `offset` would
    change; None where there is nothing to rename."""
    found = renameable_at(index, document, offset)
    return None if found is None else (found.span, found.placeholder)


def rename(
    index: VaultIndex, document: Document, offset: int, new_name: str, locale: Locale = "en"
) -> VaultEdit:
    """All that changes when the thing at `offset` is called `new_name`: sorted by path and
    offset, without overlaps; empty where it has that name already.

    After it every link means what it meant. Raises InvalidArguments where nothing can be
    renamed or the name cannot be one of that kind, AlreadyExists where it is taken or a link
    would come to mean something else, and for notes what `rename_note` raises.
    """
    found = renameable_at(index, document, offset)
    if found is None:
        raise InvalidArguments(
            say(locale, "There is nothing to rename here", "Hier gibt es nichts umzubenennen"),
            say(
                locale,
                "Put the cursor on a link, heading, block id, tag, relation or title",
                "Cursor auf Link, Überschrift, Block-ID, Tag, Relation oder Titel setzen",
            ),
        )
    return found.renamed(new_name, locale)


def renameable_at(index: VaultIndex, document: Document, offset: int) -> Renameable | None:
    """What a cursor at `offset` would rename."""
    path, note = document.path, document.note
    if index.get(path) is not note:
        index = index.update([note])  # the file may be newer than the index
    match pointed_at(document, offset):
        case LinkPart(link, part, _):
            return _of_link(index, document, link, offset, part == "link")
        case Heading() as heading:
            span = Span(heading.start, heading.start + text_end(heading))
            return _of_heading(index, note, heading, span)
        case Block() as block:
            return _of_block(index, note, block, Span(block.start + 1, block.end))
        case Tag() as tag:
            start, name = tag_prefix(tag, offset)
            return Renameable(
                Span(start, start + len(name)),
                name,
                lambda new, locale: rename_tag(index, name, new, locale),
            )
        case KindMention() as mention:
            span = kind_span(mention)
            return Renameable(
                span,
                document.text[span.start : span.end],
                lambda new, locale: rename_kind(index, mention.kind, new, locale),
            )
        case Value() as value if (named := value_span(note, value, offset)) is not None:
            return Renameable(
                named.span,
                named.name,
                lambda new, locale: rename_value(index, path, named, new, locale),
            )
        case _:
            return None


def _of_heading(index: VaultIndex, note: Note, heading: Heading, span: Span) -> Renameable:
    name = heading.raw[: text_end(heading)]
    return Renameable(
        span, name, lambda new, locale: rename_heading(index, note.path, heading, new, locale)
    )


def _of_block(index: VaultIndex, note: Note, block: Block, span: Span) -> Renameable:
    return Renameable(
        span, block.id, lambda new, locale: rename_block(index, note.path, block, new, locale)
    )


def _of_link(
    index: VaultIndex, document: Document, link: Link, offset: int, on_marks: bool
) -> Renameable | None:
    """A link's brackets stand for what it names: its target, or its anchor if it has none."""
    if link.form == REFERENCE:
        return None
    found = resolve_link(index, link, document)
    target, anchor = target_span(link, found.resolution), anchor_span(link, found.resolution)
    at, named = offset - link.start, bool(link.target)
    if anchor != target and anchor[0] >= 0:
        inside = anchor[0] <= at <= anchor[1]
        if inside or (on_marks and not named):
            return _of_anchor(index, document, link, min(max(at, anchor[0]), anchor[1]))
    if not named or not (on_marks or target[0] <= at <= target[1]):
        return None
    if found.resolution.is_unresolved:
        span = Span(link.start + target[0], link.start + target[1])
        return Renameable(
            span,
            strip_note_suffix(link.target) if link.form in MARKDOWN_FORMS else link.target,
            lambda new, locale: rename_missing(index, link.target, new, locale),
        )
    if found.note is None:
        return None
    path = found.note.path
    return Renameable(
        _name_span(link, target, found.note),
        found.note.stem,
        lambda new, locale: rename_note(index, path, new, locale),
    )


def _of_anchor(index: VaultIndex, document: Document, link: Link, at: int) -> Renameable | None:
    """The heading or block that a link names at `link.raw[at]`: of a heading path the step."""
    found = resolve_link(index, link, document)
    note, place = found.note, found.place
    start, end = anchor_span(link, found.resolution)
    if note is None or place is None:
        return None
    if isinstance(place, Block):
        mark = max(link.raw.rfind("^", start, end), start)
        return _of_block(index, note, place, Span(link.start + mark + 1, link.start + end))
    texts = anchor_texts(link, found.resolution)
    steps = list(heading_path(note, "#".join(texts)))
    if steps:
        for text, raw in zip(texts, link.raw[start:end].split("#"), strict=True):
            stop = start + len(raw)
            if comparable(text):
                place = steps.pop(0)
                if at <= stop or not steps:
                    end = stop
                    break
            start = stop + 1
    return _of_heading(index, note, place, Span(link.start + start, link.start + end))


def _name_span(link: Link, target: tuple[int, int], note: Note) -> Span:
    """Where a link has the file's name; its whole target where it names the note otherwise."""
    start, end = target
    written = link.raw[start:end]
    last = written.rpartition("/")[2]
    name = strip_note_suffix(last)
    shown = decoded(name) if link.form in MARKDOWN_FORMS else name
    if fold(shown) == fold(note.stem):
        start = end - len(last)
        end = start + len(name)
    return Span(link.start + start, link.start + end)
