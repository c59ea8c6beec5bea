"""The language model of one core: its client, the traffic to it, and whether it is there."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx

from core.api import LlmState
from core.errors import LlmError
from core.llm import failures
from core.llm.address import check_address, check_model
from core.llm.models import find, read_models
from core.llm.ollama import Message, Ollama, Shape
from core.llm.reply import Reply
from core.llm.traffic import Traffic
from core.locale import Locale
from core.settings import LlmSettings

logger = logging.getLogger(__name__)

State = Literal["ready", "missing", "unavailable", "off"]
"""`missing`: Ollama has no such model, or it may not be used; `off`: the user wants none."""

LOOK_SECONDS = 1.0
"""A status must not wait for an Ollama that hangs."""
FRESH_SECONDS = 15.0
"""How long a look is good for."""


class LocalModel:
    """Made without asking anything. `ollama` is for one event loop."""

    def __init__(self, settings: LlmSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self.ollama = Ollama(settings)
        self.traffic = Traffic(settings.background_limit)
        self._clock = clock
        self._lock = threading.Lock()
        self._looking = False
        self._last: tuple[State, float] | None = None

    async def window(self, locale: Locale = "en") -> int:
        """Tokens of the model's context, as `Ollama.window`; raises as `chat` does."""
        self._wanted(locale)
        return await self.ollama.window(locale)

    @asynccontextmanager
    async def chat(
        self, messages: Sequence[Message], *, locale: Locale = "en", **options: Any
    ) -> AsyncIterator[Reply]:
        """Ask for a person: at once, before all background work. As `Ollama.chat`; raises
        `LlmError` as well where the user wants no model."""
        self._wanted(locale)
        async with (
            self.traffic.realtime(),
            self.ollama.chat(messages, locale=locale, **options) as reply,
        ):
            yield reply

    async def ask(
        self,
        messages: Sequence[Message],
        shape: type[Shape],
        *,
        background: bool,
        locale: Locale = "en",
        **options: Any,
    ) -> Shape:
        """Ask for an answer in a form, as `Ollama.ask`; in the `background` it waits for people
        and gives way to them, and may be asked several times for that."""
        self._wanted(locale)

        async def call() -> Shape:
            return await self.ollama.ask(messages, shape, locale=locale, **options)

        if background:
            return await self.traffic.run(call)
        async with self.traffic.realtime():
            return await call()

    def _wanted(self, locale: Locale) -> None:
        if not self.settings.enabled:
            raise failures.switched_off(locale)

    @property
    def state(self) -> State:
        """Whether the model can be asked. Looks, at most for a second, the first time; later
        the last answer is given at once, and an old one looked after meanwhile. Blocks."""
        if not self.settings.enabled:
            return "off"
        with self._lock:
            last = self._last
            old = last is None or self._clock() - last[1] > FRESH_SECONDS
            begin = old and not self._looking
            self._looking = self._looking or begin
        if last is None:
            return self._look() if begin else "unavailable"
        if begin:
            threading.Thread(target=self._look, name="mindnet-llm-look", daemon=True).start()
        return last[0]

    @property
    def status(self) -> LlmState:
        """What a status says of the model; blocks as `state` does."""
        traffic = self.traffic.state
        return LlmState(
            model=self.settings.model,
            state=self.state,
            running=traffic.running,
            waiting=traffic.waiting,
        )

    def _look(self) -> State:
        state: State = "unavailable"
        try:
            state = look(self.settings)
        finally:
            with self._lock:
                self._looking = False
                self._last = (state, self._clock())
        return state


def look(settings: LlmSettings, seconds: float = LOOK_SECONDS) -> State:
    """Ask Ollama for its models and look for the one of the settings; nothing else is sent,
    and nothing at all to an address that is not allowed. Blocks for at most `seconds`."""
    allowed = settings.allow_remote
    try:
        check_address(settings.url, allowed=allowed)
        check_model(settings.model, "", allowed=allowed)
    except LlmError:
        return "missing"
    deadline = time.monotonic() + seconds
    try:
        with (
            httpx.Client(timeout=seconds, trust_env=False) as client,
            client.stream("GET", f"{settings.url.rstrip('/')}/api/tags") as answer,
        ):
            data = b""
            for part in answer.iter_bytes():
                data += part
                if time.monotonic() > deadline:
                    return "unavailable"
            if not answer.is_success:
                return "unavailable"
        model = find(read_models(json.loads(data)), settings.model)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        logger.debug("Ollama: %s", type(error).__name__)
        return "unavailable"
    if model is None or (model.remote and not allowed):
        return "missing"
    return "ready"
