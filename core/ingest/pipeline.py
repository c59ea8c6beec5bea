"""The importer: keeps one store in step with one vault's files, touching only what changed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.api import FailedNote, SyncResult
from core.config.load import Config
from core.errors import MindnetError
from core.ingest.catalog import Catalog, Record
from core.ingest.derivation import Derivation
from core.ingest.hashing import HashOptions
from core.ingest.look import FileReader, Looked
from core.ingest.plan import Plan, plan
from core.ingest.prepare import prepare
from core.ingest.records import excluded
from core.ingest.refresh import fitting_vectors, note_seen
from core.ingest.relink import Linker
from core.ingest.tally import OnProgress, Run, Tally
from core.ingest.verify import repair
from core.ingest.write import Draft, NoteWriter, Points, delete_notes, pages
from core.vault.gcpause import collection_paused
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from core.embedding.ports import Embedder
    from core.smart.allocation import Allocation

logger = logging.getLogger(__name__)

BATCH_NOTES = 32
BATCH_CHUNKS = 64
BATCH_CHARS = 200_000
"""A batch of notes to embed and write ends at whichever of these it reaches first: small
enough that stopping a sync between two batches takes no second."""
FLUSH_BYTES = 96_000_000
"""Written bytes after which a long import makes them durable."""
GROWTH = 25
"""How many times the bytes of its notes a store takes on the disk: measured 20 to 23."""


class Importer:
    """Brings a store in step with the files of a vault. One sync at a time; blocks.

    `store` is a store, or a fresh generation of one that is being rebuilt. `folder` is
    where to keep what was seen of the files between starts, None for nowhere. `verify`
    compares every note's points with its record at the first sync: after a crash.
    """

    def __init__(
        self,
        root: Path,
        store: Points,
        embedder: Embedder | None,
        config: Config,
        *,
        ignore: Sequence[str] = (),
        folder: Path | None = None,
        options: HashOptions | None = None,
        verify: bool = False,
        smart: Allocation | None = None,
    ) -> None:
        self.index = VaultIndex()
        """The links of all files as they were last looked at; empty before the first sync."""
        self._store = store
        self._config = config
        self._reader = FileReader(root, options or HashOptions(), ignore, folder)
        self._writer = NoteWriter(store, embedder)
        self._model = embedder.model if embedder else ""
        self._derivation = Derivation(config, self._model)
        self._smart = smart
        self.linker = Linker(store, config, smart)
        self._catalog: Catalog | None = None
        self._verify = verify

    def sync(
        self,
        paths: Sequence[str] | None = None,
        *,
        full: bool = False,
        dry_run: bool = False,
        on_progress: OnProgress | None = None,
        cancelled: Callable[[], bool] | None = None,
        tally: Tally | None = None,
    ) -> SyncResult:
        """Write what changed and delete what has no file; `paths` of None is the whole vault.
        `dry_run` only counts what would be written and deleted.

        A note that cannot be read, embedded or stored is reported and keeps its old state;
        the others go on. Raises `StoreFull` before anything is written where new notes would
        not fit on the disk, `Cancelled` between two batches when `cancelled` says so
        and `StoreError` where the store itself fails; the next whole sync goes on from
        there. So a long sync can be stopped for a short one and taken up again, with the
        `tally` of what it had done.
        """
        run = Run(on_progress, cancelled, tally or Tally())
        if self._catalog is None:
            paths = None
        catalog = self.prepare()
        looked = Looked()
        try:
            stored = (record.path for record in catalog)
            with collection_paused():
                self._reader.look(paths, self.index.notes, stored, run.reading, looked)
        finally:
            # also what was read before somebody stopped it
            self.index = self.index.update(looked.changed.values(), looked.gone)
        run.failed.update(looked.failed)
        todo = plan(
            self._wanted(paths, looked, catalog, run),
            catalog,
            looked.gone,
            full=full,
            written=run.tally.written,
        )
        if dry_run:
            run.tally.changed, run.tally.deleted = len(todo.write), len(todo.delete)
            return self._result(run)
        fresh = (record.path for record in todo.write if record.note_id not in catalog)
        self._store.require(GROWTH * sum(self._reader.seen[path].size for path in fresh))
        self.linker.follow(self.index, catalog, todo, everywhere=self._verify)
        self._verify = False
        self._write(todo, looked, catalog, run)
        self._refresh(todo, looked, catalog, run)
        self._delete(todo, catalog, run)
        if paths is None:
            self.save()
        return self._result(run)

    def save(self) -> None:
        """Keep what was seen of the files for the next start: before closing. A whole sync
        that comes to its end does it itself."""
        self._reader.save(self.index)

    def configure(self, config: Config) -> None:
        """Take a changed configuration; the next whole sync writes the notes that it concerns."""
        self._config = config
        self._derivation = Derivation(config, self._model)
        self.linker = Linker(self._store, config, self._smart)

    def prepare(self) -> Catalog:
        """Load what the store and an earlier process know, once; no note is read. Makes
        `index` useful before the first sync."""
        if self._catalog is not None:
            return self._catalog
        catalog = Catalog.load(self._store.notes)
        if self._verify:
            repair(self._store, catalog)
        self.index = self._reader.restore()
        self._catalog = catalog
        return catalog

    def _wanted(
        self, paths: Sequence[str] | None, looked: Looked, catalog: Catalog, run: Run
    ) -> Iterator[Record]:
        """The records that the looked-at notes should have."""
        index = self.index
        if paths is None:
            scope = set(index.paths)
        else:
            scope = {path for path in paths if index.get(path)}
            # an id that several notes claim may have gone over to another of them
            claimed = {note_id for path in (*scope, *looked.gone) for note_id in catalog.at(path)}
            claimed |= {note.note_id or "" for p in scope if (note := index.get(p))}
            owners = {path for note_id in claimed if (path := index.path_of(note_id))}
            scope |= owners.union(*(index.duplicates(path) for path in owners))
        for path in scope:
            seen = self._reader.seen.get(path)
            if seen is None:
                continue
            note = index.notes[path]
            derivation = self._derivation.of(
                self._config.types.effective(note), excluded=excluded(note)
            )
            note_id = index.note_id(path)
            owner = index.path_of(note_id)
            if owner != path:
                # two Unicode forms of one name, or an id made up to be another's derived one
                run.failed[path] = f"has the same id as {owner}"
                continue
            yield Record(note_id, path, seen.signature, derivation, seen.file_hash)

    def _write(self, todo: Plan, looked: Looked, catalog: Catalog, run: Run) -> None:
        batch: list[Draft] = []
        size = chunks = 0
        for done, record in enumerate(todo.write):
            draft = self._draft(record, todo, looked, run)
            if draft is not None:
                batch.append(draft)
                size += len(draft.text)
                chunks += len(draft.chunks)
            if len(batch) >= BATCH_NOTES or chunks >= BATCH_CHUNKS or size >= BATCH_CHARS:
                self._put(batch, catalog, run)
                batch, size, chunks = [], 0, 0
                run.step("write", done + 1, len(todo.write))
                if run.model_is_away:
                    for left in todo.write[done + 1 :]:
                        run.failed[left.path] = run.model_is_away
                    break
        if batch:
            self._put(batch, catalog, run)
        run.step("write", len(todo.write), len(todo.write))

    def _draft(self, record: Record, todo: Plan, looked: Looked, run: Run) -> Draft | None:
        path = record.path
        note = self.index.notes[path]
        try:
            content = looked.contents.pop(path, None)
            if content is None:
                content = self._reader.read_again(path, note)
                if content is None:
                    self._reader.forget(path)
                    run.failed[path] = "changed while the vault was read; the next sync takes it"
                    return None
            reuse = todo.reuse.get(path, ())
            return prepare(record, content, self.index, self._config, self.linker, reuse)
        except MindnetError as error:
            run.failed[path] = error.message
        except Exception as error:  # one note must not take the others down
            logger.exception("%s could not be prepared", path)
            run.failed[path] = f"could not be prepared ({type(error).__name__})"
        return None

    def _refresh(self, todo: Plan, looked: Looked, catalog: Catalog, run: Run) -> None:
        """Store texts and lines of notes whose file differs in its bytes alone, which is no
        change: nothing is embedded for it."""
        for done, record in enumerate(todo.refresh):
            run.step("refresh", done, len(todo.refresh))
            draft = self._draft(record, todo, looked, run)
            if draft is None:
                continue
            vectors = fitting_vectors(self._store, draft)
            if vectors is None:
                note_seen(self._store, record)
                catalog.put(record)
                continue
            self._writer.lend(vectors)
            if not self._writer.write([draft], catalog, run.pause).failed:
                catalog.put(record)

    def _put(self, batch: Sequence[Draft], catalog: Catalog, run: Run) -> None:
        with collection_paused():  # none of the points and payloads is in a cycle
            written = self._writer.write(batch, catalog, run.pause)
        for draft in batch:
            if draft.note.path in written.paths:
                catalog.put(draft.record)
                run.tally.written.add(draft.record.note_id)
        run.tally.changed += len(written.paths)
        run.tally.embedded += written.embedded
        run.failed.update(written.failed)
        if written.model_is_away:
            run.model_is_away = written.model_is_away
        for collection in (self._store.notes, self._store.chunks, self._store.edges):
            if collection.pending_bytes > FLUSH_BYTES:
                collection.flush()

    def _delete(self, todo: Plan, catalog: Catalog, run: Run) -> None:
        # the vectors of a moved note stay until the note is stored under its new name
        needed = {n for path in run.failed for n in todo.reuse.get(path, ())}
        delete = [note_id for note_id in todo.delete if note_id not in needed]
        done = 0
        for page in pages(delete):
            run.step("delete", done, len(delete))
            delete_notes(self._store, page)
            if self._smart is not None:
                self._smart.forget(page)
            for note_id in page:
                catalog.drop(note_id)
            done += len(page)
            run.tally.deleted += len(page)

    def _result(self, run: Run) -> SyncResult:
        store = self._store
        return SyncResult(
            notes=store.notes.count(),
            chunks=store.chunks.count(),
            edges=store.edges.count(),
            changed=run.tally.changed,
            deleted=run.tally.deleted,
            embedded=run.tally.embedded,
            failed=[FailedNote(path=p, reason=run.failed[p]) for p in sorted(run.failed)],
            took_ms=round((time.perf_counter() - run.tally.started) * 1000, 1),
        )
