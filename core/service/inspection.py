"""Looking at the whole store of a running core: checks and export, as NDJSON streams."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator

from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from core.api import SyncFailure
from core.check.run import check
from core.check.shapes import CheckRequest
from core.check.view import VaultFiles
from core.errors import MindnetError, NotIndexed
from core.roundtrip.stored import stored_notes
from core.service.engine import Engine

logger = logging.getLogger(__name__)

PATIENCE = 5.0
"""Seconds to wait for a write that a check came across."""


def add_inspection(app: FastAPI, engine: Engine) -> None:
    """Add `POST /check` and `POST /export`. The client's going away ends them."""

    @app.post("/check")
    async def check_store(request: CheckRequest) -> StreamingResponse:
        return _ndjson(lambda: _checked(engine, request))

    @app.post("/export")
    async def export() -> StreamingResponse:
        _settled(engine)
        return _ndjson(lambda: stored_notes(engine.store.generation))


def _checked(engine: Engine, request: CheckRequest) -> Iterable[BaseModel]:
    _settled(engine)
    generation, report = engine.store.generation, engine.store.report
    outdated = report.reasons if report.state == "rebuild" else ()
    files = VaultFiles(
        engine.root,
        engine.settings.vault.ignore,
        engine.options,
        engine.config,
        generation.manifest.model,
    )
    return check(
        generation,
        files,
        request.what,
        dim=generation.manifest.dim,
        outdated=outdated,
        settle=lambda: _wait(engine),
    )


def _wait(engine: Engine) -> None:
    """Wait until what is being written is written, but not for ever."""
    deadline = time.monotonic() + PATIENCE
    while engine.busy and time.monotonic() < deadline:
        time.sleep(0.05)


def _settled(engine: Engine) -> None:
    """What is half written must not look like damage."""
    if engine.busy:
        raise NotIndexed("the index is being written just now", "Ask again when it is done.")


def _ndjson(lines: Callable[[], Iterable[BaseModel]]) -> StreamingResponse:
    # a plain iterator is read in a worker thread, so the loop stays free
    return StreamingResponse(_encoded(lines), media_type="application/x-ndjson")


def _encoded(lines: Callable[[], Iterable[BaseModel]]) -> Iterator[bytes]:
    try:
        for line in lines():
            yield line.model_dump_json().encode() + b"\n"
    except MindnetError as error:
        yield _failed(error.code, error.message, error.hint)
    except Exception as error:  # the client has to hear of it, the log without texts of notes
        logger.error("a stream failed: %s", type(error).__name__)
        yield _failed(MindnetError.code, f"internal error: {type(error).__name__}", "")


def _failed(code: str, message: str, hint: str) -> bytes:
    failure = SyncFailure(code=code, message=message, hint=hint)
    return failure.model_dump_json().encode() + b"\n"
