"""The vault's core as a command sees it: the one that runs, else the same code in this process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.api import (
    AnalyzeRequest,
    AnalyzeResponse,
    Health,
    IndexState,
    QueryRequest,
    QueryResponse,
    Status,
    SyncProgress,
    SyncRequest,
    SyncResult,
)
from core.cli.common import user_locale
from core.cli.progress import OnProgress
from core.errors import CoreUnavailable
from core.graph.shapes import GraphRequest, GraphResponse
from core.paths import vault_data_dir
from core.settings import Settings, read_settings
from core.suggest.shapes import (
    DismissedResponse,
    DismissRequest,
    RelatedRequest,
    RelatedResponse,
)

if TYPE_CHECKING:
    from core.chat.shapes import ChatRequest, ChatResult
    from core.feedback.shapes import FeedbackRequest
    from core.service.engine import Engine

LOCK_PATIENCE = 3.0
"""Seconds to wait for a core that is just ending."""


class Core(Protocol):
    """What commands ask of a core. Every method blocks and raises `MindnetError`."""

    def query(self, request: QueryRequest) -> QueryResponse:
        """Search."""

    def sync(self, request: SyncRequest, on_progress: OnProgress) -> SyncResult:
        """Bring the index in step with the files; an interrupt stops it between two batches."""

    def status(self) -> Status:
        """What is indexed and which parts are there."""

    def graph(self, request: GraphRequest) -> GraphResponse:
        """The notes around one."""

    def chat(self, request: ChatRequest, tell: Callable[[dict[str, Any]], None]) -> ChatResult:
        """Answer a message; `tell` is given every line of the answer."""

    def analyze(self, request: AnalyzeRequest) -> AnalyzeResponse:
        """Suggested edges."""

    def related(self, request: RelatedRequest) -> RelatedResponse:
        """Related notes."""

    def dismiss(self, request: DismissRequest, *, restore: bool = False) -> DismissedResponse:
        """Dismiss a suggestion, or restore it; what is dismissed for the note then."""

    def dismissed(self, path: str | None) -> DismissedResponse:
        """What is dismissed, for a note or in the vault."""


@contextmanager
def open_core(root: Path, tree: dict[str, Any], settings: Settings) -> Iterator[Core]:
    """The core of the vault at `root`. `tree` are the settings before validation, for a
    core that runs. Raises `StoreLocked`, for a core with other settings as well, and
    `StoreError`."""
    folder = vault_data_dir(root)
    if (remote := running_core(root, tree)) is not None:
        yield remote
        return
    from core.embedding.make import make_embedder
    from core.service.engine import Engine
    from core.service.lifecycle import vault_lock

    with vault_lock(folder, LOCK_PATIENCE):
        engine = Engine(root, folder, settings, make_embedder(settings, root, folder), os.environ)
        try:
            yield _Local(engine)
        finally:
            engine.close()


def running_core(
    root: Path, tree: dict[str, Any], *, any_settings: bool = False
) -> RunningCore | None:
    """The core that serves the vault just now, None if there is none. Raises `OtherSettings`
    where it keeps another index than the settings name, unless that does not matter."""
    from core.service.endpoint import read_endpoint

    if read_endpoint(vault_data_dir(root)) is None:
        return None
    remote = RunningCore(root, tree)
    try:
        health = remote.health()
    except CoreUnavailable:
        return None  # the file is left over from a core that was killed
    if not any_settings:
        from core.service.agreement import require_agreement

        settings, _ = read_settings(tree)
        require_agreement(settings, health, user_locale(settings))
    return remote


class RunningCore:
    """`Core` over HTTP."""

    def __init__(self, root: Path, tree: dict[str, Any]) -> None:
        self._root, self._tree = root, tree

    def health(self) -> Health:
        """Who answers, and with which settings."""
        return Health.model_validate(self._call("GET", "/health"))

    def query(self, request: QueryRequest) -> QueryResponse:
        return QueryResponse.model_validate(self._call("POST", "/query", request.model_dump()))

    def status(self) -> Status:
        return Status.model_validate(self._call("GET", "/status"))

    def graph(self, request: GraphRequest) -> GraphResponse:
        return GraphResponse.model_validate(self._call("POST", "/graph", request.model_dump()))

    def feedback(self, request: FeedbackRequest) -> None:
        """Keep a rating."""
        self._call("POST", "/feedback", request.model_dump())

    def analyze(self, request: AnalyzeRequest) -> AnalyzeResponse:
        found = self._call("POST", "/ingest/analyze", request.model_dump())
        return AnalyzeResponse.model_validate(found)

    def related(self, request: RelatedRequest) -> RelatedResponse:
        return RelatedResponse.model_validate(self._call("POST", "/related", request.model_dump()))

    def dismiss(self, request: DismissRequest, *, restore: bool = False) -> DismissedResponse:
        name = "restore" if restore else "dismiss"
        found = self._call("POST", f"/suggest/{name}", request.model_dump())
        return DismissedResponse.model_validate(found)

    def dismissed(self, path: str | None) -> DismissedResponse:
        found = self._call("POST", "/suggest/dismissed", {"path": path})
        return DismissedResponse.model_validate(found)

    def chat(self, request: ChatRequest, tell: Callable[[dict[str, Any]], None]) -> ChatResult:
        from core.chat.shapes import ChatResult

        return ChatResult.model_validate(self.stream("/chat", request.model_dump(), tell))

    def sync(self, request: SyncRequest, on_progress: OnProgress) -> SyncResult:
        def tell(line: dict[str, Any]) -> None:
            if line["kind"] == "progress":
                on_progress(SyncProgress.model_validate(line))

        return SyncResult.model_validate(self.stream("/index/sync", request.model_dump(), tell))

    def stream(
        self, path: str, body: dict[str, Any], tell: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        """Pass each line of an NDJSON answer to `tell`; returns the last. Raises `MindnetError`."""
        from core.service.client import CoreClient

        async def run() -> dict[str, Any]:
            client = CoreClient(self._root, self._tree, start=False)
            line: dict[str, Any] = {}
            try:
                async for line in client.stream(path, body):
                    tell(line)
            finally:
                await client.aclose()
            return line

        return asyncio.run(run())

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        from core.service.client import CoreClient

        async def run() -> Any:
            client = CoreClient(self._root, self._tree, start=False)
            try:
                return await client.call(method, path, body)
            finally:
                await client.aclose()

        return asyncio.run(run())


class _Local:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def query(self, request: QueryRequest) -> QueryResponse:
        from core.service.asking import ask

        return ask(self._engine, request)

    def status(self) -> Status:
        found = self._engine.status()
        if found.index.state == "starting" and found.store.state == "ready":
            # nothing is going to start here: the index is as the last import left it
            return found.model_copy(update={"index": IndexState(state="ready")})
        return found

    def graph(self, request: GraphRequest) -> GraphResponse:
        return self._engine.graph(lambda graph: graph.expand(request))

    def analyze(self, request: AnalyzeRequest) -> AnalyzeResponse:
        return self._engine.analyze(request)

    def related(self, request: RelatedRequest) -> RelatedResponse:
        return self._engine.discover(lambda one, vectors: one.related(request, vectors=vectors))

    def dismiss(self, request: DismissRequest, *, restore: bool = False) -> DismissedResponse:
        from core.service.suggesting import dismissed, restored

        return (restored if restore else dismissed)(self._engine, request)

    def dismissed(self, path: str | None) -> DismissedResponse:
        from core.service.suggesting import all_dismissed

        return all_dismissed(self._engine, path)

    def chat(self, request: ChatRequest, tell: Callable[[dict[str, Any]], None]) -> ChatResult:
        from core.talk.alone import answer

        return answer(self._engine, request, tell)

    def sync(self, request: SyncRequest, on_progress: OnProgress) -> SyncResult:
        from core.service.jobs import Job, sync_paths

        paths = None if request.paths is None else sync_paths(request.paths)
        job = Job(paths, request.full, request.dry_run, on_progress)
        self._engine.submit(job)
        try:
            return job.result.result()
        except KeyboardInterrupt:
            job.cancelled.set()
            raise
