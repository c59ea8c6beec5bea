"""What an edge is."""

from __future__ import annotations

from typing import Literal

import msgspec

from core import ids

Scope = Literal["chunk", "note"]
Provenance = Literal["explicit", "rule", "smart", "structure"]

REFERENCES = "references"
"""The kind of a link that names none."""
BELONGS_TO, NEXT, PREV = "belongs_to", "next", "prev"


class Edge(msgspec.Struct, frozen=True):
    """A typed edge from a chunk or a note.

    `target_id` is a note id or, for structure, a chunk id; while the target is not there
    it is the target as written and `target_note_id` is None. `note_id` is the note in
    which the edge is written, `chunk_id` the chunk, None for frontmatter. `written` is
    the target's text in the note, "" for structure. `line` is 0-based, -1 for structure.
    """

    kind: str
    scope: Scope
    source_id: str
    target_id: str
    target_note_id: str | None
    note_id: str
    chunk_id: str | None
    rule_id: str
    confidence: float
    provenance: Provenance
    written: str = ""
    heading: str | None = None
    line: int = -1

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What makes two edges the same one."""
        return (self.kind, self.scope, self.source_id, self.target_id, self.rule_id)

    @property
    def edge_id(self) -> str:
        """Hash of `key`."""
        return ids.edge_id(*self.key)
