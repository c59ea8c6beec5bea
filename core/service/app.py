"""The HTTP interface of one engine: FastAPI, loopback, a token on every call."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, TypeVar

from fastapi import FastAPI, Query, Request, Response
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
    SyncFailure,
    SyncProgress,
    SyncRequest,
    SyncResult,
)
from core.errors import InvalidArguments, MindnetError
from core.graph.shapes import (
    MAX_NODES,
    GraphRequest,
    GraphResponse,
    Overview,
    PathRequest,
    PathResponse,
)
from core.graph.smart import SmartLinks, SmartRequest, smart_into
from core.service.agreement import in_use
from core.service.asking import ask
from core.service.chat_routes import add_chat
from core.service.engine import Engine
from core.service.feedback_routes import add_feedback
from core.service.guard import Activity, Guard
from core.service.inspection import add_inspection
from core.service.jobs import Job, sync_paths
from core.service.suggesting import add_suggesting
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


def make_app(
    engine: Engine, token: str, pid: int, activity: Activity, stop: Callable[[], None]
) -> FastAPI:
    """The application for `engine`. `stop` asks the process to end."""
    app = FastAPI(title="mindnet core", version=__version__)
    readers = ThreadPoolExecutor(READERS, thread_name_prefix="mindnet-reader")
    app.add_middleware(Guard, token=token, activity=activity)

    @app.exception_handler(MindnetError)
    async def expected_failure(_: Request, error: MindnetError) -> Response:
        return _failure(_STATUS.get(error.code, 503), error.code, error.message, error.hint)

    @app.exception_handler(RequestValidationError)
    async def bad_request(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        return _failure(400, InvalidArguments.code, f"{place}: {first['msg']}", "")

    @app.exception_handler(Exception)
    async def unexpected_failure(_: Request, error: Exception) -> Response:
        return _failure(500, MindnetError.code, f"internal error: {type(error).__name__}", "")

    async def read(call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(readers, call)

    @app.get("/health")
    async def health() -> Health:
        return Health(
            version=__version__,
            api_version=API_VERSION,
            vault=str(engine.root),
            pid=pid,
            settings=in_use(engine.settings),
        )

    @app.get("/status")
    async def status() -> Status:
        return await read(engine.status)

    @app.post("/query")
    async def query(request: QueryRequest) -> QueryResponse:
        return await read(lambda: ask(engine, request))

    @app.post("/graph")
    async def graph(request: GraphRequest) -> GraphResponse:
        return await read(lambda: engine.graph(lambda graph: graph.expand(request)))

    @app.post("/graph/path")
    async def path(request: PathRequest) -> PathResponse:
        return await read(lambda: engine.graph(lambda graph: graph.path(request)))

    @app.get("/graph/overview")
    async def overview(limit: Annotated[int, Query(ge=1, le=MAX_NODES)] = 50) -> Overview:
        return await read(lambda: engine.graph(lambda graph: graph.overview(limit)))

    @app.post("/graph/smart")
    async def smart(request: SmartRequest) -> SmartLinks:
        store, index = engine.store, engine.index
        return await read(lambda: smart_into(store.edges, store.chunks, index, request))

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
        lines = _sync_lines(engine, Job(paths, request.full, request.dry_run))
        return StreamingResponse(lines, media_type="application/x-ndjson")

    add_inspection(app, engine)
    add_suggesting(app, engine, read)
    add_feedback(app, engine, read)
    add_chat(app, engine, read)

    @app.post("/config/reload")
    async def reload() -> Status:
        await read(engine.reload_config)
        return await read(engine.status)

    @app.post("/shutdown")
    async def shutdown() -> Health:
        stop()
        return await health()

    return app


async def _sync_lines(engine: Engine, job: Job) -> AsyncIterator[bytes]:
    """NDJSON: progress while it runs, then the result or an error. The client's going
    away cancels the job."""
    loop = asyncio.get_running_loop()
    steps: asyncio.Queue[SyncProgress | None] = asyncio.Queue()

    def tell(step: SyncProgress | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
            loop.call_soon_threadsafe(steps.put_nowait, step)

    job.on_progress = tell
    job.result.add_done_callback(lambda _: tell(None))
    engine.submit(job)
    try:
        while (step := await steps.get()) is not None:
            yield _line(step)
        yield _line(_outcome(job))
    finally:
        job.cancelled.set()


def _outcome(job: Job) -> BaseModel:
    error = job.result.exception()
    if error is None:
        return job.result.result()
    if isinstance(error, MindnetError):
        return SyncFailure(code=error.code, message=error.message, hint=error.hint)
    return SyncFailure(code=MindnetError.code, message=type(error).__name__)


def _line(shape: BaseModel) -> bytes:
    return shape.model_dump_json().encode() + b"\n"


def _failure(status: int, code: str, message: str, hint: str) -> Response:
    body = ErrorBody(code=code, message=message, hint=hint)
    return JSONResponse({"error": body.model_dump()}, status_code=status)
