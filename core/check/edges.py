"""The edges: as many structural ones as there should be, each once, both ends there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from core import ids
from core.check.shapes import Fact, Finding
from core.check.view import NoteView, finding
from core.edges.derive import MIRROR
from core.edges.edge import BELONGS_TO, NEXT, PREV
from core.edges.smart import CAP, SMART

KEY = ("kind", "scope", "source_id", "target_id", "rule_id")
"""The dedup key of an edge."""


class EdgeCheck:
    """`has_note` says whether a note id is stored."""

    def __init__(self, has_note: Callable[[str], bool]) -> None:
        self._has_note = has_note
        self._provenance: Counter[str] = Counter()
        self._unresolved = 0

    def look(self, view: NoteView) -> Iterator[Finding]:
        yield from self._counts(view)
        yield from self._smart(view)
        seen: set[tuple[str, ...]] = set()
        for point in view.edges:
            key = tuple(str(point.payload.get(name, "")) for name in KEY)
            if key in seen:
                yield finding("edges", "duplicate-edge", view, f"edge {point.id} is there twice")
            seen.add(key)
            kind, scope, source, target, rule = key
            if ids.edge_id(kind, scope, source, target, rule) != point.id:
                yield finding(
                    "edges", "wrong-edge-id", view, f"edge {point.id} is not the hash of its key"
                )
            self._provenance[str(point.payload.get("provenance"))] += 1
            self._unresolved += "target_note_id" not in point.payload
            for what, end in self._dangling(view, point.payload):
                message = f"edge {point.id} ({kind}) has the {what} {end!r}, which is not stored"
                yield finding("edges", f"dangling-{what}", view, message)

    def end(self) -> Iterator[Finding | Fact]:
        for name, count in sorted(self._provenance.items()):
            yield Fact(check="edges", name=name, value=count, message=f"{count} {name} edges")
        yield Fact(
            check="edges",
            name="unresolved",
            value=self._unresolved,
            message=f"{self._unresolved} edges lead to notes that do not exist",
        )

    def _counts(self, view: NoteView) -> Iterator[Finding]:
        kinds = Counter(
            str(p.payload.get("kind"))
            for p in view.edges
            if p.payload.get("provenance") == "structure"
        )
        chunks = len(view.chunks)
        between = max(0, chunks - 1)
        for kind, expected in ((BELONGS_TO, chunks), (NEXT, between), (PREV, between)):
            if kinds[kind] != expected:
                message = f"{kinds[kind]} {kind} edges instead of {expected} ({chunks} chunks)"
                yield finding("edges", "edge-count", view, message)

    def _smart(self, view: NoteView) -> Iterator[Finding]:
        """A language model only chooses among the edges that the note has anyway."""
        own = {
            (p.payload.get("kind"), p.payload.get("target_id"))
            for p in view.edges
            if p.payload.get("provenance") in ("explicit", "rule")
        }
        for point in view.edges:
            edge = point.payload
            if edge.get("provenance") != "smart":
                continue
            rule = str(edge.get("rule_id"))
            chosen = rule.endswith(MIRROR) or (edge.get("kind"), edge.get("target_id")) in own
            if chosen and rule.startswith(SMART) and float(edge.get("confidence") or 0) <= CAP:
                continue
            message = f"smart edge {point.id} is no choice among the note's other edges"
            yield finding("edges", "wrong-smart-edge", view, message)

    def _dangling(self, view: NoteView, payload: object) -> Iterator[tuple[str, str]]:
        assert isinstance(payload, dict)
        source, target = str(payload.get("source_id")), str(payload.get("target_id"))
        is_chunk = payload.get("scope") == "chunk"
        if not (source in view.chunk_ids if is_chunk else self._has_note(source)):
            yield "source", source
        chunk = payload.get("chunk_id")
        if chunk is not None and chunk != source and chunk not in view.chunk_ids:
            yield "chunk", str(chunk)
        note = payload.get("target_note_id")
        if payload.get("provenance") == "structure":
            there = target in view.chunk_ids or target == view.note_id
        else:
            # an unresolved edge keeps the target as written
            there = note is None or (target == note and self._has_note(target))
        if not there:
            yield "target", target
