"""All checks in one pass over the store, a page of notes at a time."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from typing import TypeAlias

from core.api import SyncProgress
from core.check.chunks import ChunkCheck
from core.check.edges import EdgeCheck
from core.check.hashes import HashCheck
from core.check.schema import SchemaCheck
from core.check.shapes import NAMES, CheckName, CheckResult, Fact, Finding
from core.check.view import Check, NoteView, VaultFiles
from core.check.windows import WindowCheck
from core.ingest.write import Points
from core.store.ports import Eq, In, Point
from core.vault.scan import Scan

PAGE = 64
"""Notes that are in memory at one time, with their chunks, edges and vectors."""

Line: TypeAlias = SyncProgress | Finding | Fact | CheckResult


def check(
    points: Points,
    files: VaultFiles,
    what: Sequence[CheckName] = (),
    *,
    dim: int | None = None,
    outdated: Sequence[str] = (),
    settle: Callable[[], None] | None = None,
) -> Iterator[Line]:
    """What is wrong in a store, then some figures, then how much was looked at.

    Reads the store and the vault's files and changes neither. Memory does not grow with the
    vault but for the ids of its notes. `what` of none is everything; `dim` is the dimension
    of the store's model, `outdated` why the store has to be built anew. Where somebody else may
    write meanwhile, `settle` waits until nothing is half written; what was found wrong is looked
    at again then. Raises `StoreError`.
    """
    started = time.perf_counter()
    chosen = [name for name in NAMES if name in what or not what]
    note_ids = sorted(point.id for point in points.notes.scan(fields=[]))
    known = frozenset(note_ids)
    found_files = files.scan() if "hashes" in chosen else Scan()
    checks = _checks(chosen, points, files, dim, known.__contains__, found_files)
    counts: Counter[str] = Counter(findings=len(outdated))
    for reason in outdated:
        message = f"the index does not fit: {reason}; `mindnet import --apply` builds it anew"
        yield Finding(check=chosen[0], code="outdated", message=message)
    for at in range(0, len(note_ids), PAGE):
        yield SyncProgress(done=at, total=len(note_ids), phase="check")
        found: list[Finding] = []
        for view in _views(points, note_ids[at : at + PAGE], files, chosen):
            counts.update(notes=1, chunks=len(view.chunks), edges=len(view.edges))
            for one in checks.values():
                found += one.look(view)
        if found and settle is not None:
            settle()
            found = _again(points, files, chosen, dim, known, found)
        counts["findings"] += len(found)
        yield from found
    yield SyncProgress(done=len(note_ids), total=len(note_ids), phase="check")
    for role in ("chunks", "edges"):
        if role in checks:
            found = list(_orphans(points, role, known))
            counts["findings"] += len(found)
            yield from found
    for one in checks.values():
        for line in one.end():
            if settle is not None and _is_over(points, files, line):
                continue
            counts["findings"] += isinstance(line, Finding)
            yield line
    yield CheckResult(
        checks=chosen,
        notes=counts["notes"],
        chunks=counts["chunks"],
        edges=counts["edges"],
        findings=counts["findings"],
        took_ms=round((time.perf_counter() - started) * 1000, 1),
    )


def _checks(
    chosen: Sequence[CheckName],
    points: Points,
    files: VaultFiles,
    dim: int | None,
    has_note: Callable[[str], bool],
    found_files: Scan,
) -> dict[CheckName, Check]:
    parts = {"notes": points.notes, "chunks": points.chunks, "edges": points.edges}
    made: dict[CheckName, Callable[[], Check]] = {
        "edges": lambda: EdgeCheck(has_note),
        "chunks": lambda: ChunkCheck(files),
        "windows": lambda: WindowCheck(dim),
        "schema": lambda: SchemaCheck(parts),
        "hashes": lambda: HashCheck(found_files),
    }
    return {name: made[name]() for name in chosen}


def _again(
    points: Points,
    files: VaultFiles,
    chosen: Sequence[CheckName],
    dim: int | None,
    known: Set[str],
    found: Sequence[Finding],
) -> list[Finding]:
    """What is still wrong with the notes of these findings."""

    def has_note(note_id: str) -> bool:
        return note_id in known or bool(points.notes.get([note_id]))

    checks = _checks(chosen, points, files, dim, has_note, Scan())
    note_ids = list(dict.fromkeys(one.note_id for one in found))
    views = list(_views(points, note_ids, files, chosen))
    still = [one for view in views for check in checks.values() for one in check.look(view)]
    there = {view.note_id for view in views}
    # that a path is there twice was seen of two notes
    return still + [one for one in found if one.code == "path-twice" and one.note_id in there]


def _is_over(points: Points, files: VaultFiles, line: Finding | Fact) -> bool:
    """Whether a file that had no record has one by now, or is gone."""
    if not isinstance(line, Finding) or line.code != "no-record":
        return False
    return bool(points.notes.count(Eq("path", line.path))) or not (files.root / line.path).exists()


def _views(
    points: Points, note_ids: list[str], files: VaultFiles, chosen: Sequence[CheckName]
) -> Iterator[NoteView]:
    vectors = "windows" in chosen
    where = In("note_id", note_ids)
    chunks: dict[str, list[Point]] = defaultdict(list)
    edges: dict[str, list[Point]] = defaultdict(list)
    if chosen != ["hashes"]:
        for point in points.chunks.scan(where, vectors=vectors):
            chunks[str(point.payload["note_id"])].append(point)
    if "edges" in chosen or "schema" in chosen:
        for point in points.edges.scan(where):
            edges[str(point.payload["note_id"])].append(point)
    for note in points.notes.get(note_ids, vectors=vectors):
        yield NoteView(note, chunks[note.id], edges[note.id], files)


def _orphans(points: Points, role: CheckName, known: frozenset[str]) -> Iterator[Finding]:
    """Points of notes that are not stored."""
    collection = points.chunks if role == "chunks" else points.edges
    owners = (str(p.payload.get("note_id")) for p in collection.scan(fields=["note_id"]))
    lost = Counter(owner for owner in owners if owner not in known)
    # a note may have come since
    for point in points.notes.get([*lost]) if lost else ():
        del lost[point.id]
    for note_id, count in sorted(lost.items()):
        message = f"{count} {role} of a note that is not stored"
        yield Finding(check=role, code="orphans", note_id=note_id, message=message)
