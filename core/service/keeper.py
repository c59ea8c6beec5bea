"""The store of one vault in use, and the importer that keeps it in step with the files.

A server may be away, or another machine may be writing: then the keeper says why, and is
opened again later. An embedded store without room for a rebuild answers as it is.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

from core.config.load import Config
from core.embedding.ports import Embedder
from core.embedding.state import expected_store
from core.errors import Cancelled, MindnetError, StoreCorrupt, StoreError, StoreFull, StoreLocked
from core.ingest.allocate import allocate
from core.ingest.hashing import HashOptions
from core.ingest.pipeline import Importer
from core.settings import Settings
from core.smart.allocation import Allocation
from core.store.generation import Generation
from core.store.manifest import Expected, differences
from core.store.opening import open_vault_store, remember_manifest
from core.store.store import Store
from core.vault.index import VaultIndex

logger = logging.getLogger(__name__)

COUNT_PAUSE = 50.0
"""How many times as long as a count took there is none while notes are written."""


class Keeper:
    """Opened by `open`; only the writer calls it, once there is one."""

    def __init__(
        self,
        root: Path,
        folder: Path,
        settings: Settings,
        embedder: Embedder | None,
        config: Config,
        options: HashOptions,
    ) -> None:
        self._root = root
        self._folder = folder
        self._settings = settings
        self._embedder = embedder
        self._options = options
        self._config = config
        self.smart = Allocation(folder)
        """Smart edges: what the importer wants judged, and the verdicts."""
        self._store: Store | None = None
        self._importer: Importer | None = None
        self._last = VaultIndex()
        self.rebuild: Generation | None = None
        """The generation that is being filled, where one is."""
        self.damaged: Generation | None = None
        """The one in which a reader found damage."""
        self.away: MindnetError | None = None
        """Why nothing can be written just now; it is tried again."""
        self.counts = (0, 0, 0)
        """Notes, chunks and edges as they were last counted."""
        self._count_again = 0.0

    @property
    def on_server(self) -> bool:
        """Whether the store is on a server, which may go away and come back."""
        return self._settings.store.mode == "server"

    @property
    def store(self) -> Store:
        """The open store. Raises why there is none."""
        if self._store is None:
            raise self.away or StoreError("the index is closed")
        return self._store

    @property
    def index(self) -> VaultIndex:
        """The links of the vault as the importer last saw it."""
        return self._importer.index if self._importer else self._last

    @property
    def state(self) -> str:
        """What a status says of the store."""
        if self.away is not None and (self._store is None or not self._locked):
            return f"unavailable: {self.away.message}"
        return self.store.report.state

    @property
    def vectors(self) -> bool:
        """Whether the store in use holds vectors of the model that there is now."""
        manifest, wanted = self.store.manifest, self._expected
        return (manifest.model, manifest.dim) == (wanted.model, wanted.dim)

    @property
    def _expected(self) -> Expected:
        """What the store should be built with; a remote model may be another one by now."""
        return expected_store(self._embedder)

    @property
    def _locked(self) -> bool:
        return isinstance(self.away, StoreLocked | StoreFull)

    def open(self) -> Importer:
        """The importer; what is not open yet is opened. Raises `MindnetError`, and keeps it as
        the reason to try again later where that may help."""
        try:
            if self._store is None:
                self._store = open_vault_store(
                    self._root, self._folder, self._settings, self._expected
                )
                remember_manifest(self._folder, self._settings, self._store.manifest)
            if self._importer is None:
                self._importer = self._make()
                self.count()
        except MindnetError as error:
            self.away = error
            if not (self._store and self._locked):
                self.leave()
            raise
        return self._importer

    def begin(self, config: Config) -> Importer:
        """Before a job that writes: the right to write, and an importer that knows what is
        stored, with this configuration."""
        importer = self.open()
        if not self.store.begin_write():
            logger.info("another machine wrote to the index: it is opened anew")
            self.leave()
            importer = self.open()
            self.store.begin_write()
        self.away = None
        target = self.rebuild or self.store.generation
        if reasons := differences(target.manifest, self._expected):
            logger.warning("rebuilding the index: %s", "; ".join(reasons))
            importer = self.begin_rebuild()
        if config is not self._config:
            self._config = config
            importer.configure(config)
        return importer

    def alive(self) -> None:
        """Between two batches: say that the writer is alive."""
        self.store.keep_write()

    def end(self) -> None:
        """All is quiet: make what was written durable, and let other machines write."""
        if self._store is not None:
            self._store.end_write()

    def allocate(self, config: Config, stopped: Callable[[], bool]) -> None:
        """Write the edges of notes that a language model judged, if there are any; what `stopped`
        leaves of them is done at the next call. Raises `MindnetError`."""
        if not self.smart.due:
            return
        due = self.smart.take()
        try:
            allocate(self.begin(config), None if due.survey else due.notes, stopped)
        except MindnetError as error:
            self.smart.again(due)
            if isinstance(error, Cancelled):
                return
            raise
        self.smart.done(due)
        self.count()
        self.end()

    def try_again(self) -> None:
        """See whether the store can be read. Raises `MindnetError` while it cannot."""
        self.open()
        try:
            self.count()
        except StoreError:
            self.leave()  # the collections may have been replaced by another machine's
            self.open()
        self.away = None

    def failed(self, error: MindnetError) -> None:
        """A job failed for a reason that may pass by itself. What was written of it is not
        known on a server: all is compared when that is back."""
        self.away = error
        if self.on_server and not isinstance(error, StoreLocked):
            self.leave()

    def leave(self) -> None:
        """Let the store go as it is; nothing more is written."""
        self._last = self.index
        store, self._store = self._store, None
        self._importer = self.rebuild = None
        if store is not None:
            try:
                store.abandon()
            except StoreError as error:
                logger.info("%s", error.message)

    def begin_rebuild(self) -> Importer:
        """Fill a fresh generation beside the one in use, which answers meanwhile."""
        if (half_done := self.rebuild) is not None:
            self.rebuild = None
            self.store.abandon_rebuild(half_done)
        self.rebuild = self.store.begin_rebuild(self._expected)
        importer = self._importer = self._importer_of(self.rebuild)
        importer.prepare()
        return importer

    def finish(self) -> None:
        """The whole vault is in step with the store: settle it, or swap in the rebuilt one."""
        if self.rebuild is not None:
            self.store.finish_rebuild(self.rebuild)
            self.rebuild = None
            remember_manifest(self._folder, self._settings, self.store.manifest)
        else:
            self.store.mark_synced()

    def count(self) -> None:
        """Count the points of the store in use."""
        began = time.monotonic()
        parts = (self.store.notes, self.store.chunks, self.store.edges)
        notes, chunks, edges = (part.count() for part in parts)
        self.counts = (notes, chunks, edges)
        ended = time.monotonic()
        self._count_again = ended + COUNT_PAUSE * (ended - began)

    def recount(self) -> None:
        """Count while much is written: now and then, as it is work over all points."""
        if time.monotonic() >= self._count_again:
            self.count()

    def close(self, *, compact: bool = False) -> None:
        """Flush and release the store. `compact` reclaims the room of deleted points before
        that where there are many: a minute of one blocked interpreter at worst, so not while
        anybody may ask. Raises `StoreError` where an embedded store cannot be closed."""
        if self._importer is not None:
            self._importer.save()
        try:
            if self.rebuild is not None and self._store is not None:
                self._store.abandon_rebuild(self.rebuild)
            if self._store is not None:
                if compact:
                    self._store.optimize()
                self._store.close()
        except StoreError as error:
            if not self.on_server:
                raise
            logger.warning("%s", error.message)
        finally:
            self.smart.close()

    def _make(self) -> Importer:
        if self.store.report.state == "rebuild":
            logger.warning("rebuilding the index: %s", "; ".join(self.store.report.reasons))
            return self.begin_rebuild()
        importer = self._importer_of(self.store.generation)
        try:
            importer.prepare()
        except StoreCorrupt as error:
            logger.warning("rebuilding the index: %s", error.message)
            return self.begin_rebuild()
        return importer

    def _importer_of(self, generation: Generation) -> Importer:
        return Importer(
            self._root,
            generation,
            self._embedder if self._embedder and self._embedder.dim else None,
            self._config,
            ignore=self._settings.vault.ignore,
            folder=self._folder,
            options=self._options,
            verify=self.store.report.state == "resync",
            smart=self.smart,
        )
