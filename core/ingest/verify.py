"""Compares what the store has of each note with the note's record: after a crash."""

from __future__ import annotations

import logging
from collections import Counter

import msgspec

from core.ingest.catalog import Catalog
from core.ingest.write import Points, delete_notes, pages

logger = logging.getLogger(__name__)


def repair(store: Points, catalog: Catalog) -> None:
    """Delete points without a note's record; unset the signature of records whose chunks or
    edges are not all there, so that the next plan writes those notes again."""
    counts = {
        name: Counter(str(p.payload.get("note_id")) for p in collection.scan(fields=["note_id"]))
        for name, collection in (("chunks", store.chunks), ("edges", store.edges))
    }
    orphans = sorted((counts["chunks"].keys() | counts["edges"].keys()) - catalog.ids())
    for page in pages(orphans):
        delete_notes(store, page)
    damaged = 0
    for point in store.notes.scan(fields=["note_id", "chunk_count"]):
        record = catalog.get(point.id)
        if record and counts["chunks"][point.id] != point.payload.get("chunk_count"):
            catalog.put(msgspec.structs.replace(record, signature=""))
            damaged += 1
    if orphans or damaged:
        logger.info("repaired the index: %d orphans, %d damaged notes", len(orphans), damaged)
