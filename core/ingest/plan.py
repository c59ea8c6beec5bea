"""Compares what the files say with what the store has: what to write, what to delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

import msgspec

from core.ingest.catalog import Catalog, Record


class Plan(msgspec.Struct, frozen=True):
    """`write` are records in path order, `delete` ids that no file has any more, `refresh`
    records whose file differs in its bytes alone.

    `reuse` names, by path of a note to write, the stored notes whose vectors may serve
    it: its own, and one with the same content that is to be deleted (a moved file).
    """

    write: tuple[Record, ...]
    delete: tuple[str, ...]
    reuse: Mapping[str, tuple[str, ...]]
    refresh: tuple[Record, ...] = ()


def plan(
    wanted: Iterable[Record],
    stored: Catalog,
    gone: Iterable[str],
    *,
    full: bool = False,
    written: Set[str] = frozenset(),
) -> Plan:
    """What a sync has to do.

    `wanted` are the notes that were looked at, `gone` the paths looked at that have no
    file any more. With `full`, every wanted note is written and no vector used again, but
    for the ids in `written`: those were, before this sync was stopped.
    """
    wanted = sorted(wanted, key=lambda record: record.path)
    keep = {record.note_id for record in wanted}
    looked_at = [*(record.path for record in wanted), *gone]
    delete = sorted({n for path in looked_at for n in stored.at(path) if n not in keep})
    write, refresh = [], []
    for record in wanted:
        old = stored.get(record.note_id)
        if (full and record.note_id not in written) or not (old and old.same_content(record)):
            write.append(record)
        elif old != record:
            refresh.append(record)
    moved = {r.signature: r.note_id for n in reversed(delete) if (r := stored.get(n))}
    reuse: dict[str, tuple[str, ...]] = {}
    for record in () if full else write:
        sources = [record.note_id] if record.note_id in stored else []
        sources += stored.at(record.path)
        if record.signature in moved:
            sources.append(moved[record.signature])
        if sources:
            reuse[record.path] = tuple(dict.fromkeys(sources))
    return Plan(tuple(write), tuple(delete), reuse, tuple(refresh))
