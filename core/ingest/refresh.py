"""Notes whose file changed in a way that does not count: line ends, Unicode form, YAML layout, and
what a note's `hash_mode` leaves out.

Their hash is the same, so they are not embedded again; but text, bytes, lines and frontmatter in
the store have to be those of the file, for hits to open at their place and for the export.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.ingest.catalog import Record
from core.ingest.hashing import canonical
from core.ingest.write import Draft, Points
from core.store.ports import Eq


def fitting_vectors(store: Points, draft: Draft) -> Mapping[str, Any] | None:
    """The stored vectors for the note's new windows; None where its passages say something else
    (`hash_mode: frontmatter`), so that it stays as it is stored. With `hash_mode: body` the title
    in a window may be a new one: the vector stays that of the old."""
    where = Eq("note_id", draft.record.note_id)
    found = {p.id: p for p in store.chunks.scan(where, ["text", "index"], vectors=True)}
    stored = sorted(found.values(), key=lambda point: int(point.payload["index"]))
    if len(stored) != len(draft.chunks):
        return None
    vectors = {}
    for point, chunk in zip(stored, draft.chunks, strict=True):
        if canonical(str(point.payload.get("text"))) != canonical(chunk.text):
            return None
        if point.vector is not None:
            vectors[chunk.window] = point.vector
    return vectors


def note_seen(store: Points, record: Record) -> None:
    """Keep that this file was looked at, so that the next sync does not do it again."""
    store.notes.set_payload(Eq("note_id", record.note_id), {"file_hash": record.file_hash})
