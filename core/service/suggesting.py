"""Related notes, and suggestions that are not wanted, over HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI

from core.errors import InvalidArguments
from core.service.engine import Engine
from core.suggest.shapes import (
    DismissedRequest,
    DismissedResponse,
    DismissRequest,
    RelatedRequest,
    RelatedResponse,
)

Read = Callable[[Callable[[], Any]], Awaitable[Any]]


def add_suggesting(app: FastAPI, engine: Engine, read: Read) -> None:
    """Add `POST /related` and `/suggest/dismiss`, `/suggest/restore`, `/suggest/dismissed`.
    `read` calls in a worker thread."""

    @app.post("/related")
    async def related(request: RelatedRequest) -> RelatedResponse:
        found: RelatedResponse = await read(
            lambda: engine.discover(lambda one, vectors: one.related(request, vectors=vectors))
        )
        return found

    @app.post("/suggest/dismiss")
    async def dismiss(request: DismissRequest) -> DismissedResponse:
        return await _answer(read, lambda: dismissed(engine, request))

    @app.post("/suggest/restore")
    async def restore(request: DismissRequest) -> DismissedResponse:
        return await _answer(read, lambda: restored(engine, request))

    @app.post("/suggest/dismissed")
    async def listed(request: DismissedRequest) -> DismissedResponse:
        return await _answer(read, lambda: all_dismissed(engine, request.path))


def dismissed(engine: Engine, request: DismissRequest) -> DismissedResponse:
    """Never suggest the target for the note again. Raises `InvalidArguments`, `StoreError`."""
    target = request.target_note_id
    if not target:
        raise InvalidArguments("target_note_id: is missing", "Name the note not to suggest.")
    changed = engine.discover(lambda one, _: one.dismiss(request.path, target))
    return all_dismissed(engine, request.path, int(changed))


def restored(engine: Engine, request: DismissRequest) -> DismissedResponse:
    """Suggest it, or all that were dismissed for the note, again. Raises `StoreError`."""
    changed = engine.discover(lambda one, _: one.restore(request.path, request.target_note_id))
    return all_dismissed(engine, request.path, changed)


def all_dismissed(engine: Engine, path: str | None, changed: int = 0) -> DismissedResponse:
    """What is dismissed for a note, or in the whole vault."""
    found = engine.discover(lambda one, _: one.listed(path))
    return DismissedResponse(changed=changed, dismissed=found)


async def _answer(read: Read, work: Callable[[], DismissedResponse]) -> DismissedResponse:
    found: DismissedResponse = await read(work)
    return found
