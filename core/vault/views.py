"""Read-only views of the index's tables, which have no order of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from core.vault.postings import Members

V = TypeVar("V")


class InOrder(Mapping[str, V]):
    """A mapping in key order; `keys` are its sorted keys where somebody has them already."""

    __slots__ = ("_keys", "_mapping")

    def __init__(self, mapping: Mapping[str, V], keys: Sequence[str] | None = None) -> None:
        self._mapping = mapping
        self._keys = keys

    def __getitem__(self, key: str) -> V:
        return self._mapping[key]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._mapping) if self._keys is None else self._keys)

    def __len__(self) -> int:
        return len(self._mapping)

    def __contains__(self, key: object) -> bool:
        return key in self._mapping


class Lengths(Mapping[str, int]):
    """The number of members by key, in key order."""

    __slots__ = ("_members",)

    def __init__(self, members: Mapping[str, Members]) -> None:
        self._members = members

    def __getitem__(self, key: str) -> int:
        return len(self._members[key])

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._members))

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, key: object) -> bool:
        return key in self._members
