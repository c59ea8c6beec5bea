"""Notes that a model could not embed are tried again when it is back.

Only for a model in another program, which may be away for a while, or be another one when it
comes back: then the index is built anew with it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from core.api import SyncResult
from core.embedding.ports import Embedder, RemoteEmbedder
from core.errors import EmbeddingUnavailable
from core.llm.traffic import Traffic

logger = logging.getLogger(__name__)

SOONEST = 5.0
LATEST = 60.0
"""Seconds between two looks: the first pause, doubled each time that it was of no use."""


class Comeback:
    """Asked by the writer between its jobs. An `embedder` that cannot go away needs nothing."""

    def __init__(
        self,
        embedder: Embedder | None,
        traffic: Traffic,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._embedder = embedder if isinstance(embedder, RemoteEmbedder) else None
        if self._embedder is not None:
            self._embedder.wait_for_quiet = traffic.wait_for_quiet
        self._clock = clock
        self._missed = False
        self._pause = SOONEST
        self._next = 0.0

    @property
    def awaited(self) -> bool:
        """Whether something is to be done once the model is back."""
        one = self._embedder
        return one is not None and (self._missed or one.state == "unavailable" or not one.dim)

    def noted(self, result: SyncResult) -> None:
        """A sync came to its end; what it could not embed is remembered."""
        if self._embedder is None:
            return
        if result.failed and self._embedder.state == "unavailable":
            self._missed = True
        elif result.embedded:
            self._pause = SOONEST

    def look(self) -> bool:
        """Look for the model if it is time; whether the whole vault is to be synced now."""
        one = self._embedder
        if one is None or not self.awaited or self._clock() < self._next:
            return False
        before = (one.model, one.dim)
        try:
            one.look()
        except EmbeddingUnavailable as error:
            logger.info("%s", error.message)
            self._later()
            return False
        missed, self._missed = self._missed, False
        if missed:
            self._later()  # in case that it is there and of no use
        return missed or (one.model, one.dim) != before

    def wait(self) -> float | None:
        """Seconds until `look` is of use again, None where nothing is awaited."""
        return max(0.1, self._next - self._clock()) if self.awaited else None

    def close(self) -> None:
        """Let a call that runs fail, so that nobody waits for its end."""
        if self._embedder is not None:
            self._embedder.close()

    def _later(self) -> None:
        self._next = self._clock() + self._pause
        self._pause = min(2 * self._pause, LATEST)
