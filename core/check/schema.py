"""The payloads: every field there and of its kind, every index there.

The fields are those of the contract, which other programs may rely on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.check.shapes import Fact, Finding
from core.check.view import NoteView, finding
from core.store.ports import Collection

Kinds = tuple[type, ...]
_TEXT: Kinds = (str,)
_NUMBER: Kinds = (int,)
_WEIGHT: Kinds = (float, int)
_LIST: Kinds = (list,)
_MAYBE: Kinds = (str, type(None))

FIELDS: Mapping[str, Mapping[str, Kinds]] = {
    "notes": {
        "note_id": _TEXT,
        "title": _TEXT,
        "type": _TEXT,
        "tags": _LIST,
        "updated": (int, type(None)),
        "path": _TEXT,
        "aliases": _LIST,
        "retriever_weight": _WEIGHT,
        "chunk_profile": _TEXT,
        "edge_defaults": _LIST,
        "hash_signature": _TEXT,
        "fulltext": _TEXT,
    },
    "chunks": {
        "chunk_id": _TEXT,
        "note_id": _TEXT,
        "index": _NUMBER,
        "ord": _NUMBER,
        "type": _TEXT,
        "tags": _LIST,
        "text": _TEXT,
        "window": _TEXT,
        "retriever_weight": _WEIGHT,
        "chunk_profile": _TEXT,
        "neighbors_prev": _MAYBE,
        "neighbors_next": _MAYBE,
        "section": _TEXT,
        "start_line": _NUMBER,
        "end_line": _NUMBER,
        "overlap_left": _NUMBER,
        "overlap_right": _NUMBER,
        "tokens": _NUMBER,
    },
    "edges": {
        "edge_id": _TEXT,
        "source_id": _TEXT,
        "target_id": _TEXT,
        "note_id": _TEXT,
        "kind": _TEXT,
        "scope": _TEXT,
        "rule_id": _TEXT,
        "provenance": _TEXT,
        "confidence": _WEIGHT,
    },
}
"""The fields that every payload has, by role, and what their values are."""

VALUES = {
    "scope": ("chunk", "note"),
    "provenance": ("explicit", "rule", "smart", "structure"),
}
_MIRRORED = ("type", "tags", "retriever_weight", "chunk_profile", "path")
"""What a chunk repeats of its note."""


class SchemaCheck:
    """`parts` are the collections by role."""

    def __init__(self, parts: Mapping[str, Collection]) -> None:
        self._parts = parts

    def look(self, view: NoteView) -> Iterator[Finding]:
        if view.complete:
            yield from _fields(view, "notes", view.note_id, view.payload)
        for point in view.chunks:
            yield from _fields(view, "chunks", point.id, point.payload)
            other = [n for n in _MIRRORED if point.payload.get(n) != view.payload.get(n)]
            if other and view.complete:
                message = f"{point.id} differs from its note in {', '.join(other)}"
                yield finding("schema", "not-mirrored", view, message)
        for point in view.edges:
            yield from _fields(view, "edges", point.id, point.payload)
            confidence = point.payload.get("confidence")
            if isinstance(confidence, int | float) and not 0 <= confidence <= 1:
                message = f"{point.id} has the confidence {confidence}"
                yield finding("schema", "wrong-value", view, message)

    def end(self) -> Iterator[Finding | Fact]:
        count = 0
        for role, part in sorted(self._parts.items()):
            count += len(part.indexes())
            for name in sorted(part.lacking()):
                message = f"{part.schema.name} has no index on {name} ({role})"
                yield Finding(check="schema", code="missing-index", message=message)
        yield Fact(check="schema", name="indexes", value=count, message=f"{count} payload indexes")


def _fields(
    view: NoteView, role: str, point_id: str, payload: Mapping[str, Any]
) -> Iterator[Finding]:
    fields = FIELDS[role]
    missing = _named(name for name in fields if name not in payload)
    if missing:
        yield finding("schema", "missing-field", view, f"{point_id} ({role}) lacks {missing}")
    wrong = _named(
        name
        for name, kinds in fields.items()
        if name in payload
        and (not isinstance(payload[name], kinds) or isinstance(payload[name], bool))
    )
    wrong = wrong or _named(
        name for name, known in VALUES.items() if name in fields and payload.get(name) not in known
    )
    if wrong:
        yield finding("schema", "wrong-value", view, f"{point_id} ({role}): {wrong}")


def _named(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
