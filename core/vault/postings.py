"""Pending changes to maps from a key to its sorted members, or to a count.

A snapshot is never changed: changes are collected, each key is rebuilt once, and the
result is a new map that shares everything else with the old one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from immutables import Map

Members = tuple[str, ...]

_FEW = 8
"""Up to so many changes a sorted tuple is edited in place of being sorted again."""


def merged(old: Members, added: Iterable[str], removed: Iterable[str]) -> Members:
    """Sorted `(old - removed) | added`; `old` must be sorted and without repeats."""
    added, removed = set(added), set(removed)
    removed -= added
    if not old:
        return tuple(sorted(added))
    if len(added) + len(removed) > _FEW:
        return tuple(sorted((set(old) - removed) | added))
    members = list(old)
    for member in removed:
        at = bisect_left(members, member)
        if at < len(members) and members[at] == member:
            del members[at]
    for member in added:
        at = bisect_left(members, member)
        if at == len(members) or members[at] != member:
            members.insert(at, member)
    return tuple(members)


class Postings:
    """Members to add to and to remove from keys. Adding wins over removing."""

    __slots__ = ("_added", "_removed")

    def __init__(self) -> None:
        self._added: dict[str, set[str]] = {}
        self._removed: dict[str, set[str]] = {}

    def add(self, key: str, member: str) -> None:
        self._added.setdefault(key, set()).add(member)

    def remove(self, key: str, member: str) -> None:
        self._removed.setdefault(key, set()).add(member)

    def apply(self, base: Map[str, Members]) -> Map[str, Members]:
        """`base` with the changes; a key without members disappears."""
        if not self._added and not self._removed:
            return base
        out = base.mutate()
        for key in self._added.keys() | self._removed.keys():
            old = out.get(key, ())
            new = merged(old, self._added.get(key, ()), self._removed.get(key, ()))
            if new == old:
                continue
            if new:
                out[key] = new
            else:
                del out[key]
        return out.finish()


class Tally:
    """Changes to counts."""

    __slots__ = ("_deltas",)

    def __init__(self) -> None:
        self._deltas: dict[str, int] = {}

    def add(self, key: str, count: int = 1) -> None:
        self._deltas[key] = self._deltas.get(key, 0) + count

    def apply(self, base: Map[str, int]) -> Map[str, int]:
        """`base` with the changes; a key whose count becomes 0 disappears."""
        if not any(self._deltas.values()):
            return base
        out = base.mutate()
        for key, delta in self._deltas.items():
            if not delta:
                continue
            count = out.get(key, 0) + delta
            if count:
                out[key] = count
            else:
                out.pop(key, None)
        return out.finish()
