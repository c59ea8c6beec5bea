"""Ollama's HTTP interface, for one event loop: what is there, chat with a stream, embeddings.

The facts of the protocol, of Ollama 0.12 and its source: a failure in the middle of a stream
is a line `{"error"}` under status 200; a stream without a `done` line is broken; closing the
connection stops the model; another `num_ctx` than last time loads the model anew.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

import httpx
import msgspec
from pydantic import BaseModel, ValidationError

from core.errors import LlmError
from core.llm import failures
from core.llm.address import check_address, check_model
from core.llm.budget import prompt_tokens
from core.llm.models import Model, ModelFacts, read_facts, read_models
from core.llm.reply import Asked, Reply
from core.locale import Locale
from core.settings import LlmSettings

CONNECT_SECONDS = 2.0
"""A local server takes a connection at once or not at all."""
LOOK_SECONDS = 10.0
"""For a question that no model has to answer."""
KEEP_ALIVE = "10m"
"""How long a model stays loaded behind its last call."""

Shape = TypeVar("Shape", bound=BaseModel)


class Message(msgspec.Struct, frozen=True):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Ollama:
    """A client of the Ollama that the settings name. Use it on one event loop; `aclose` it.

    All methods raise `LlmError` where Ollama is away or the settings do not allow its address
    or model, `ModelMissing` where it has no such model, `LlmTimeout` where nothing comes.
    Their messages are in `locale`. Cancelling a call closes its connection, which stops the
    model. Environment variables for proxies are not read: nothing goes there by accident.
    """

    def __init__(self, settings: LlmSettings) -> None:
        self.settings = settings
        self._client: httpx.AsyncClient | None = None

    async def version(self, locale: Locale = "en") -> str:
        """The version of the server."""
        found = await self._json("GET", "/api/version", None, locale)
        if not isinstance(found, dict) or not isinstance(found.get("version"), str):
            raise failures.not_ollama(self.settings.url, locale)
        return str(found["version"])

    async def models(self, locale: Locale = "en") -> list[Model]:
        """All models that it has, remote ones too."""
        found = await self._json("GET", "/api/tags", None, locale)
        try:
            return read_models(found)
        except ValueError as error:
            raise failures.not_ollama(self.settings.url, locale) from error

    async def facts(self, model: str = "", locale: Locale = "en") -> ModelFacts:
        """What a model is; that of the settings by default."""
        model = model or self.settings.model
        found = await self._json("POST", "/api/show", {"model": model}, locale)
        try:
            return read_facts(found)
        except ValueError as error:
            raise failures.not_ollama(self.settings.url, locale) from error

    async def window(self, locale: Locale = "en") -> int:
        """Tokens of the chat model's context: what the settings ask for, and no more than the
        model has. It is the same in every call, so that the model is not loaded anew."""
        return self._window((await self._allowed(locale)).context)

    @contextlib.asynccontextmanager
    async def chat(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 0,
        temperature: float | None = None,
        think: bool = False,
        locale: Locale = "en",
    ) -> AsyncIterator[Reply]:
        """Ask the chat model; the reply is iterated inside the `async with`, whose end closes
        the connection and so stops the model.

        `schema` is a JSON schema that the answer will follow (say it in the prompt as well);
        `max_tokens` bounds the answer, 0 for no bound but the window.
        """
        facts = await self._allowed(locale)
        window = self._window(facts.context)
        options: dict[str, Any] = {"num_ctx": window}
        if max_tokens:
            options["num_predict"] = max_tokens
        if temperature is not None or schema is not None:
            options["temperature"] = temperature or 0
        body: dict[str, Any] = {
            "model": self.settings.model,
            "messages": [{"role": one.role, "content": one.content} for one in messages],
            "stream": True,
            "options": options,
            "keep_alive": KEEP_ALIVE,
            # an error is better than a prompt whose instructions are dropped without a word
            "truncate": False,
            "shift": False,
        }
        if schema is not None:
            body["format"] = dict(schema)
        if "thinking" in facts.capabilities:  # others refuse the very word
            body["think"] = think
        estimate = prompt_tokens([one.content for one in messages])
        settings = self.settings
        asked = Asked(settings.url, settings.model, window, settings.timeout, estimate, locale)
        async with self._open("/api/chat", body, locale) as response:
            yield Reply(response, asked)

    async def ask(
        self,
        messages: Sequence[Message],
        shape: type[Shape],
        *,
        max_tokens: int = 0,
        locale: Locale = "en",
    ) -> Shape:
        """An answer in a given form. Raises `AnswerIncomplete` for one that was cut, and
        `LlmError` for one that is not of the form, whatever was promised."""
        schema = shape.model_json_schema()
        async with self.chat(
            messages, schema=schema, max_tokens=max_tokens, locale=locale
        ) as reply:
            text = await reply.read()
        if reply.cut:
            raise failures.incomplete("length", locale)
        try:
            return shape.model_validate_json(text)
        except ValidationError:  # its text may quote a note
            raise failures.bad_shape(self.settings.model, locale) from None

    async def aclose(self) -> None:
        """Close all connections; calls that run fail."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()

    async def _allowed(self, locale: Locale) -> ModelFacts:
        """The facts of the chat model, if the user lets his notes go there."""
        model, allowed = self.settings.model, self.settings.allow_remote
        check_model(model, "", locale, allowed=allowed)
        facts = await self.facts(locale=locale)
        check_model(model, facts.remote, locale, allowed=allowed)
        return facts

    def _window(self, context: int) -> int:
        wanted = self.settings.context_tokens
        return min(wanted, context) if context else wanted

    async def _json(
        self, method: str, path: str, body: Mapping[str, Any] | None, locale: Locale
    ) -> Any:
        async with self._open(path, body, locale, method=method, patience=LOOK_SECONDS) as answer:
            try:
                return json.loads(await answer.aread())
            except ValueError as error:
                raise failures.not_ollama(self.settings.url, locale) from error
            except httpx.TimeoutException as error:
                raise failures.timed_out(LOOK_SECONDS, locale) from error
            except httpx.TransportError as error:
                raise failures.unreachable(self.settings.url, locale) from error

    @contextlib.asynccontextmanager
    async def _open(
        self,
        path: str,
        body: Mapping[str, Any] | None,
        locale: Locale,
        *,
        method: str = "POST",
        patience: float = 0.0,
    ) -> AsyncIterator[httpx.Response]:
        """The open answer to a request, a success. `patience` is for its next bytes."""
        settings = self.settings
        check_address(settings.url, locale, allowed=settings.allow_remote)
        patience = patience or settings.timeout
        if self._client is None:
            self._client = httpx.AsyncClient(trust_env=False, verify=_tls(settings.url))
        timeout = httpx.Timeout(patience, connect=CONNECT_SECONDS)
        url = f"{settings.url.rstrip('/')}{path}"
        try:
            request = self._client.build_request(method, url, json=body, timeout=timeout)
            response = await self._client.send(request, stream=True)
        except (httpx.ConnectTimeout, httpx.ConnectError) as error:
            raise failures.unreachable(settings.url, locale) from error
        except httpx.TimeoutException as error:
            raise failures.timed_out(patience, locale) from error
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise failures.unreachable(settings.url, locale) from error
        try:
            if not response.is_success:
                raise await self._refusal(response, body, locale)
            yield response
        finally:
            await response.aclose()

    async def _refusal(
        self, response: httpx.Response, body: Mapping[str, Any] | None, locale: Locale
    ) -> LlmError:
        try:
            found = json.loads(await response.aread())
        except (ValueError, httpx.HTTPError):
            found = None
        if not isinstance(found, dict) or not isinstance(found.get("error"), str):
            return failures.not_ollama(self.settings.url, locale)
        model = str((body or {}).get("model", ""))
        return failures.told(response.status_code, found["error"], model, locale)


def _tls(url: str) -> bool:
    """Whether certificates are needed; loading them costs time for nothing on plain HTTP."""
    return url.startswith("https:")
