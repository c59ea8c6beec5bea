"""callHierarchy: the notes that a note is related to, in both directions, by kind.

What is written counts: typed relations, frontmatter, and plain links as `references`. Kinds
that only follow from a note's type are left out, as nobody wrote them. A symmetric kind holds
both ways, so it is shown in both directions; where the note does not say it itself, its title
stands for the place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from core.config.relations import RelationsConfig
from core.edges.edge import REFERENCES
from core.features.context import LinkPart, thing_at
from core.features.document import Document
from core.features.linkage import resolve_link
from core.features.references import title_heading
from core.features.view_results import Call
from core.locale import Locale
from core.model import DEFINITION, Link, Place
from core.vault.index import VaultIndex


class _Said(NamedTuple):
    """A relation to the note at `path`; `place` is None where only the other note says it."""

    path: str
    kind: str
    place: Place | None


def note_at(index: VaultIndex, document: Document, offset: int) -> str | None:
    """The path of the note that a cursor means: that of a link, else the note itself. None for
    a link to nowhere or to a file, and for a note that the vault does not have."""
    thing = thing_at(document.note, offset)
    if isinstance(thing, LinkPart):
        found = resolve_link(index, thing.link, document)
        return found.note.path if found.note else None
    return document.path if index.get(document.path) else None


def outgoing_calls(
    index: VaultIndex, path: str, relations: RelationsConfig, locale: Locale
) -> tuple[Call, ...]:
    """What the note at `path` says of others; places are in its text. () if it is gone."""
    said = [*_written(index, path, relations), *_mirrored_in(index, path, relations)]
    return _grouped(index, said, lambda kind: relations.label(kind, locale), path)


def incoming_calls(
    index: VaultIndex, path: str, relations: RelationsConfig, locale: Locale
) -> tuple[Call, ...]:
    """What others say of the note at `path`, read from it; places are in their texts."""
    said = [*_backlinks(index, path, relations), *_mirrored_out(index, path, relations)]

    def label(kind: str) -> str:
        inverse = relations.inverse(kind)
        if inverse is not None:
            return relations.label(inverse, locale)
        return f"← {relations.label(kind, locale)}"

    return _grouped(index, said, label, None)


def _written(index: VaultIndex, path: str, relations: RelationsConfig) -> Iterator[_Said]:
    note = index.get(path)
    if note is None:
        return
    for link, target in zip(note.links, index.targets(path), strict=True):
        if target is not None and target != path and link.target and link.form != DEFINITION:
            yield _Said(target, _kind(link, relations), link)


def _backlinks(index: VaultIndex, path: str, relations: RelationsConfig) -> Iterator[_Said]:
    if index.get(path) is None:
        return
    for source, link in index.backlinks(path):
        if source != path and link.form != DEFINITION:
            yield _Said(source, _kind(link, relations), link)


def _mirrored_in(index: VaultIndex, path: str, relations: RelationsConfig) -> Iterator[_Said]:
    """Symmetric relations that others say of the note."""
    for said in _backlinks(index, path, relations):
        if relations.symmetric(said.kind):
            yield said._replace(place=None)


def _mirrored_out(index: VaultIndex, path: str, relations: RelationsConfig) -> Iterator[_Said]:
    for said in _written(index, path, relations):
        if relations.symmetric(said.kind):
            yield said._replace(place=None)


def _kind(link: Link, relations: RelationsConfig) -> str:
    return relations.canonical(link.relation) if link.relation else REFERENCES


def _grouped(
    index: VaultIndex, said: Iterable[_Said], label: Callable[[str], str], caller: str | None
) -> tuple[Call, ...]:
    """One call for each note: those with a typed relation first, then by path. `caller` is
    where all places are, None where each is in its own note."""
    by_path: dict[str, list[_Said]] = {}
    for one in said:
        by_path.setdefault(one.path, []).append(one)
    calls = []
    for path, those in by_path.items():
        kinds = sorted(dict.fromkeys(one.kind for one in those), key=lambda k: k == REFERENCES)
        places = {one.place.start: one.place for one in those if one.place is not None}
        if places:
            where: tuple[Place | None, ...] = tuple(places[start] for start in sorted(places))
        else:
            note = index.get(caller or path)
            where = (title_heading(note) if note else None,)
        labels = tuple(dict.fromkeys(label(kind) for kind in kinds))
        calls.append((kinds[0] == REFERENCES, path, Call(path, labels, where)))
    return tuple(call for _, _, call in sorted(calls, key=lambda item: item[:2]))
