"""A note made ready to be written, and its payloads as the store gets them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from core.chunking.chunks import chunk_note
from core.chunking.profiles import profile_of
from core.config.load import Config
from core.ingest.catalog import Record
from core.ingest.look import Content
from core.ingest.records import edge_payload
from core.ingest.relink import Linker
from core.ingest.write import Draft, chunk_payloads, record_payload
from core.vault.index import VaultIndex

Kind = Literal["note", "chunk", "edge"]


def prepare(
    record: Record,
    content: Content,
    index: VaultIndex,
    config: Config,
    linker: Linker,
    reuse: tuple[str, ...] = (),
) -> Draft:
    """Cut a note and derive its edges. `content` is what its file holds, and the same note
    as in the index; `reuse` are stored notes with vectors that may serve it."""
    note = content.note
    type_ = config.types.effective(note)
    chunks = chunk_note(note, content.text, profile_of(type_.chunk_profile))
    starts, texts = [chunk.start for chunk in chunks], [chunk.text for chunk in chunks]
    edges = linker.edges(index, record.path, record.note_id, starts, texts)
    return Draft(record, note, content.text, type_, chunks, tuple(edges), reuse, content.raw)


def payloads(draft: Draft) -> Iterator[tuple[Kind, dict[str, Any]]]:
    """What the store gets of a note: its own payload, its chunks', its edges', in order."""
    yield "note", record_payload(draft)
    for chunk in chunk_payloads(draft):
        yield "chunk", chunk
    for edge in draft.edges:
        yield "edge", edge_payload(edge)
