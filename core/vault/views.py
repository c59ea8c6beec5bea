"""Read-only views of the index's tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.vault.postings import Members


class Lengths(Mapping[str, int]):
    """A mapping from a key to the number of its members, in key order."""

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
