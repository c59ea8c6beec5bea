"""In front of every call: the token, and the note that somebody asks."""

from __future__ import annotations

import secrets
import time

from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send


class Activity:
    """When somebody last asked something, and whether requests are under way."""

    def __init__(self) -> None:
        self._running = 0
        self._last = time.monotonic()

    def __enter__(self) -> None:
        self._running += 1

    def __exit__(self, *_: object) -> None:
        self._running -= 1
        self._last = time.monotonic()

    def idle_seconds(self) -> float:
        """Seconds since the last request ended; 0 while one is running."""
        return 0.0 if self._running else time.monotonic() - self._last


class Guard:
    """Middleware that lets nobody through without the token.

    Plain ASGI: Starlette's function middleware hides from a stream that its client left,
    and ends before the stream does.
    """

    def __init__(self, app: ASGIApp, *, token: str, activity: Activity) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()
        self._activity = activity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("authorization", "").encode()
        if not secrets.compare_digest(given, self._expected):
            body = {"code": "unauthorized", "message": "a valid token is needed", "hint": ""}
            await JSONResponse({"error": body}, status_code=401)(scope, receive, send)
            return
        with self._activity:
            await self._app(scope, receive, send)
