"""Writes notes to the store in an order that a crash at any moment leaves repairable.

A note's own record comes first as a stub without signature, so that whatever follows has
an owner that the next sync finds; then the chunks, which take the place of old ones;
then old chunks and edges that are left over go; the record with its signature comes last.
Until then the note counts as not written, and everything is done again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from core.chunking.chunks import Chunk
from core.config.note_types import EffectiveType
from core.edges.edge import Edge
from core.embedding.sparse import document_vector
from core.errors import Cancelled, InvalidPoint
from core.ingest.catalog import Catalog, Record
from core.ingest.embed import WindowVectors, embeddable, mean_vector
from core.ingest.records import chunk_payload, edge_payload, excluded, note_payload
from core.model import Note
from core.store.ports import Collection, In, Point

if TYPE_CHECKING:
    from core.embedding.ports import Embedder

logger = logging.getLogger(__name__)

PAGE = 256
"""How many ids are asked for in one condition."""


class Points(Protocol):
    """What is written to: a store, or one generation of it."""

    @property
    def notes(self) -> Collection: ...

    @property
    def chunks(self) -> Collection: ...

    @property
    def edges(self) -> Collection: ...

    def require(self, size: int) -> None:
        """Raise `StoreFull` unless there is room for `size` more bytes."""
        ...


class Draft(msgspec.Struct, frozen=True):
    """A note that is ready to be written. `reuse` are stored notes with useful vectors, `raw`
    the file's bytes where the text does not give them back."""

    record: Record
    note: Note
    text: str
    type: EffectiveType
    chunks: tuple[Chunk, ...]
    edges: tuple[Edge, ...]
    reuse: tuple[str, ...] = ()
    raw: bytes | None = None


class Written(msgspec.Struct):
    """What became of a batch. `failed` maps a note's path to the reason."""

    paths: list[str] = msgspec.field(default_factory=list)
    embedded: int = 0
    failed: dict[str, str] = msgspec.field(default_factory=dict)
    model_is_away: str = ""
    """Why the model fails on everything, where it does."""


class NoteWriter:
    """Writes batches of notes."""

    def __init__(self, store: Points, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder
        self._spare: Mapping[str, Any] = {}
        """Vectors by window that were made for a batch that somebody stopped."""

    def write(self, drafts: Sequence[Draft], stored: Catalog, pause: Callable[[], None]) -> Written:
        """Embed and write a batch; a note that fails leaves its old state in the store.

        `stored` says what the store has, and is brought up to date by the caller. `pause`
        may raise before anything of the batch is written.
        """
        vectors = WindowVectors({**self._known(drafts), **self._spare})
        if self._embedder is not None:
            try:
                groups = {draft.note.path: _windows(draft) for draft in drafts}
                vectors.make(self._embedder, groups, pause)
            except Cancelled:
                self._spare = vectors.made
                raise
            used = {window for windows in groups.values() for window in windows}
            self._spare = {w: v for w, v in self._spare.items() if w not in used}
        _tell_shortened(drafts, vectors)
        result = Written(embedded=vectors.counted, failed=dict(vectors.failed))
        result.model_is_away = vectors.away
        if len(vectors.failed) > 1 and not vectors.counted:
            result.model_is_away = next(iter(vectors.failed.values()))
        good = [draft for draft in drafts if draft.note.path not in result.failed]
        try:
            self._put(good, vectors, stored)
            result.paths += [draft.note.path for draft in good]
        except InvalidPoint as error:
            if len(good) == 1:
                result.failed[good[0].note.path] = error.message
                return result
            # find the one that does not fit; the others are written again, to the same end
            for draft in good:
                try:
                    self._put([draft], vectors, stored)
                    result.paths.append(draft.note.path)
                except InvalidPoint as own:
                    result.failed[draft.note.path] = own.message
        return result

    def lend(self, vectors: Mapping[str, Any]) -> None:
        """Vectors by window that the next batch may use."""
        self._spare = {**self._spare, **vectors}

    def _known(self, drafts: Sequence[Draft]) -> dict[str, Any]:
        """Stored vectors by window, of the notes that the drafts may take them from."""
        if self._embedder is None:
            return {}
        known: dict[str, Any] = {}
        for page in pages(sorted({note_id for draft in drafts for note_id in draft.reuse})):
            found = self._store.chunks.scan(In("note_id", page), ["window"], vectors=True)
            known.update((p.payload["window"], p.vector) for p in found if p.vector is not None)
        return known

    def _put(self, drafts: Sequence[Draft], vectors: WindowVectors, stored: Catalog) -> None:
        store = self._store
        chunks = {draft.record.note_id: self._chunk_points(draft, vectors) for draft in drafts}
        edges = {d.record.note_id: [edge_point(edge) for edge in d.edges] for d in drafts}
        stubs = [_stub(draft) for draft in drafts if draft.record.note_id not in stored]
        known = sorted(note_id for note_id in chunks if note_id in stored)
        store.notes.upsert(stubs)
        store.chunks.upsert(point for points in chunks.values() for point in points)
        put_edges(store, edges, known)
        _drop_others(store.chunks, known, chunks)
        store.notes.upsert(
            [_note_point(draft, _mean(chunks[draft.record.note_id])) for draft in drafts]
        )

    def _chunk_points(self, draft: Draft, vectors: WindowVectors) -> list[Point]:
        embedded = set(_windows(draft)) if self._embedder is not None else set()
        return [
            Point(
                payload["chunk_id"],
                vector=vectors[chunk.window] if chunk.window in embedded else None,
                sparse=document_vector(chunk.window),
                payload=payload,
            )
            for chunk, payload in zip(draft.chunks, chunk_payloads(draft), strict=True)
        ]


def edge_point(edge: Edge) -> Point:
    """The edge as a point."""
    payload = edge_payload(edge)
    return Point(payload["edge_id"], payload=payload)


def put_edges(store: Points, edges: Mapping[str, Sequence[Point]], known: Iterable[str]) -> None:
    """Make these the edges of each note; `known` are those that may have others stored."""
    store.edges.upsert(point for points in edges.values() for point in points)
    _drop_others(store.edges, known, edges)


def delete_notes(store: Points, note_ids: Sequence[str]) -> None:
    """Delete notes with all they own; their records last, so that a crash repeats it."""
    for page in pages(note_ids):
        store.chunks.delete(In("note_id", page))
        store.edges.delete(In("note_id", page))
        store.notes.delete_ids(page)


def _drop_others(
    collection: Collection, known: Iterable[str], keep: Mapping[str, Sequence[Point]]
) -> None:
    """Delete the points that stored notes own and that are not among `keep`."""
    for page in pages(list(known)):
        kept = {point.id for note_id in page for point in keep[note_id]}
        found = [p.id for p in collection.scan(In("note_id", page), ["note_id"])]
        if left := [point_id for point_id in found if point_id not in kept]:
            collection.delete_ids(left)


def _tell_shortened(drafts: Iterable[Draft], vectors: WindowVectors) -> None:
    """Log the passages that the model could not take whole: their places, never their text."""
    for draft in drafts if vectors.shortened else ():
        for chunk in draft.chunks:
            if chunk.window in vectors.shortened:
                logger.warning(
                    "%s:%d: only the beginning of this passage is embedded, it is too long",
                    draft.note.path,
                    chunk.start_line + 1,
                )


def _windows(draft: Draft) -> list[str]:
    """What is to be embedded of a note."""
    if excluded(draft.note):
        return []
    return [chunk.window for chunk in draft.chunks if embeddable(chunk.window)]


def _stub(draft: Draft) -> Point:
    """A record that says: this note owns points, and is not written to its end."""
    record, note = draft.record, draft.note
    payload = {"note_id": record.note_id, "path": record.path, "title": note.title}
    return Point(record.note_id, payload={**payload, "type": draft.type.name, "hash_signature": ""})


def record_payload(draft: Draft) -> dict[str, Any]:
    """The payload of the note itself, that of its record included."""
    note_id, type_, count = draft.record.note_id, draft.type, len(draft.chunks)
    payload = note_payload(draft.note, draft.text, note_id, type_, count, draft.raw)
    payload["hash_signature"] = draft.record.signature
    payload["derivation"] = draft.record.derivation
    payload["file_hash"] = draft.record.file_hash
    return payload


def chunk_payloads(draft: Draft) -> Iterator[dict[str, Any]]:
    """The payloads of its chunks, in order."""
    for chunk in draft.chunks:
        note_id, count = draft.record.note_id, len(draft.chunks)
        yield chunk_payload(draft.note, chunk, note_id, draft.type, count=count)


def _note_point(draft: Draft, vector: Any) -> Point:
    return Point(draft.record.note_id, vector=vector, payload=record_payload(draft))


def _mean(points: Sequence[Point]) -> Any:
    return mean_vector([point.vector for point in points if point.vector is not None])


def pages(items: Sequence[str]) -> Iterator[list[str]]:
    """`items` in lists that are short enough for one condition."""
    for at in range(0, len(items), PAGE):
        yield list(items[at : at + PAGE])
