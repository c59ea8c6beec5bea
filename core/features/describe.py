"""What there is to say about a note: its facts, its text, and who links to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from core.config.relations import RelationsConfig
from core.edges.edge import REFERENCES
from core.features.document import TextSource
from core.features.markup import Writer
from core.features.summary import MAX_CHARS, excerpt, written_summary
from core.locale import Locale, say
from core.model import Block, Heading, Link, Note
from core.vault.index import VaultIndex

LOOKED_AT = 2_000
"""Links that are looked at to group them; a hub may have more."""
_MAX_TAGS = 12
_MAX_KINDS = 8


class Group(NamedTuple):
    """Links of one relation kind: how many, and from which notes (path and number)."""

    kind: str
    links: int
    sources: tuple[tuple[str, int], ...]


def describe_note(
    writer: Writer,
    note: Note,
    text_of: TextSource,
    place: Heading | Block | None = None,
    type_: str | None = None,
) -> None:
    """Title, type, folder and tags of a note, and its summary or how its text begins (or that
    of a part). `type_` is the note's type where it is not written in it."""
    title = writer.bold(note.title)
    if isinstance(place, Heading) and place.text and place.text != note.title:
        title += f" › {writer.bold(place.text)}"
    writer.add(title)
    kind = note.type or type_ or ""
    facts = [writer.escape(part) for part in (kind, note.folder) if part]
    tags = dict.fromkeys(tag.name for tag in note.tags)
    facts += [writer.code(f"#{name}") for name in islice(tags, _MAX_TAGS)]
    writer.add(" · ".join(facts))
    summary = "" if place else written_summary(note)
    if summary:
        writer.add(writer.escape(summary, MAX_CHARS))
    elif (text := text_of(note.path)) is not None:
        writer.add(excerpt(note, text, place))


def grouped(links: Iterable[tuple[str, Link]], relations: RelationsConfig) -> tuple[Group, ...]:
    """Links by what they mean: typed relations first, those with most links first; sources
    with most links first, then by path. An alias counts as its kind."""
    kinds: dict[str | None, str] = {None: REFERENCES}
    groups: dict[str, Counter[str]] = {}
    for source, link in links:
        kind = kinds.get(link.relation)
        if kind is None:
            kind = kinds[link.relation] = relations.canonical(link.relation or REFERENCES)
        if (sources := groups.get(kind)) is None:
            sources = groups[kind] = Counter()
        sources[source] += 1
    found = [
        Group(
            kind,
            sum(sources.values()),
            # twice, as both are compared in C: sorting keeps what is equal in its order
            tuple(sorted(sorted(sources.items()), key=itemgetter(1), reverse=True)),
        )
        for kind, sources in groups.items()
    ]
    return tuple(sorted(found, key=lambda g: (g.kind == REFERENCES, -g.links, g.kind)))


def describe_groups(
    writer: Writer,
    index: VaultIndex,
    groups: tuple[Group, ...],
    limit: int,
    relations: RelationsConfig,
    locale: Locale,
) -> None:
    """One line a group: label, number (where there are several groups), and the titles of its
    sources; at most `limit` titles in all, every group its share."""
    shares = _shares([len(group.sources) for group in groups[:_MAX_KINDS]], limit)
    lines = []
    for group, share in zip(groups, shares, strict=False):
        names = [_source(writer, index, *source) for source in group.sources[:share]]
        left = len(group.sources) - share
        if left:
            more = say(locale, f"{left} more", f"{left} weitere")
            notes = say(locale, "1 note", "1 Notiz")
            if not names:
                more = notes if left == 1 else say(locale, f"{left} notes", f"{left} Notizen")
            names.append(f"… {more}" if len(names) else more)
        label = writer.escape(relations.label(group.kind, locale))
        number = f" ({group.links})" if len(groups) > 1 else ""
        lines.append(f"← {label}{number}: {' · '.join(names)}")
    writer.items(lines)
    left = sum(group.links for group in groups[_MAX_KINDS:])
    if left:
        writer.add(say(locale, f"… and {left} more", f"… und {left} weitere"))


def describe_backlinks(
    writer: Writer,
    index: VaultIndex,
    note: Note,
    limit: int,
    relations: RelationsConfig,
    locale: Locale,
) -> None:
    """How many links come in to the note, by relation kind, and from where."""
    count = index.backlink_count(note.path)
    if not count:
        writer.add(say(locale, "No backlinks", "Keine Rückverweise"))
        return
    one = say(locale, "1 backlink", "1 Rückverweis")
    many = say(locale, f"{count} backlinks", f"{count} Rückverweise")
    writer.add(writer.bold(one if count == 1 else many))
    groups = grouped(islice(index.backlinks(note.path), LOOKED_AT), relations)
    describe_groups(writer, index, groups, limit, relations, locale)
    if count > LOOKED_AT:
        first = say(locale, f"(the first {LOOKED_AT} of them)", f"(die ersten {LOOKED_AT} davon)")
        writer.add(first)


def _source(writer: Writer, index: VaultIndex, path: str, count: int) -> str:
    note = index.get(path)
    title = writer.escape(note.title if note else path)
    return f"{title} ({count} ×)" if count > 1 else title


def _shares(sizes: list[int], limit: int) -> list[int]:
    """How many of each group to show so that all together show `limit`: in turns."""
    shares = [0] * len(sizes)
    while limit > 0:
        open_ = [at for at, size in enumerate(sizes) if shares[at] < size]
        if not open_:
            break
        for at in open_[:limit]:
            shares[at] += 1
        limit -= len(open_)
    return shares
