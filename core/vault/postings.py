"""Pending changes to maps from a key to its sorted members, or to a count.

A snapshot is never changed: changes are collected, each key is rebuilt once, and the
result is a new map that shares everything else with the old one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Set

from immutables import Map

Members = tuple[str, ...]

_FEW = 8
"""Up to so many changes a sorted tuple is edited in place of being sorted again."""


def merged(old: Members, added: Iterable[str], removed: Iterable[str]) -> Members:
    """Sorted `(old - removed) | added`; `old` must be sorted and without repeats."""
    if not old:
        # sorting what a build adds in order is free, sorting a set of it is not
        return tuple(dict.fromkeys(sorted(added)))
    added, removed = set(added), set(removed)
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
        self._added: dict[str, list[str]] = {}
        self._removed: dict[str, list[str]] = {}

    def add(self, key: str, member: str) -> None:
        if (members := self._added.get(key)) is None:
            self._added[key] = [member]
        else:
            members.append(member)

    def remove(self, key: str, member: str) -> None:
        self._removed.setdefault(key, []).append(member)

    def exchange(self, member: str, old: Set[str], new: Set[str]) -> None:
        """`member` was under the keys `old` and is under `new`."""
        added = self._added
        for key in new - old if old else new:
            if (members := added.get(key)) is None:
                added[key] = [member]
            else:
                members.append(member)
        for key in old - new if new else old:
            self.remove(key, member)

    def apply(self, base: Map[str, Members]) -> Map[str, Members]:
        """`base` with the changes; a key without members disappears."""
        if not self._added and not self._removed:
            return base
        out = base.mutate()
        if not base:
            out.update({key: merged((), members, ()) for key, members in self._added.items()})
            return out.finish()
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

    def exchange(self, old: Mapping[str, int], new: Mapping[str, int]) -> None:
        """What counted as `old` counts as `new`."""
        if old == new:
            return
        for key, count in new.items():
            self.add(key, count)
        for key, count in old.items():
            self.add(key, -count)

    def changed(self) -> list[str]:
        """The keys whose counts change."""
        return [key for key, delta in self._deltas.items() if delta]

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
