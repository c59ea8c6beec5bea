"""One open vault: its store, its importer, its searcher, and the one thread that writes.

Reading happens in any thread. Writing happens in one worker thread, which takes saved
notes before the rest of a long import: that is stopped between two batches and goes on
behind them, which costs only a look at the files.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from core.api import (
    AnalyzeRequest,
    AnalyzeResponse,
    EmbeddingState,
    IndexState,
    LlmState,
    QueryRequest,
    QueryResponse,
    Status,
    StoreState,
    SyncProgress,
    SyncResult,
)
from core.chunking.profiles import CHUNKING_VERSION
from core.config.load import Config, load_config
from core.embedding.ports import Embedder
from core.errors import Cancelled, MindnetError, StoreCorrupt
from core.ingest.pipeline import Importer
from core.retrieval.discover import Discoverer
from core.retrieval.search import Searcher
from core.settings import Settings
from core.store.generation import Generation
from core.store.manifest import Expected
from core.store.store import Store, open_store
from core.vault.index import VaultIndex
from core.version import __version__

logger = logging.getLogger(__name__)

MAX_REBUILDS = 2
"""Rebuilds of damaged files in one process; more would not help."""
IDLE_FLUSH_SECONDS = 2.0
"""Quiet time after which what was written is made durable."""


@dataclass
class Job:
    """A sync that was asked for. `paths` of None is the whole vault."""

    paths: tuple[str, ...] | None
    full: bool = False
    dry_run: bool = False
    on_progress: Callable[[SyncProgress], None] | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    result: Future[SyncResult] = field(default_factory=Future)


class Engine:
    """Opens the store of the vault at `root` in `folder` and starts the worker.

    Raises `StoreLocked` if another process has the store, and `StoreError`.
    """

    def __init__(
        self,
        root: Path,
        folder: Path,
        settings: Settings,
        embedder: Embedder | None,
        environ: dict[str, str] | None = None,
    ) -> None:
        self.root = root
        self.settings = settings
        self._environ = environ or {}
        self._folder = folder
        self._embedder = embedder
        self._config: Config = load_config(root, self._environ)
        self._expected = Expected(
            model=embedder.model if embedder else "",
            dim=embedder.dim if embedder else None,
            chunking_version=CHUNKING_VERSION,
        )
        self._store: Store = open_store(folder / "store", settings.prefix, self._expected)
        self._rebuild: Generation | None = None
        self._rebuilds = 0
        if self._store.report.state == "rebuild":
            logger.warning("rebuilding the index: %s", "; ".join(self._store.report.reasons))
            self._rebuild = self._store.begin_rebuild(self._expected)
        self._importer = self._make_importer()
        self._importer.prepare()
        self._searcher = Searcher(
            lambda: self._store.generation, lambda: self.index, embedder, lambda: self._config
        )
        self._discoverer = Discoverer(
            root, lambda: self._store.generation, lambda: self.index, embedder, lambda: self._config
        )
        self._counts = (0, 0, 0)
        self._count()
        self._state = IndexState(state="starting")
        self._urgent: deque[Job] = deque()
        self._whole: deque[Job] = deque()
        self._wake = threading.Condition()
        self._closing = False
        self.on_change: Callable[[], None] = lambda: None
        """Called, from any thread, when the status changed."""
        self._worker = threading.Thread(target=self._work, name="mindnet-writer", daemon=True)
        self._worker.start()

    @property
    def index(self) -> VaultIndex:
        """The links of the vault as the importer last saw it."""
        return self._importer.index

    def submit(self, job: Job) -> Job:
        """Queue a sync; its `result` fails with `Cancelled` when nobody wants it any more."""
        with self._wake:
            (self._whole if job.paths is None else self._urgent).append(job)
            self._wake.notify()
        self.on_change()
        return job

    def query(self, request: QueryRequest) -> QueryResponse:
        """Search; see `Searcher.query`."""
        return self._searcher.query(request, vectors=self._store.report.vectors)

    def analyze(self, request: AnalyzeRequest) -> AnalyzeResponse:
        """Suggest edges; see `Discoverer.suggest`."""
        return self._discoverer.suggest(request, vectors=self._store.report.vectors)

    def status(self) -> Status:
        """What is indexed and which parts are there; cheap."""
        notes, chunks, edges = self._counts
        return Status(
            version=__version__,
            vault=str(self.root),
            notes=notes,
            chunks=chunks,
            edges=edges,
            unresolved=self.index.counts.unresolved,
            index=self._state,
            store=StoreState(mode="embedded", state=self._store.report.state),
            embedding=self._embedding_state(),
            llm=LlmState(model=self.settings.llm.model, state="unavailable"),
        )

    def reload_config(self) -> None:
        """Read the vault's YAML files again and write the notes that they concern."""
        self._config = load_config(self.root, self._environ)
        self._importer.configure(self._config)
        self.submit(Job(None))

    def close(self) -> None:
        """Stop the worker after its current batch, flush and release the store."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._worker.join()
        self._importer.save()
        if self._rebuild is not None:
            self._store.abandon_rebuild(self._rebuild)
        self._store.close()

    def _make_importer(self) -> Importer:
        return Importer(
            self.root,
            self._rebuild or self._store.generation,
            self._embedder,
            self._config,
            ignore=self.settings.vault.ignore,
            folder=self._folder,
            verify=self._store.report.state == "resync",
        )

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._run(job)

    def _next(self) -> Job | None:
        """The next job; makes the store durable when nothing came for a while."""
        with self._wake:
            while not self._closing:
                if self._urgent:
                    return self._urgent.popleft()
                if self._whole:
                    return self._whole.popleft()
                if not self._wake.wait(IDLE_FLUSH_SECONDS):
                    self._flush()
                    self._wake.wait_for(lambda: self._closing or self._urgent or self._whole)
            return None

    def _flush(self) -> None:
        try:
            self._store.generation.flush()
        except MindnetError as error:
            logger.error("%s", error.message)

    def _begin_rebuild(self) -> None:
        """Fill a fresh generation beside the one in use, which answers meanwhile."""
        self._rebuild = self._store.begin_rebuild(self._expected)
        self._importer = self._make_importer()
        self._importer.prepare()

    def _run(self, job: Job) -> None:
        if job.cancelled.is_set():
            job.result.set_exception(Cancelled("the import was cancelled"))
            return

        def progress(step: SyncProgress) -> None:
            self._set(IndexState(state="indexing", pending=step.total - step.done))
            if job.on_progress is not None:
                job.on_progress(step)

        def stop() -> bool:
            preempted = job.paths is None and bool(self._urgent)
            return self._closing or job.cancelled.is_set() or preempted

        self._set(IndexState(state="indexing"))
        try:
            result = self._importer.sync(
                job.paths,
                full=job.full,
                dry_run=job.dry_run,
                on_progress=progress,
                cancelled=stop,
            )
        except Cancelled as error:
            if self._urgent and not (self._closing or job.cancelled.is_set()):
                self._whole.appendleft(job)
                return
            self._set(IndexState(state="ready"))
            job.result.set_exception(error)
        except StoreCorrupt as error:
            logger.error("rebuilding the index: %s", error.message)
            if self._rebuild is not None:
                self._store.abandon_rebuild(self._rebuild)
            self._rebuilds += 1
            if self._rebuilds <= MAX_REBUILDS:
                self._begin_rebuild()
                self.submit(Job(None))
            self._set(IndexState(state="error", last_error=error.message))
            job.result.set_exception(error)
        except MindnetError as error:
            self._set(IndexState(state="error", last_error=error.message))
            job.result.set_exception(error)
        except Exception as error:
            logger.exception("the import failed")
            self._set(IndexState(state="error", last_error=type(error).__name__))
            job.result.set_exception(error)
        else:
            if job.paths is None and not job.dry_run:
                self._finish()
            self._count()
            left = len(self._whole)
            self._set(IndexState(state="indexing" if left else "ready", pending=left))
            job.result.set_result(result)

    def _finish(self) -> None:
        """The whole vault is in step with the store: settle it, or swap in the rebuilt one."""
        if self._rebuild is not None:
            self._store.finish_rebuild(self._rebuild)
            self._rebuild = None
        else:
            self._store.mark_synced()

    def _count(self) -> None:
        store = self._store
        self._counts = (store.notes.count(), store.chunks.count(), store.edges.count())

    def _set(self, state: IndexState) -> None:
        if state != self._state:
            self._state = state
            self.on_change()

    def _embedding_state(self) -> EmbeddingState:
        one = self._embedder
        if one is None:
            return EmbeddingState(provider="none", model="", dim=0, state="off")
        return EmbeddingState(provider="bundled", model=one.model, dim=one.dim, state=one.state)


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder that the settings ask for, None for searching by words alone."""
    from core.embedding.bundled import BundledEmbedder

    match settings.embedding.provider:
        case "auto" | "bundled":
            return BundledEmbedder()
        case "none":
            return None
        case "ollama":
            logger.warning("embedding.provider: ollama is not supported yet; searching by words")
            return None


def sync_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """Vault paths of a request, each once and in order."""
    return tuple(dict.fromkeys(path.replace("\\", "/").strip("/") for path in paths))
