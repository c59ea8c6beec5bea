"""Names and payload fields of the three collections.

The fields marked here are indexed on a server, where other programs ask as well; every other
field of a payload is only carried. Nothing in a payload depends on the machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Literal

SCHEMA_VERSION = 1
"""Raised when a payload or an index changes so that old points cannot be used."""

NOTES = "notes"
CHUNKS = "chunks"
EDGES = "edges"

IndexKind = Literal["keyword", "integer", "text"]

NOTE_FIELDS: Mapping[str, IndexKind] = {
    "note_id": "keyword",
    "title": "text",
    "type": "keyword",
    "tags": "keyword",
    "updated": "integer",
    "path": "keyword",
    "hash_signature": "keyword",
}
CHUNK_FIELDS: Mapping[str, IndexKind] = {
    "chunk_id": "keyword",
    "note_id": "keyword",
    "index": "integer",
    "type": "keyword",
    "tags": "keyword",
}
EDGE_FIELDS: Mapping[str, IndexKind] = {
    "edge_id": "keyword",
    "source_id": "keyword",
    "target_id": "keyword",
    "target_note_id": "keyword",
    "note_id": "keyword",
    "chunk_id": "keyword",
    "kind": "keyword",
    "scope": "keyword",
    "rule_id": "keyword",
    "provenance": "keyword",
}
EDGES_ASKED = frozenset(("note_id", "target_note_id", "kind", "provenance"))
"""The fields of edges that a query of ours filters by, and all that an embedded store indexes of
them: each index costs 4 µs and 0.1 KB or more for every one of very many edges."""


@dataclass(frozen=True, slots=True)
class CollectionSchema:
    """`dim` of None: the points have no dense vector. `indexed` are payload fields, `asked` those
    of them that mindnet itself filters by, None for all."""

    name: str
    id_field: str
    indexed: Mapping[str, IndexKind]
    dim: int | None = None
    sparse: bool = False
    asked: Set[str] | None = None

    @property
    def indexed_embedded(self) -> Mapping[str, IndexKind]:
        """What an engine indexes that nobody else asks. Other fields are filtered by as well,
        only slowly."""
        return {
            n: kind for n, kind in self.indexed.items() if self.asked is None or n in self.asked
        }


def collections(prefix: str, dim: int | None) -> dict[str, CollectionSchema]:
    """The schemas of `<prefix>_notes`, `<prefix>_chunks`, `<prefix>_edges`, by role.

    `dim` is the embedding model's dimension, None where there is no model.
    """
    return {
        NOTES: CollectionSchema(f"{prefix}_{NOTES}", "note_id", NOTE_FIELDS, dim),
        CHUNKS: CollectionSchema(f"{prefix}_{CHUNKS}", "chunk_id", CHUNK_FIELDS, dim, sparse=True),
        EDGES: CollectionSchema(f"{prefix}_{EDGES}", "edge_id", EDGE_FIELDS, asked=EDGES_ASKED),
    }
