"""Calls to a Qdrant server: one client, retries, and errors in our words.

Every operation is idempotent, so one whose answer was lost is simply made again. What the
server says of a request it refused may quote the request, so it is never passed on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from core.errors import InvalidArguments, StoreError, StoreFull, StoreUnavailable

TIMEOUT_SECONDS = 10
"""For one call; a batch of 64 points takes milliseconds, creating a collection a second."""
PAUSES = (0.2, 0.8)
"""Seconds before a call is made again that the server could not take, or lost."""
_LOST = {"ConnectError", "ReadError", "WriteError", "CloseError", "RemoteProtocolError"}
_BUSY = {429, 502, 503, 504}

T = TypeVar("T")


def checked_url(url: str) -> SplitResult:
    """The parts of a server's address. Raises `InvalidArguments` for one that is no plain
    http or https address."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise InvalidArguments(
            "store.url is not the address of a Qdrant server",
            "Write it as http://127.0.0.1:6333, or with https.",
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InvalidArguments(
            "store.url may hold nothing but scheme, host, port and path",
            "The key of the server belongs into store.api_key.",
        )
    return parts


def connect(url: str, api_key: str | None) -> Any:
    """A `QdrantClient`; nothing is sent yet. Raises `InvalidArguments` for a bad address and
    `StoreError` where `qdrant-client` is not installed."""
    host = checked_url(url).hostname
    try:
        from qdrant_client import QdrantClient
    except ImportError as error:
        raise StoreError(
            "a Qdrant server needs the package qdrant-client",
            "Install it with: pip install 'mindnet-lsp[server]'",
        ) from error
    for name in ("httpx", "httpcore"):  # they would log every request
        logging.getLogger(name).setLevel(logging.WARNING)
    return QdrantClient(
        url=url,
        headers={"api-key": api_key} if api_key else None,
        timeout=TIMEOUT_SECONDS,
        check_compatibility=False,
        # a proxy of the environment is for the world outside, not for this machine
        trust_env=host not in ("127.0.0.1", "::1", "localhost"),
    )


def call(operation: Callable[[], T], pauses: tuple[float, ...] | None = None) -> T:
    """The operation's result; made again where the server was busy or the connection broke.

    Raises `StoreUnavailable` where the server does not answer, refuses us or has lost the
    collections, `StoreFull`, and `StoreError` for what it will not take.
    """
    left = list(PAUSES if pauses is None else pauses)
    while True:
        try:
            return operation()
        except Exception as exc:
            found = _meaning(exc)
            if found is None:
                raise
            error, again = found
            if not (again and left):
                raise error from exc
            time.sleep(left.pop(0))


def _meaning(exc: Exception) -> tuple[StoreError, bool] | None:
    """What an error of the client means, and whether to try again; None for a foreign one."""
    name = type(exc).__name__
    if name == "ResponseHandlingException":
        source = type(getattr(exc, "source", None)).__name__
        if source == "ValidationError":
            return StoreUnavailable(
                "what answers at store.url is no Qdrant server that we know",
                "Check store.url, and the version of the server.",
            ), False
        return _away("does not answer"), source in _LOST
    if name == "ResourceExhaustedResponse":
        return _away("is too busy"), True
    if name != "UnexpectedResponse":
        return None
    status = int(getattr(exc, "status_code", 0) or 0)
    if status in (401, 403):
        return StoreUnavailable("the Qdrant server refuses the key", "Check store.api_key."), False
    if status == 404:
        return StoreUnavailable(
            "the Qdrant server does not have the collections any more",
            "They are made again from the notes by themselves.",
        ), False
    if b"no space" in bytes(getattr(exc, "content", b"")).lower() or status == 507:
        return StoreFull("the Qdrant server has no room left", "Free some room on its disk."), False
    if status in _BUSY:
        return _away(f"is not ready (HTTP {status})"), True
    if status >= 500:
        return _away(f"failed (HTTP {status})"), False
    return StoreError(
        f"the Qdrant server did not take a request (HTTP {status})",
        "Check the version of the server.",
    ), False


def _away(what: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"the Qdrant server {what}",
        "Check that it runs and that store.url is right; it is tried again by itself.",
    )
