"""Stored edges written anew after a language model had its say; nothing is read from files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.errors import Cancelled
from core.ingest.pipeline import Importer
from core.ingest.write import pages


def allocate(
    importer: Importer, note_ids: Sequence[str] | None, stopped: Callable[[], bool]
) -> None:
    """Write the edges of these notes anew where they differ; None: of all notes whose type asks
    for smart edges. What is not stored is left alone. Raises `Cancelled` between two pages of
    notes where `stopped` says so."""
    catalog = importer.prepare()
    index, linker = importer.index, importer.linker
    if note_ids is None:
        note_ids = [index.note_id(p) for p in index.paths if linker.is_smart(index.notes[p])]
    for page in pages([note_id for note_id in note_ids if note_id in catalog]):
        if stopped():
            raise Cancelled("the smart edges were interrupted")
        linker.rewrite(index, page)
