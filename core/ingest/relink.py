"""Keeps the edges of other notes right when a note comes, goes or changes its names.

Which notes are concerned is asked of the store (edges that lead to the note) and of the
index (links that mean it now), so it is right after a crash as well. Nothing is read,
chunked or embedded for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from core.config.load import Config
from core.edges.derive import LinkTarget, derive_edges
from core.edges.edge import Edge
from core.ingest.catalog import Catalog, Record
from core.ingest.plan import Plan
from core.ingest.records import excluded
from core.ingest.write import Points, edge_point, pages, put_edges
from core.model import WIKILINK, Link, Note
from core.store.ports import In, Point
from core.vault.index import VaultIndex
from core.vault.registry import folded_path, names_of
from core.vault.resolve import whole_name

if TYPE_CHECKING:
    from core.smart.allocation import Allocation

_NO_NOTE = LinkTarget(is_note=False)
_UNRESOLVED = LinkTarget()


class Linker:
    """Derives edges from an index, and keeps stored ones in step with it."""

    def __init__(self, store: Points, config: Config, smart: Allocation | None = None) -> None:
        self._store = store
        self._config = config
        self._smart = smart
        self._fitting: VaultIndex | None = None
        """The index to which all stored edges are known to fit."""

    def edges(
        self,
        index: VaultIndex,
        path: str,
        note_id: str,
        chunk_starts: Sequence[int],
        texts: Sequence[str] | None = None,
    ) -> list[Edge]:
        """The edges of the note at `path`; `chunk_starts` are offsets in its text, `texts` those
        of its chunks: without them, a language model has no say."""
        note = index.notes[path]
        missing = {link.start for link in index.unresolved_in(path)}
        targets = [
            _meant(index, link, path, target)
            if target is not None
            else (_UNRESOLVED if link.start in missing else _NO_NOTE)
            for link, target in zip(note.links, index.targets(path), strict=True)
        ]
        type_, relations = self._config.types.effective(note), self._config.relations
        edges = derive_edges(note, note_id, chunk_starts, targets, type_, relations)
        if self._smart is None or texts is None:
            return edges
        if not self.is_smart(note):
            self._smart.forget([note_id])
            return edges
        return self._smart.edges(note_id, edges, texts, lambda e: _title(index, e), relations)

    def is_smart(self, note: Note) -> bool:
        """Whether a language model may say which passage of the note means which relation."""
        return self._config.types.effective(note).smart_edges and not excluded(note)

    def follow(
        self, index: VaultIndex, catalog: Catalog, todo: Plan, *, everywhere: bool = False
    ) -> None:
        """Write the edges of notes that are not written anyway but lead to ones that are
        going to be, or to deleted ones; `everywhere`, of all notes. To be done before
        those are written, so that it is repeated after a crash."""
        looked_at = (*todo.write, *todo.refresh)
        renamed = [record for record in looked_at if self._names_changed(record, index, catalog)]
        written = {record.path for record in todo.write}
        concerned = {source for r in renamed for source in index.sources(r.path)}
        note_ids = {*(r.note_id for r in renamed), *todo.delete} & catalog.ids()
        if len(written) < len(index.paths):
            concerned |= self._owners(index, sorted(note_ids))
        if everywhere:
            concerned.update(index.paths)
        others = [index.note_id(path) for path in concerned - written]
        self.rewrite(index, sorted(note_id for note_id in others if note_id in catalog))
        self._fitting = index

    def _names_changed(self, record: Record, index: VaultIndex, catalog: Catalog) -> bool:
        """Whether links may mean the note that did not before, or the other way round."""
        before = self._fitting.get(record.path) if self._fitting else None
        stored = catalog.get(record.note_id)
        if before is None or stored is None or stored.path != record.path:
            return True
        return set(names_of(before)) != set(names_of(index.notes[record.path]))

    def _owners(self, index: VaultIndex, targets: Sequence[str]) -> set[str]:
        """Paths of the notes with stored edges to some notes."""
        owners = {
            str(point.payload["note_id"])
            for page in pages(targets)
            for point in self._store.edges.scan(In("target_note_id", page), ["note_id"])
        }
        return {path for note_id in owners if (path := index.path_of(note_id)) is not None}

    def rewrite(self, index: VaultIndex, note_ids: Iterable[str]) -> None:
        """Write the edges of stored notes anew where they differ from what they should be."""
        for page in pages(list(note_ids)):
            starts: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
            where = In("note_id", page)
            fields = ["note_id", "index", "body_offset"]
            if any(self.is_smart(index.notes[p]) for n in page if (p := index.path_of(n))):
                fields.append("text")
            for point in self._store.chunks.scan(where, fields):
                found = point.payload
                starts[found["note_id"]].append(
                    (found["index"], found["body_offset"], found.get("text", ""))
                )
            # a written target may be the very id that it stands for, so ids do not tell all
            present: dict[str, set[tuple[str, str | None]]] = defaultdict(set)
            for point in self._store.edges.scan(where, ["note_id", "target_note_id"]):
                present[point.payload["note_id"]].add(_fact(point))
            differing = {}
            for note_id in page:
                path = index.path_of(note_id)
                if path is None:
                    continue
                body = index.notes[path].body_start
                chunks = sorted(starts[note_id])
                offsets = [body + offset for _, offset, _ in chunks]
                texts = [text for _, _, text in chunks]
                edges = self.edges(index, path, note_id, offsets, texts)
                points = [edge_point(edge) for edge in edges]
                if {_fact(point) for point in points} != present[note_id]:
                    differing[note_id] = points
            put_edges(self._store, differing, list(differing))


def _meant(index: VaultIndex, link: Link, source: str, target: str) -> LinkTarget:
    """The note at `target`, to which the link leads by its target or by another part of it."""
    note_id = index.note_id(target)
    if link.form != WIKILINK or not (link.heading or link.alias):
        return LinkTarget(note_id)
    if folded_path(link.target.rpartition("/")[2]) == folded_path(target.rpartition("/")[2]):
        return LinkTarget(note_id)  # by its file name, as most are: no need to look closer
    found = index.resolve(link, source)
    if found.is_whole:
        return LinkTarget(note_id, written=whole_name(link))
    if found.is_reversed:
        name = (link.alias or "").partition("#")[0].strip()
        return LinkTarget(note_id, written=name or link.target, heading=found.anchor)
    return LinkTarget(note_id)


def _fact(point: Point) -> tuple[str, str | None]:
    return point.id, point.payload.get("target_note_id")


def _title(index: VaultIndex, edge: Edge) -> str:
    """What a model is told of an edge's target: of a note that asks to be left out, no more than
    what is written in the note at hand."""
    path = index.path_of(edge.target_note_id) if edge.target_note_id else None
    note = index.get(path) if path else None
    return edge.written if note is None or excluded(note) else note.title
