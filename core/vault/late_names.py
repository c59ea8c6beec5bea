"""Names that are searched less often than those of notes: files, and notes that are missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from core.text import fold
from core.vault.names import Column, Entry, NameHit, best_hits, searched

FILE, MISSING = "file", "missing"
_ENOUGH = 8
"""With so many hits no worse way to match is tried."""


class LateNames:
    """Paths of files or targets of links, found by their last segment.

    Sorted when first asked for; a vault may have more missing targets than notes.
    """

    __slots__ = ("_column", "_kind", "_names")

    def __init__(
        self, kind: str, names: Collection[str] = (), column: Column | None = None
    ) -> None:
        self._kind, self._names, self._column = kind, names, column

    def updated(
        self, names: Collection[str], gone: Iterable[str], come: Iterable[str]
    ) -> LateNames:
        """The same for `names`, which differ by what is `gone` and what has `come`."""
        column = self._column
        if column is not None:
            column = column.updated(set(map(self._entry, gone)), set(map(self._entry, come)))
        return LateNames(self._kind, names, column)

    def search(self, query: str, limit: int) -> list[NameHit]:
        """The names that fit `query` best, as `NameTable.search` has it; `path` is the whole
        of each. A query with `/` has to be in it."""
        if self._column is None:
            self._column = Column(sorted(map(self._entry, self._names)))
        wanted = searched(query)
        folder, _, last = wanted.rpartition("/")
        found = self._column.search(last, min(limit, _ENOUGH))
        if folder:
            found = (hit for hit in found if wanted in fold(hit[1].path))
        return best_hits(found, limit)

    def _entry(self, name: str) -> Entry:
        last = name.rpartition("/")[2]
        return Entry(searched(last), name, last, self._kind)
