"""The HTTP interface of one engine: FastAPI, loopback, a token on every call."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel

from core.api import (
    API_VERSION,
    AnalyzeRequest,
    AnalyzeResponse,
    ErrorBody,
    Health,
    QueryRequest,
    QueryResponse,
    Status,
    SyncProgress,
    SyncRequest,
    SyncResult,
)
from core.errors import InvalidArguments, MindnetError
from core.service.engine import Engine, Job, sync_paths
from core.version import __version__

T = TypeVar("T")
READERS = 4
"""Threads that answer queries."""
_STATUS = {
    "invalid_arguments": 400,
    "outside_vault": 403,
    "not_a_note": 404,
    "not_indexed": 404,
    "already_exists": 409,
    "cancelled": 499,
}


class Activity:
    """When somebody last asked something, and how many requests are under way."""

    def __init__(self) -> None:
        self.running = 0
        self._last = time.monotonic()

    def __enter__(self) -> None:
        self.running += 1

    def __exit__(self, *_: object) -> None:
        self.running -= 1
        self._last = time.monotonic()

    def idle_seconds(self) -> float:
        """Seconds since the last request ended; 0 while one is running."""
        return 0.0 if self.running else time.monotonic() - self._last


def make_app(
    engine: Engine, token: str, pid: int, activity: Activity, stop: Callable[[], None]
) -> FastAPI:
    """The application for `engine`. `stop` asks the process to end."""
    app = FastAPI(title="mindnet core", version=__version__)
    readers = ThreadPoolExecutor(READERS, thread_name_prefix="mindnet-reader")
    expected = f"Bearer {token}".encode()

    @app.middleware("http")
    async def guard(
        request: Request, proceed: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        given = request.headers.get("authorization", "").encode()
        if not secrets.compare_digest(given, expected):
            return _failure(401, "unauthorized", "a valid token is needed", "")
        with activity:
            return await proceed(request)

    @app.exception_handler(MindnetError)
    async def expected_failure(_: Request, error: MindnetError) -> Response:
        return _failure(_STATUS.get(error.code, 503), error.code, error.message, error.hint)

    @app.exception_handler(RequestValidationError)
    async def bad_request(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        return _failure(400, InvalidArguments.code, f"{place}: {first['msg']}", "")

    async def read(call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(readers, call)

    @app.get("/health")
    async def health() -> Health:
        return Health(version=__version__, api_version=API_VERSION, vault=str(engine.root), pid=pid)

    @app.get("/status")
    async def status() -> Status:
        return await read(engine.status)

    @app.post("/query")
    async def query(request: QueryRequest) -> QueryResponse:
        return await read(lambda: engine.query(request))

    @app.post("/ingest/analyze")
    async def analyze(request: AnalyzeRequest) -> AnalyzeResponse:
        return await read(lambda: engine.analyze(request))

    @app.post("/ingest/save")
    async def save(request: SyncRequest) -> SyncResult:
        if not request.paths:
            raise InvalidArguments("paths: is empty", "Name the notes that were saved.")
        job = engine.submit(Job(sync_paths(request.paths), request.full, request.dry_run))
        return await asyncio.wrap_future(job.result)

    @app.post("/index/sync")
    async def sync(request: SyncRequest) -> StreamingResponse:
        paths = None if request.paths is None else sync_paths(request.paths)
        lines = _sync_lines(engine, Job(paths, request.full, request.dry_run), activity)
        return StreamingResponse(lines, media_type="application/x-ndjson")

    @app.post("/config/reload")
    async def reload() -> Status:
        await read(engine.reload_config)
        return await read(engine.status)

    @app.post("/shutdown")
    async def shutdown() -> Health:
        stop()
        return await health()

    return app


async def _sync_lines(engine: Engine, job: Job, activity: Activity) -> AsyncIterator[bytes]:
    """NDJSON: progress while it runs, then the result or an error. The client's going
    away cancels the job."""
    loop = asyncio.get_running_loop()
    steps: asyncio.Queue[SyncProgress | None] = asyncio.Queue()

    def tell(step: SyncProgress | None) -> None:
        # the loop may be closed by then: nobody listens any more
        if not loop.is_closed():
            loop.call_soon_threadsafe(steps.put_nowait, step)

    job.on_progress = tell
    job.result.add_done_callback(lambda _: tell(None))
    with activity:
        engine.submit(job)
        try:
            while (step := await steps.get()) is not None:
                yield _line(step)
            try:
                yield _line(job.result.result())
            except MindnetError as error:
                body = ErrorBody(code=error.code, message=error.message, hint=error.hint)
                yield _line(body, kind="error")
            except Exception as error:
                yield _line(ErrorBody(code="internal", message=type(error).__name__), kind="error")
        finally:
            job.cancelled.set()


def _line(shape: BaseModel, **more: str) -> bytes:
    if not more:
        return shape.model_dump_json().encode() + b"\n"
    import json

    return json.dumps({**more, **shape.model_dump()}).encode() + b"\n"


def _failure(status: int, code: str, message: str, hint: str) -> Response:
    body = ErrorBody(code=code, message=message, hint=hint)
    return JSONResponse({"error": body.model_dump()}, status_code=status)
