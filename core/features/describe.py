"""What there is to say about a note: its facts, its text, and who links to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

from core.config.relations import RelationsConfig
from core.features.document import TextSource
from core.features.markup import Writer
from core.features.summary import excerpt
from core.locale import Locale, say
from core.model import Block, Heading, Note
from core.vault.index import Backlink, VaultIndex

_LOOKED_AT = 200
"""Backlinks that are looked at to pick those to show; a hub has thousands."""
_MAX_TAGS = 12


def describe_note(
    writer: Writer, note: Note, text_of: TextSource, place: Heading | Block | None = None
) -> None:
    """Title, type, folder and tags of a note, and how its text begins (or that of a part)."""
    title = writer.bold(note.title)
    if isinstance(place, Heading) and place.text and place.text != note.title:
        title += f" › {writer.bold(place.text)}"
    writer.add(title)
    facts = [writer.escape(part) for part in (note.type or "", note.folder) if part]
    tags = dict.fromkeys(tag.name for tag in note.tags)
    facts += [writer.code(f"#{name}") for name in islice(tags, _MAX_TAGS)]
    writer.add(" · ".join(facts))
    text = text_of(note.path)
    if text is not None:
        writer.add(excerpt(note, text, place))


def describe_backlinks(
    writer: Writer,
    index: VaultIndex,
    note: Note,
    limit: int,
    relations: RelationsConfig,
    locale: Locale,
) -> None:
    """How many links come in, and the first sources: typed relations, then by path."""
    count = index.backlink_count(note.path)
    if not count:
        writer.add(say(locale, "No backlinks", "Keine Rückverweise"))
        return
    one = say(locale, "1 backlink", "1 Rückverweis")
    many = say(locale, f"{count} backlinks", f"{count} Rückverweise")
    writer.add(writer.bold(one if count == 1 else many))
    groups = _grouped(islice(index.backlinks(note.path), _LOOKED_AT))
    ranked = sorted(groups.items(), key=lambda item: (not any(item[1]), item[0]))
    shown = ranked[:limit]
    lines = []
    for source, kinds in shown:
        names = [relations.label(kind, locale) for kind in sorted(filter(None, kinds))]
        total = sum(kinds.values())
        parts = [writer.escape(index.notes[source].title), *map(writer.escape, names)]
        lines.append(" · ".join(parts) + (f" ({total} ×)" if total > 1 else ""))
    writer.items(lines)
    left = count - sum(sum(kinds.values()) for _, kinds in shown)
    if left:
        writer.add(say(locale, f"… and {left} more", f"… und {left} weitere"))


def _grouped(backlinks: Iterable[Backlink]) -> dict[str, Counter[str]]:
    """Relation kinds ("" for plain links) and their number by source."""
    groups: dict[str, Counter[str]] = {}
    for source, link in backlinks:
        groups.setdefault(source, Counter())[link.relation or ""] += 1
    return groups
