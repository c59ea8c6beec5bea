"""Which notes the store has, by id and by path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

import msgspec

from core.store.ports import Collection


class Record(msgspec.Struct, frozen=True):
    """One note as the store has it, or as it should have it. `signature` is the hash of
    its content, `derivation` that of everything else that its points depend on, `file_hash`
    that of the file's bytes, which may change alone (line ends, a YAML comment)."""

    note_id: str
    path: str
    signature: str
    derivation: str
    file_hash: str = ""

    def same_content(self, other: Record) -> bool:
        """Whether they differ in the file's bytes at most."""
        return self == msgspec.structs.replace(other, file_hash=self.file_hash)


FIELDS = ("note_id", "path", "hash_signature", "derivation", "file_hash")
"""The payload fields that make a record."""


class Catalog:
    """The records of the store, kept in memory while it is written."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._by_id: dict[str, Record] = {}
        self._by_path: dict[str, set[str]] = {}
        for record in records:
            self.put(record)

    @classmethod
    def load(cls, notes: Collection) -> Catalog:
        """Read all records of the notes collection."""
        points = notes.scan(fields=FIELDS)
        return cls(Record(*(str(p.payload.get(name) or "") for name in FIELDS)) for p in points)

    def __contains__(self, note_id: object) -> bool:
        return note_id in self._by_id

    def __iter__(self) -> Iterator[Record]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def ids(self) -> Set[str]:
        """The ids of all records."""
        return self._by_id.keys()

    def get(self, note_id: str) -> Record | None:
        """The record with this id."""
        return self._by_id.get(note_id)

    def at(self, path: str) -> list[str]:
        """Ids of the notes stored for a path, sorted; more than one only after a crash or
        while an id changes."""
        return sorted(self._by_path.get(path, ()))

    def put(self, record: Record) -> None:
        """Add a record or replace the one with its id."""
        self.drop(record.note_id)
        self._by_id[record.note_id] = record
        self._by_path.setdefault(record.path, set()).add(record.note_id)

    def drop(self, note_id: str) -> None:
        """Forget a record; an unknown one is fine."""
        record = self._by_id.pop(note_id, None)
        if record is not None:
            ids = self._by_path[record.path]
            ids.discard(note_id)
            if not ids:
                del self._by_path[record.path]
