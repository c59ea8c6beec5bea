"""The tables of an index as bytes, so that a start need not resolve a single link.

Everything that `tables.Tables` holds besides the notes themselves. Paths and link keys are
numbers into lists, so that each becomes one object again: an index that was restored takes
no more memory than one that was built. `VERSION` belongs to what is stored *and* to the
rules of resolution that it is the result of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter

import msgspec
from immutables import Map

from core.model import Note
from core.vault.late_names import FILE, MISSING, LateNames
from core.vault.links import NO_LINKS, LinkState
from core.vault.most_used import MostUsed
from core.vault.names import Entry, NameTable
from core.vault.postings import Members
from core.vault.registry import Registry
from core.vault.tables import Tables

VERSION = 1
"""Must grow with every change of the tables, of names, or of how links are resolved."""

_NONE = -1


class _Links(msgspec.Struct, array_like=True, gc=False):
    """A `LinkState` of the note `path`; -1 stands for None."""

    path: int
    targets: list[int]
    keys: list[int]
    missing: list[int]
    reversed_keys: list[tuple[int, int]]


class _Entry(msgspec.Struct, array_like=True, gc=False):
    key: str
    path: int
    name: str
    kind: str


class _Stored(msgspec.Struct, array_like=True, gc=False):
    """`paths` are notes, then attachments; `keys` all link keys in use."""

    paths: list[str]
    notes: int
    keys: list[str]
    registry: list[dict[str, list[int]]]
    links: list[_Links]
    sources: list[tuple[int, list[int]]]
    incoming: list[tuple[int, int]]
    users: list[list[int]]
    unresolved: dict[str, int]
    tags: dict[str, list[int]]
    kinds: dict[str, int]
    kind_users: dict[str, list[int]]
    callouts: dict[str, int]
    frontmatter: dict[str, int]
    values: dict[str, dict[str, int]]
    names: list[_Entry]
    name_paths: list[_Entry]
    link_count: int
    missing_count: int


def dump(tables: Tables) -> bytes:
    """The tables without the notes. The same tables give the same bytes."""
    paths = [*tables.paths, *tables.attachments]
    at = {path: number for number, path in enumerate(paths)}
    keys = sorted(tables.users)
    key_at: dict[str | None, int] = {key: number for number, key in enumerate(keys)}
    key_at[None] = _NONE

    def numbers(members: Iterable[str]) -> list[int]:
        return [at[member] for member in members]

    def by_key(table: Mapping[str, Members]) -> dict[str, list[int]]:
        return {key: numbers(table[key]) for key in sorted(table)}

    def entries(found: Iterable[Entry]) -> list[_Entry]:
        return [_Entry(entry.key, at[entry.path], entry.name, entry.kind) for entry in found]

    stored = _Stored(
        paths=paths,
        notes=len(tables.paths),
        keys=keys,
        registry=[by_key(table) for table in tables.registry.tables],
        links=[
            _Links(
                at[path],
                [_NONE if target is None else at[target] for target in state.targets],
                [key_at[key] for key in state.keys],
                list(state.missing),
                [(position, key_at[key]) for position, key in state.reversed_keys],
            )
            for path in tables.paths
            if (state := tables.links.get(path)) is not None
        ],
        sources=[(at[path], numbers(tables.sources[path])) for path in sorted(tables.sources)],
        incoming=[(at[path], tables.incoming[path]) for path in sorted(tables.incoming)],
        users=[numbers(tables.users[key]) for key in keys],
        unresolved=_sorted(tables.unresolved),
        tags=by_key(tables.tags),
        kinds=_sorted(tables.kinds),
        kind_users=by_key(tables.kind_users),
        callouts=_sorted(tables.callouts),
        frontmatter=_sorted(tables.keys),
        values={key: _sorted(tables.values[key]) for key in sorted(tables.values)},
        names=entries(tables.names.named()),
        name_paths=entries(tables.names.named_paths()),
        link_count=tables.link_count,
        missing_count=tables.missing_count,
    )
    return msgspec.msgpack.encode(stored)


def restore(data: bytes | memoryview, notes: Mapping[str, Note]) -> Tables:
    """The tables that `dump` was given; `notes` are all their notes, by path.

    Raises ValueError or msgspec's errors where the data does not fit the notes.
    """
    stored = msgspec.msgpack.decode(data, type=_Stored)
    paths = stored.paths
    if paths[: stored.notes] != sorted(notes):
        raise ValueError("the stored index is of other notes")
    # as the notes have them, so that a path is one object
    paths[: stored.notes] = [notes[path].path for path in paths[: stored.notes]]
    keys: list[str | None] = [*stored.keys, None]
    targets: list[str | None] = [*paths, None]

    def by_key(table: Mapping[str, list[int]]) -> Map[str, Members]:
        return Map({key: _members(paths, numbers) for key, numbers in table.items()})

    def state(found: _Links) -> LinkState:
        if not found.targets:
            return NO_LINKS
        return LinkState(
            tuple([targets[number] for number in found.targets]),
            tuple([keys[number] for number in found.keys]),
            tuple(found.missing),
            tuple([(position, stored.keys[key]) for position, key in found.reversed_keys]),
        )

    def entries(found: Iterable[_Entry]) -> list[Entry]:
        return [Entry(entry.key, paths[entry.path], entry.name, entry.kind) for entry in found]

    attachments = tuple(paths[stored.notes :])
    incoming = Map({paths[path]: count for path, count in stored.incoming})
    unresolved = Map(stored.unresolved)
    return Tables(
        notes=Map(notes),
        paths=tuple(paths[: stored.notes]),
        attachments=attachments,
        registry=Registry(tuple(by_key(table) for table in stored.registry)),
        links=Map({paths[found.path]: state(found) for found in stored.links}),
        sources=Map({paths[path]: _members(paths, numbers) for path, numbers in stored.sources}),
        incoming=incoming,
        users=Map(
            {
                key: _members(paths, numbers)
                for key, numbers in zip(stored.keys, stored.users, strict=True)
            }
        ),
        unresolved=unresolved,
        tags=by_key(stored.tags),
        kinds=Map(stored.kinds),
        kind_users=by_key(stored.kind_users),
        callouts=Map(stored.callouts),
        keys=Map(stored.frontmatter),
        values=Map({key: Map(counts) for key, counts in stored.values.items()}),
        files=LateNames(FILE, attachments),
        missing=LateNames(MISSING, unresolved),
        hubs=MostUsed(incoming),
        wanted=MostUsed(unresolved),
        names=NameTable.of(entries(stored.names), entries(stored.name_paths)),
        link_count=stored.link_count,
        missing_count=stored.missing_count,
    )


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return {key: counts[key] for key in sorted(counts)}


def _members(paths: list[str], numbers: list[int]) -> Members:
    if len(numbers) == 1:
        return (paths[numbers[0]],)
    found: Members = itemgetter(*numbers)(paths)
    return found
