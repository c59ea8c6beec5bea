"""Hover on links, headings and blocks: what is there, and who else links to it."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from core.features.describe import (
    LOOKED_AT,
    describe_backlinks,
    describe_groups,
    describe_note,
    grouped,
)
from core.features.hover_context import HoverContext
from core.features.hover_smart import smart_backlinks
from core.features.linkage import Linked, resolve_link
from core.features.linktext import searched_name
from core.features.references import title_heading, to_missing, to_place
from core.model import Block, Heading, Link, Note

_NEAREST = 3
_MOST_CANDIDATES = 6
_IMAGES = (".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")


def hover_link(context: HoverContext, link: Link) -> None:
    """The note, section, block or file that a link means, or why it means none."""
    found = resolve_link(context.index, link, context.document)
    if link.relation:
        context.kind_line(link.relation)
    if found.attachment:
        hover_file(context, found.attachment)
    elif found.note is not None:
        if found.resolution.ambiguous:
            _candidates(context, link, found)
        _target(context, found, found.note)
    elif found.resolution.is_unresolved:
        _missing(context, link)
    elif found.resolution.is_attachment:
        name = context.writer.code(link.target)
        context.add(f"There is no file {name}", f"Es gibt keine Datei {name}")


def hover_place(context: HoverContext, place: Heading | Block) -> None:
    """Who links to a heading or a block of the open note, and to the note."""
    note = context.document.note
    if isinstance(place, Block):
        context.writer.add(context.writer.code(place.raw))
    if place is not title_heading(note):
        links_to_place(context, note, place)
        context.writer.rule()
    backlinks(context, note)


def backlinks(context: HoverContext, note: Note) -> None:
    """All links to a note, by relation kind."""
    describe_backlinks(
        context.writer, context.index, note, context.settings.max_backlinks, context.relations,
        context.locale,
    )  # fmt: skip
    smart_backlinks(context, note)


def links_to_place(context: HoverContext, note: Note, place: Heading | Block) -> None:
    """How many links go to a heading or block, by relation kind, and from where."""
    writer = context.writer
    uses = islice(to_place(context.index, note, place), LOOKED_AT)
    links = [(use.path, use.place) for use in uses if isinstance(use.place, Link)]
    part = ("section", "Abschnitt") if isinstance(place, Heading) else ("block", "Block")
    if not links:
        writer.add(context.say(f"No links to this {part[0]}", f"Keine Links auf diesen {part[1]}"))
        return
    one, count = len(links) == 1, len(links)
    links_en, links_de = ("link", "Link") if one else ("links", "Links")
    head = context.say(
        f"{count} {links_en} to this {part[0]}", f"{count} {links_de} auf diesen {part[1]}"
    )
    writer.add(writer.bold(head))
    describe_groups(
        writer, context.index, grouped(links, context.relations),
        context.settings.max_backlinks, context.relations, context.locale,
    )  # fmt: skip


def _target(context: HoverContext, found: Linked, note: Note) -> None:
    writer = context.writer
    describe_note(writer, note, context.own_text, found.place, context.type_of(note))
    if found.anchor and found.place is None:
        missing = context.say("has no", "enthält nicht:")
        writer.add(f"{missing} {writer.code(found.anchor)}")
    writer.rule()
    if found.place is not None and found.place is not title_heading(note):
        links_to_place(context, note, found.place)
        count = context.index.backlink_count(note.path)
        context.add(f"{count} to the whole note", f"{count} auf die ganze Notiz")
    else:
        backlinks(context, note)


def _candidates(context: HoverContext, link: Link, found: Linked) -> None:
    paths = found.resolution.candidates
    name, count = context.writer.bold(link.target), len(paths)
    context.add(
        f"{name} fits {count} notes; the first one is taken:",
        f"{name} passt auf {count} Notizen; genommen wird die erste:",
    )
    context.writer.items([context.writer.code(path) for path in paths[:_MOST_CANDIDATES]])
    if count > _MOST_CANDIDATES:
        left = count - _MOST_CANDIDATES
        context.add(f"… and {left} more", f"… und {left} weitere")
    context.writer.rule()


def _missing(context: HoverContext, link: Link) -> None:
    index, writer = context.index, context.writer
    name = writer.bold(link.target)
    context.add(f"No note is called {name}", f"Keine Notiz heißt {name}")
    hits = index.names.nearest(searched_name(link.target), _NEAREST)
    if hits:
        context.add("Nearest:", "Ähnlich heißen:")
        writer.items([writer.escape(hit.name) for hit in hits])
    uses = [use.path for use in islice(to_missing(index, link.target), LOOKED_AT)]
    if len(uses) < 2:
        return
    sources = Counter(uses)
    limit = context.settings.max_backlinks
    names = [
        context.title_of(path) + (f" ({count} ×)" if count > 1 else "")
        for path, count in islice(sources.items(), limit)
    ]
    left = len(sources) - limit
    if left > 0:
        names.append(context.say(f"… {left} more", f"… {left} weitere"))
    head = context.say(f"Linked {len(uses)} times", f"{len(uses)}-mal verlinkt")
    writer.add(f"{head}: {' · '.join(names)}" if names else head)


def hover_file(context: HoverContext, path: str) -> None:
    """A file that is no note: its path, its size, and what it shows."""
    writer = context.writer
    size = context.size_of(path)
    line = f"{context.say('File', 'Datei')} {writer.code(path)}"
    if size is not None:
        line += f" · {_size(size, context)}"
    writer.add(line)
    if path.lower().endswith(_IMAGES) and (uri := context.image_uri(path)):
        writer.add(writer.image(uri))


def _size(size: int, context: HoverContext) -> str:
    """`812 B`, `1.5 kB`, `2.0 MB`."""
    if size < 1000:
        return f"{size} B"
    value, unit = (size / 1000, "kB") if size < 1_000_000 else (size / 1_000_000, "MB")
    return f"{value:.1f} {unit}".replace(".", context.say(".", ","))
