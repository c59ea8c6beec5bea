"""One open vault: its store, its importer, its searcher, and the one thread that writes.

Reading happens in any thread. Writing happens in one worker thread, which takes saved
notes before the rest of a long import: that is stopped between two batches and goes on
behind them, which costs only a look at the files.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from core.api import (
    AnalyzeRequest,
    AnalyzeResponse,
    IndexState,
    QueryRequest,
    QueryResponse,
    Status,
    StoreState,
    SyncProgress,
)
from core.config.load import Config, ConfigFiles
from core.embedding.ports import Embedder
from core.embedding.state import embedding_state
from core.errors import (
    Cancelled,
    MindnetError,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreUnavailable,
)
from core.feedback.history import History
from core.graph.service import GraphService
from core.ingest.hashing import hash_options
from core.llm.local import LocalModel
from core.retrieval.discover import Discoverer
from core.retrieval.search import Searcher
from core.service.comeback import Comeback
from core.service.jobs import Job, Jobs
from core.service.keeper import Keeper
from core.service.messages import not_indexed
from core.service.rest import Rest
from core.settings import Settings
from core.store.store import Store
from core.vault.index import VaultIndex
from core.version import __version__

logger = logging.getLogger(__name__)

T = TypeVar("T")

MAX_REBUILDS = 2
"""Rebuilds of damaged files in one process; more would not help."""
IDLE_FLUSH_SECONDS = 2.0
"""Quiet time after which what was written is made durable."""
RETRY_SECONDS = 5.0
"""Pause between two looks at a server that is away, or that another machine writes to."""


class Engine:
    """Opens the store of the vault at `root` in `folder` and starts the worker.

    `embedder` of None searches by words alone. `environ` says where the user's own
    configuration lies. Raises `StoreLocked` if another process has the store, and
    `StoreError`.
    """

    def __init__(
        self,
        root: Path,
        folder: Path,
        settings: Settings,
        embedder: Embedder | None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.root = root
        self.settings = settings
        environ = dict(environ or {})
        self.options = hash_options(environ)
        self._embedder = embedder
        self._files = ConfigFiles(root, environ)
        self.config: Config = self._files.read()
        self._rebuilds = 0
        self._keeper = Keeper(root, folder, settings, embedder, self.config, self.options)
        try:
            self._keeper.open()
        except StoreFull as error:  # it answers as it is
            logger.error("%s", error.message)
        except MindnetError as error:
            if not self._keeper.on_server:
                raise
            logger.warning("%s", error.message)
        parts = (lambda: self.store.generation, lambda: self.index, embedder, lambda: self.config)
        self._searcher = Searcher(*parts)
        self._discoverer = Discoverer(root, *parts, folder=folder)
        self._graph = GraphService(lambda: self.store.edges, parts[1], parts[3])
        self._state = IndexState(state="starting")
        self.history = History(folder, enabled=settings.history.enabled)
        self._rest = Rest()
        self.llm = LocalModel(settings.llm)
        """The language model that the settings name."""
        self._comeback = Comeback(embedder, self.llm.traffic)
        self.compact_at_close = False
        """Whether closing may take the time to reclaim the room of deleted points."""
        self._jobs = Jobs()
        self.smart = self._keeper.smart
        self.smart.on_judged = self._jobs.nudge
        self._worker = threading.Thread(target=self._work, name="mindnet-writer", daemon=True)
        self._worker.start()

    @property
    def store(self) -> Store:
        """The open store. Raises `StoreUnavailable` while a server is away."""
        return self._keeper.store

    @property
    def index(self) -> VaultIndex:
        """The links of the vault as the importer last saw it."""
        return self._keeper.index

    def submit(self, job: Job) -> Job:
        """Queue a sync; its `result` fails with `Cancelled` when it was stopped for good."""
        self._jobs.put(job)
        return job

    def query(self, request: QueryRequest) -> QueryResponse:
        """Search; see `Searcher.query`. Raises `NotIndexed` before there is anything."""
        if self._state.state != "ready" and not self.store.notes.count():
            raise not_indexed(request.locale)
        keeper, search = self._keeper, self._searcher
        return self._read(lambda: search.query(request, vectors=keeper.vectors))

    def analyze(self, request: AnalyzeRequest) -> AnalyzeResponse:
        """Suggest edges; see `Discoverer.suggest`."""
        return self.discover(lambda one, vectors: one.suggest(request, vectors=vectors))

    def discover(self, ask: Callable[[Discoverer, bool], T]) -> T:
        """What the discoverer answers; `ask` is told as well whether there are vectors."""
        return self._read(lambda: ask(self._discoverer, self._keeper.vectors))

    def graph(self, ask: Callable[[GraphService], T]) -> T:
        """What the graph service answers."""
        return self._read(lambda: ask(self._graph))

    def status(self) -> Status:
        """What is indexed and which parts are there; cheap."""
        notes, chunks, edges = self._keeper.counts
        return Status(
            version=__version__,
            vault=str(self.root),
            notes=notes,
            chunks=chunks,
            edges=edges,
            unresolved=self.index.counts.unresolved,
            index=self._state,
            store=StoreState(mode=self.settings.store.mode, state=self._keeper.state),
            embedding=embedding_state(self._embedder),
            llm=(llm := self.llm.status),
            smart_edges=self.smart.state(llm.state),
        )

    @property
    def busy(self) -> bool:
        """Whether the index is being written, or was not looked at yet."""
        return self._state.state in ("starting", "indexing")

    def reload_config(self) -> Job:
        """Read the vault's YAML files again and write the notes that they concern."""
        self.config = self._files.read()
        return self.submit(Job(None))

    def close(self) -> None:
        """Stop the worker after its current batch, flush and release the store."""
        self._jobs.close()
        self._comeback.close()
        self._worker.join()
        self._keeper.close(compact=self.compact_at_close)

    def _read(self, call: Callable[[], T]) -> T:
        """Call a reader; once more if the generation that it read was replaced meanwhile.
        A damaged one is rebuilt, for the next; a server that is away is looked after."""
        generation = self.store.generation
        try:
            return call()
        except StoreError as error:
            if self.store.generation is not generation:
                return call()
            if isinstance(error, StoreCorrupt) and self._keeper.damaged is not generation:
                self._keeper.damaged = generation
                self.submit(Job(None))
            if isinstance(error, StoreUnavailable):
                self._keeper.away = error
                self._jobs.nudge()
            raise
        finally:
            if self._comeback.awaited:
                self._jobs.nudge()

    def _work(self) -> None:
        while (job := self._jobs.take(IDLE_FLUSH_SECONDS, self._quiet)) is not None:
            try:
                self._run(job)
            except Exception as error:  # the one writer must not die
                if not isinstance(error, MindnetError):
                    logger.exception("the import failed")
                message = error.message if isinstance(error, MindnetError) else type(error).__name__
                self._state = IndexState(state="error", last_error=message)
                if isinstance(error, StoreUnavailable | StoreLocked | StoreFull):
                    self._keeper.failed(error)
                job.result.set_exception(error)

    def _quiet(self) -> float | None:
        """Nothing is to be done for a while: seconds until this wants to be called again."""
        try:
            if self._keeper.away is not None:
                self._keeper.try_again()
                self.submit(Job(None))  # with what was missed
            else:
                self._keeper.end()
                if self._state.state == "ready":
                    self._keeper.allocate(self.config, lambda: self._jobs.pressing)
        except MindnetError as error:
            logger.log(logging.INFO if self._keeper.away else logging.ERROR, "%s", error.message)
            return RETRY_SECONDS if self._keeper.away else None
        if self._comeback.look():
            self.submit(Job(None))
        waits = (self._rest.next(), self._comeback.wait())
        return min((wait for wait in waits if wait is not None), default=None)

    def _run(self, job: Job) -> None:
        def progress(step: SyncProgress) -> None:
            # while files are looked at, nobody knows how many of them are to be written
            pending = step.total - step.done if step.phase == "write" else step.total
            self._state = IndexState(state="indexing", pending=pending)
            if step.phase == "write":
                self._keeper.recount()
            if job.on_progress is not None:
                job.on_progress(step)

        def stop() -> bool:
            if not job.dry_run:
                self._keeper.alive()
            preempted = job.is_whole and self._jobs.urgent
            return self._jobs.closing or job.cancelled.is_set() or preempted

        self._rest.disturbed()
        self._state = IndexState(state="indexing", pending=self._state.pending)
        try:
            if job.cancelled.is_set():
                raise Cancelled("the import was cancelled")
            if job.is_whole and self._files.changed():
                self.config = self._files.read()
            importer = self._keeper.open() if job.dry_run else self._keeper.begin(self.config)
            if self._keeper.damaged is self.store.generation and self._keeper.rebuild is None:
                raise StoreCorrupt("the index is damaged")
            result = importer.sync(
                job.paths,
                full=job.full,
                dry_run=job.dry_run,
                on_progress=progress,
                cancelled=stop,
                tally=job.tally,
            )
            if job.is_whole and not job.dry_run:
                self._keeper.finish()
        except Cancelled as error:
            self._keeper.count()
            if self._jobs.closing or job.cancelled.is_set():
                self._settle(job)
                job.result.set_exception(error)
            else:
                self._jobs.put(job, first=True)
        except StoreCorrupt as error:
            self._rebuilds += 1
            if self._rebuilds > MAX_REBUILDS:
                raise
            logger.error("rebuilding the index: %s", error.message)
            self._keeper.begin_rebuild()
            self._jobs.put(job, first=True)
            if not (job.is_whole or self._jobs.whole):
                self._jobs.put(Job(None))
        else:
            self._keeper.count()
            self._comeback.noted(result)
            self._settle(job)
            job.result.set_result(result)

    def _settle(self, job: Job) -> None:
        """Say that all is done, unless something waits; a rebuild has to come to its end."""
        if self._keeper.rebuild is not None and not (self._jobs.whole or job.dry_run):
            self._jobs.put(Job(None))
        if not self._jobs.whole:
            self._state = IndexState(state="ready")
