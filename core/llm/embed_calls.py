"""The calls that an embedder makes to Ollama; blocking, each on its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from typing import Any

import httpx

from core.errors import LlmError
from core.llm import failures
from core.llm.address import check_address, check_model
from core.llm.models import ModelFacts, find, read_facts, read_models
from core.locale import Locale
from core.settings import LlmSettings

CONNECT_SECONDS = 2.0
LOOK_UP_SECONDS = 0.1
"""How soon a call notices that nobody wants it any more."""
KEEP_ALIVE = "30m"
"""How long the model stays loaded behind its last call."""


class Refused(Exception):  # noqa: N818  (as the others of the error tree)
    """Ollama does not like one of the texts, and does not say which."""

    def __init__(self, message: str, *, too_long: bool) -> None:
        super().__init__(message)
        self.message = message
        self.too_long = too_long


class EmbedCalls:
    """Calls about the model `name`. All raise `LlmError`: `ModelMissing` where there is none of
    that name, `ModelNotLocal` where the settings do not allow it; `seconds` is the patience.
    Threads may share it."""

    def __init__(self, settings: LlmSettings, name: str, locale: Locale) -> None:
        self.name = name
        self._settings = settings
        self._locale = locale
        self.closed = threading.Event()
        """Set it to have calls fail at once, those that run as well."""
        # no connection outlives its call: nobody has to close an embedder
        self._http = httpx.Client(
            trust_env=False,
            verify=settings.url.startswith("https:"),
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    def digest(self, seconds: float) -> str:
        """What the name means now."""
        self._check("")
        try:
            model = find(read_models(self._json("GET", "/api/tags", None, seconds)), self.name)
        except ValueError as error:
            raise failures.not_ollama(self._settings.url, self._locale) from error
        if model is None:
            raise failures.model_missing(self.name, self._locale)
        self._check(model.remote)
        return model.digest

    def facts(self, seconds: float) -> ModelFacts:
        """What it can."""
        try:
            facts = read_facts(self._json("POST", "/api/show", {"model": self.name}, seconds))
        except ValueError as error:
            raise failures.not_ollama(self._settings.url, self._locale) from error
        self._check(facts.remote)
        return facts

    def embed(self, texts: Sequence[str], window: int, seconds: float) -> list[Any]:
        """One vector a text, as Ollama gives them. Raises `Refused` as well."""
        body = {
            "model": self.name,
            "input": list(texts),
            "truncate": False,  # an error is better than a silent cut
            "options": {"num_ctx": window},
            "keep_alive": KEEP_ALIVE,
        }
        found = self._json("POST", "/api/embed", body, seconds)
        vectors = found.get("embeddings") if isinstance(found, dict) else None
        if not isinstance(vectors, list) or len(vectors) != len(texts):
            raise failures.not_ollama(self._settings.url, self._locale)
        return vectors

    def _sent(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """The answer to a request. It is made in a thread of its own, which may be left alone:
        a model that is being loaded can keep one waiting for minutes."""
        answer: Future[httpx.Response] = Future()

        def run() -> None:
            try:
                answer.set_result(send())
            except Exception as error:
                answer.set_exception(error)

        threading.Thread(target=run, name="mindnet-embed-call", daemon=True).start()
        while not wait([answer], LOOK_UP_SECONDS).done:
            if self.closed.is_set():
                break
        if self.closed.is_set():
            raise LlmError("mindnet is ending")
        return answer.result()

    def _check(self, remote: str) -> None:
        check_model(self.name, remote, self._locale, allowed=self._settings.allow_remote)

    def _json(self, method: str, path: str, body: Any, seconds: float) -> Any:
        settings, locale = self._settings, self._locale
        check_address(settings.url, locale, allowed=settings.allow_remote)
        timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
        url = f"{settings.url.rstrip('/')}{path}"
        try:
            answer = self._sent(lambda: self._http.request(method, url, json=body, timeout=timeout))
            found = answer.json()
        except httpx.ConnectTimeout as error:
            raise failures.unreachable(settings.url, locale) from error
        except httpx.TimeoutException as error:
            raise failures.timed_out(seconds, locale) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise failures.unreachable(settings.url, locale) from error
        except ValueError as error:
            raise failures.not_ollama(settings.url, locale) from error
        if answer.is_success:
            return found
        said = str(found.get("error", "")) if isinstance(found, dict) else ""
        failure: LlmError = failures.told(answer.status_code, said, self.name, locale)
        if answer.status_code == httpx.codes.BAD_REQUEST or "NaN" in said:
            raise Refused(failure.message, too_long=failures.is_too_long(said)) from failure
        raise failure
