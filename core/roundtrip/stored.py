"""The notes of a store, as the files that they were; also the lines of `POST /export`."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from typing import Literal, TypeAlias

from core.api import Shape
from core.ingest.write import PAGE, Points


class StoredNote(Shape):
    """One note. `raw` is base64 of the file's bytes where `text` does not give them back; both
    are None for a note that was not written to its end."""

    kind: Literal["note"] = "note"
    note_id: str
    path: str
    text: str | None
    raw: str | None = None

    @property
    def content(self) -> bytes | None:
        """The file's bytes, None where the store has not got them."""
        if self.raw is not None:
            return b64decode(self.raw)
        return None if self.text is None else self.text.encode("utf-8")


class StoredTotal(Shape):
    """The last line: how many notes there are."""

    kind: Literal["result"] = "result"
    notes: int


StoredLine: TypeAlias = StoredNote | StoredTotal


def stored_notes(points: Points) -> Iterator[StoredLine]:
    """Every note in the order of the paths, then their number. Raises `StoreError`."""
    found = sorted((str(p.payload.get("path")), p.id) for p in points.notes.scan(fields=["path"]))
    for at in range(0, len(found), PAGE):
        for point in points.notes.get(note_id for _, note_id in found[at : at + PAGE]):
            text, raw = point.payload.get("fulltext"), point.payload.get("raw")
            yield StoredNote(
                note_id=point.id,
                path=str(point.payload.get("path")),
                text=text if isinstance(text, str) else None,
                raw=raw if isinstance(raw, str) else None,
            )
    yield StoredTotal(notes=len(found))
