"""Payloads of the three collections. JSON values only, and nothing of this machine."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from core import ids
from core.chunking.chunks import Chunk
from core.config.note_types import EffectiveType
from core.edges.edge import Edge
from core.model import Note, Property
from core.text import fold

RECORD_FIELDS = ("hash_signature", "derivation", "file_hash")
_RESERVED = (*RECORD_FIELDS, "raw")

_OWN = frozenset(("title", "id", "type", "tags", "aliases", "updated"))
"""Frontmatter keys that have a field of their own, under their own or another name."""

_LISTS = frozenset(("tags", "aliases", "depends_on", "assigned_to"))
_DATE = re.compile(
    r"\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?.*)?\s*", re.DOTALL
)


RECORDS_VERSION = 2
"""Raised whenever the same note would get another payload: stored notes are written again,
with the vectors that they have."""


def note_payload(
    note: Note,
    text: str,
    note_id: str,
    type_: EffectiveType,
    chunk_count: int,
    raw: bytes | None = None,
) -> dict[str, Any]:
    """The note as the store has it, with its whole text and all its frontmatter, but for
    the fields of its record (`RECORD_FIELDS`).

    A frontmatter key that is also the name of a field of ours is kept as `fm_<key>`.
    `raw`, the file's bytes where the text does not give them back, is kept as base64.
    """
    payload: dict[str, Any] = {
        "note_id": note_id,
        "title": note.title,
        "type": type_.name,
        "tags": tags_of(note),
        "updated": updated_of(note),
        "path": note.path,
        "aliases": list(note.aliases),
        "retriever_weight": type_.retriever_weight,
        "chunk_profile": type_.chunk_profile,
        "edge_defaults": list(type_.edge_defaults),
        "chunk_count": chunk_count,
        "fulltext": text,
    }
    if raw is not None:
        payload["raw"] = b64encode(raw).decode("ascii")
    for key, value in _further(note).items():
        payload[f"fm_{key}" if key in payload or key in _RESERVED else key] = value
    return payload


def chunk_payload(
    note: Note, chunk: Chunk, note_id: str, type_: EffectiveType, *, count: int
) -> dict[str, Any]:
    """One of `count` chunks of a note. `body_offset` is where its text begins in the body."""
    index = chunk.index
    return {
        "chunk_id": ids.chunk_id(note_id, index),
        "note_id": note_id,
        "index": index,
        "ord": index + 1,
        "type": type_.name,
        "tags": tags_of(note),
        "text": chunk.text,
        "window": chunk.window,
        "retriever_weight": type_.retriever_weight,
        "chunk_profile": type_.chunk_profile,
        "neighbors_prev": ids.chunk_id(note_id, index - 1) if index else None,
        "neighbors_next": ids.chunk_id(note_id, index + 1) if index + 1 < count else None,
        "path": note.path,
        "title": note.title,
        "section": chunk.section_path,
        "start_line": chunk.start_line,
        "end_line": chunk.end_line,
        "overlap_left": chunk.overlap_left,
        "overlap_right": chunk.overlap_right,
        "tokens": chunk.tokens,
        "body_offset": chunk.start - note.body_start,
        "updated": updated_of(note),
    }


def edge_payload(edge: Edge) -> dict[str, Any]:
    """An edge; fields without a value are left out."""
    payload: dict[str, Any] = {
        "edge_id": edge.edge_id,
        "source_id": edge.source_id,
        "target_id": edge.target_id,
        "note_id": edge.note_id,
        "kind": edge.kind,
        "scope": edge.scope,
        "rule_id": edge.rule_id,
        "provenance": edge.provenance,
        "confidence": edge.confidence,
    }
    if edge.target_note_id is not None:
        payload["target_note_id"] = edge.target_note_id
    if edge.chunk_id is not None:
        payload["chunk_id"] = edge.chunk_id
    if edge.written:
        payload["written"] = edge.written
    if edge.heading is not None:
        payload["heading"] = edge.heading
    if edge.line >= 0:
        payload["line"] = edge.line
    return payload


def tags_of(note: Note) -> list[str]:
    """The note's tags without `#`, each once, in the order of the text."""
    return list(dict.fromkeys(tag.name for tag in note.tags))


def updated_of(note: Note) -> int | None:
    """`updated` (else `created`) of the frontmatter as YYYYMMDDHHMMSS, None without a date."""
    properties = _properties(note)
    for key in ("updated", "created"):
        prop = properties.get(key)
        if prop and prop.values and (number := date_number(prop.values[0].text)) is not None:
            return number
    return None


def date_number(text: str) -> int | None:
    """An ISO date or date-time as the number YYYYMMDDHHMMSS, None if it is none.

    The clock time is taken as written; a time zone does not shift it.
    """
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second < 60):
        return None
    return ((((year * 100 + month) * 100 + day) * 100 + hour) * 100 + minute) * 100 + second


def excluded(note: Note) -> bool:
    """Whether the note asks to have no vectors (`embedding_exclude: true`)."""
    prop = _properties(note).get("embedding_exclude")
    return bool(prop and prop.values and says_yes(prop.values[0].text))


def says_yes(text: str) -> bool:
    """Whether a frontmatter value means true."""
    return fold(text) in ("true", "yes", "on", "1")


def _further(note: Note) -> Mapping[str, Any]:
    return {
        key: _value(prop)
        for key, prop in _properties(note).items()
        if key not in _OWN and not prop.nested and (prop.values or prop.is_list)
    }


def _properties(note: Note) -> Mapping[str, Property]:
    properties: Sequence[Property] = note.frontmatter.properties if note.frontmatter else ()
    return {prop.key: prop for prop in properties}


def _value(prop: Property) -> list[str] | str:
    values = [value.text for value in prop.values]
    return values if prop.is_list or prop.key in _LISTS else values[0]
