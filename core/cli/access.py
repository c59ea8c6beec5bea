"""The vault's core as a command sees it: the one that runs, else the same code in this process."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from core.api import QueryRequest, QueryResponse, Status, SyncProgress, SyncRequest, SyncResult
from core.errors import Cancelled, CoreUnavailable, NotIndexed
from core.paths import ensure_private, vault_data_dir
from core.service.client import CoreClient
from core.service.endpoint import read_endpoint
from core.service.engine import Engine, Job, make_embedder, sync_paths
from core.service.lifecycle import vault_lock
from core.settings import Settings

OnProgress = Callable[[SyncProgress], None]


class Core(Protocol):
    """What commands ask of a core. Every method blocks and raises `MindnetError`."""

    def query(self, request: QueryRequest) -> QueryResponse: ...
    def sync(self, request: SyncRequest, on_progress: OnProgress) -> SyncResult: ...
    def status(self) -> Status: ...


@contextmanager
def open_core(root: Path, tree: dict[str, Any], settings: Settings) -> Iterator[Core]:
    """The core of the vault at `root`. Raises `StoreLocked` and `StoreError`."""
    folder = vault_data_dir(root)
    if read_endpoint(folder) is not None:
        remote = _Remote(root, tree)
        try:
            remote.status()
        except CoreUnavailable:
            pass  # the file is left over from a core that was killed
        else:
            yield remote
            return
    with vault_lock(ensure_private(folder)):
        engine = Engine(root, folder, settings, make_embedder(settings), dict(os.environ))
        try:
            yield _Local(engine)
        finally:
            engine.close()


class _Remote:
    def __init__(self, root: Path, tree: dict[str, Any]) -> None:
        self._root, self._tree = root, tree

    def query(self, request: QueryRequest) -> QueryResponse:
        return QueryResponse.model_validate(self._call("POST", "/query", request.model_dump()))

    def status(self) -> Status:
        return Status.model_validate(self._call("GET", "/status"))

    def sync(self, request: SyncRequest, on_progress: OnProgress) -> SyncResult:
        async def run() -> SyncResult:
            client = self._client()
            try:
                async for line in client.stream("/index/sync", request.model_dump()):
                    if line["kind"] == "result":
                        return SyncResult.model_validate(line)
                    on_progress(SyncProgress.model_validate(line))
            finally:
                await client.aclose()
            raise CoreUnavailable("the core ended the import without a result")

        return asyncio.run(run())

    def _client(self) -> CoreClient:
        return CoreClient(self._root, self._tree, start=False)

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        async def run() -> Any:
            client = self._client()
            try:
                return await client.call(method, path, body)
            finally:
                await client.aclose()

        return asyncio.run(run())


class _Local:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def query(self, request: QueryRequest) -> QueryResponse:
        if not self._engine.status().notes:
            raise NotIndexed("this vault is not indexed yet", "Run `mindnet import --apply`.")
        return self._engine.query(request)

    def status(self) -> Status:
        return self._engine.status()

    def sync(self, request: SyncRequest, on_progress: OnProgress) -> SyncResult:
        paths = None if request.paths is None else sync_paths(request.paths)
        job = Job(paths, request.full, request.dry_run, on_progress, threading.Event())
        self._engine.submit(job)
        try:
            return job.result.result()
        except KeyboardInterrupt:
            job.cancelled.set()
            raise Cancelled("the import was cancelled; run it again to go on") from None
