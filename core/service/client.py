"""Talking to the core of one vault: found by its endpoint file, started if there is none.

A call that meets no core, or loses it, starts another and asks again until its deadline:
all operations are idempotent. Used by the language server and the command line.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx

from core.api import API_VERSION
from core.errors import CoreUnavailable, error_of
from core.paths import vault_data_dir
from core.service.endpoint import LOG_FILE, Endpoint, read_endpoint
from core.service.lifecycle import ALREADY_RUNNING
from core.service.start import CoreProcess, start_core
from core.version import __version__

logger = logging.getLogger(__name__)

START_DEADLINE = 30.0
"""Seconds in which a core must have answered, starts of it included."""
_POLL = 0.05
_RESTART_AFTER = 0.5
"""Seconds before a core is started again after the last one gave way to another."""
_HEALTH_TIMEOUT = 5.0
_CALL_TIMEOUT = 60.0
MAX_CRASHES = 2
"""How often in a row a core may be killed before it answers, and is started again."""


class CoreClient:
    """The core of the vault at `root`. `settings` are what a started core gets.

    With `start` off, a missing core is an error instead of a reason to start one. For use
    on one event loop; `aclose` it.
    """

    def __init__(
        self, root: Path, settings: Mapping[str, Any] | None = None, *, start: bool = True
    ) -> None:
        self.root = root
        self.folder = vault_data_dir(root)
        self.settings = dict(settings or {})
        self._may_start = start
        # plain HTTP on loopback: loading certificates would only cost time
        self._http = httpx.AsyncClient(timeout=_CALL_TIMEOUT, trust_env=False, verify=False)
        self.health: dict[str, Any] | None = None
        """What the first core that was met said of itself; see `core.service.agreement`."""
        self._endpoint: Endpoint | None = None
        self._connecting = asyncio.Lock()
        self._process: CoreProcess | None = None
        self._started = 0.0
        self._crashes = 0

    async def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The JSON answer of one call.

        Raises the `MindnetError` that the core answered with, or `CoreUnavailable`.
        """
        async with self._answer(method, path, body, _CALL_TIMEOUT) as answer:
            await answer.aread()
            return _checked(answer)

    async def stream(
        self, path: str, body: Mapping[str, Any] | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The lines of an NDJSON answer, of which the last is the result; closing the
        iterator cancels the work.

        Raises as `call` does, also for an error line in the middle.
        """
        async with self._answer("POST", path, body, None) as answer:
            if answer.is_error:
                await answer.aread()
                _checked(answer)
            found: dict[str, Any] = {}
            async for line in answer.aiter_lines():
                found = json.loads(line)
                if found["kind"] == "error":
                    raise error_of(found["code"])(found["message"], found["hint"])
                yield found
            if found.get("kind") != "result":
                raise CoreUnavailable("the core ended in the middle", self._hint)

    @contextlib.asynccontextmanager
    async def _answer(
        self, method: str, path: str, body: Mapping[str, Any] | None, patience: float | None
    ) -> AsyncIterator[httpx.Response]:
        """The open answer of a core. One that is lost before it answers is asked again;
        `patience` is the seconds to wait for its answer."""
        deadline = time.monotonic() + START_DEADLINE
        timeout = httpx.Timeout(_CALL_TIMEOUT, read=patience)
        while True:
            endpoint = await self.connect(deadline)
            request = self._http.build_request(
                method, endpoint.url + path, json=body, headers=endpoint.headers, timeout=timeout
            )
            try:
                answer = await self._http.send(request, stream=True)
            except httpx.TimeoutException as error:
                raise CoreUnavailable("the core takes too long to answer", self._hint) from error
            except httpx.TransportError as error:
                self._forget(endpoint)
                if time.monotonic() > deadline:
                    raise CoreUnavailable("the core does not answer", self._hint) from error
                continue
            if answer.status_code == httpx.codes.UNAUTHORIZED and time.monotonic() < deadline:
                await answer.aclose()
                self._forget(endpoint)
                continue
            break
        try:
            yield answer
        except httpx.TransportError as error:
            self._forget(endpoint)
            raise CoreUnavailable("the core went away in the middle", self._hint) from error
        finally:
            await answer.aclose()

    async def connect(self, deadline: float) -> Endpoint:
        """A core of this version that answers, started if need be.

        `deadline` is a `time.monotonic()`. Raises `CoreUnavailable` when it has passed.
        """
        async with self._connecting:
            if self._endpoint is not None:
                return self._endpoint
            refused: set[str] = set()
            while True:
                endpoint = read_endpoint(self.folder)
                known = endpoint is not None and endpoint.token not in refused
                if endpoint and known and await self._is_ours(endpoint, refused):
                    self._endpoint, self._crashes = endpoint, 0
                    return endpoint
                if not self._may_start:
                    raise CoreUnavailable("no core serves this vault", "Start `mindnet serve`.")
                self._ensure_process()
                if time.monotonic() > deadline:
                    raise CoreUnavailable("the core did not start in time", self._hint)
                await asyncio.sleep(_POLL)

    @property
    def has_process(self) -> bool:
        """Whether a core that this client started still runs, or is coming up."""
        return self._process is not None and self._process.poll() is None

    async def aclose(self) -> None:
        """Close the connections; the core lives on for other clients."""
        await self._http.aclose()

    async def _is_ours(self, endpoint: Endpoint, refused: set[str]) -> bool:
        """Whether a core of our version answers there. Another version is asked to end, if
        we may start one in its place."""
        try:
            answer = await self._http.get(
                f"{endpoint.url}/health", headers=endpoint.headers, timeout=_HEALTH_TIMEOUT
            )
            health = answer.json() if answer.is_success else {}
        except (httpx.HTTPError, ValueError):
            return False
        if (health.get("version"), health.get("api_version")) == (__version__, API_VERSION):
            self.health = self.health or health
            return True
        if health and self._may_start:
            logger.info("replacing a core of version %s", health.get("version"))
            refused.add(endpoint.token)
            try:
                await self._http.post(f"{endpoint.url}/shutdown", headers=endpoint.headers)
            except httpx.HTTPError:
                logger.debug("the old core was gone already")
        return False

    def _ensure_process(self) -> None:
        """Start a core unless one that we started is still coming up."""
        now = time.monotonic()
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            if code == ALREADY_RUNNING and now < self._started + _RESTART_AFTER:
                return
            self._process = None
            if code < 0:  # killed, maybe after it had served for long
                self._crashes += 1
            if code not in (0, ALREADY_RUNNING) and (code > 0 or self._crashes > MAX_CRASHES):
                raise CoreUnavailable(f"the core ended at its start (exit code {code})", self._hint)
        try:
            self._process, self._started = start_core(self.root, self.folder, self.settings), now
        except OSError as error:
            raise CoreUnavailable(
                f"the core cannot be started: {error.strerror}",
                f"Check the data folder {self.folder}.",
            ) from error

    def _forget(self, endpoint: Endpoint) -> None:
        if self._endpoint is endpoint:
            self._endpoint = None

    @property
    def _hint(self) -> str:
        return f"Its log is {self.folder / LOG_FILE}"


def _checked(answer: httpx.Response) -> Any:
    try:
        found = answer.json()
    except ValueError as error:
        raise CoreUnavailable(f"the core answered {answer.status_code} without JSON") from error
    if answer.is_success:
        return found
    body = found.get("error", {}) if isinstance(found, dict) else {}
    code, message = str(body.get("code", "internal")), str(body.get("message", "failed"))
    raise error_of(code)(message, str(body.get("hint", "")))
