"""An embedder that asks Ollama. Blocks, so for worker threads; threads may share it.

A model's vectors are told apart by its digest, since a name can come to mean another model.
It is bound to one digest and dimension by `look` or `bind`, and embeds with nothing else:
what a search compares and what a collection holds always is of one model.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from core.chunking.tokens import head_end
from core.embedding.ports import EmbedderState
from core.errors import (
    EmbeddingAway,
    EmbeddingMissing,
    EmbeddingUnavailable,
    LlmError,
    ModelMissing,
    ModelNotLocal,
)
from core.llm.budget import MARGIN, tokens_of
from core.llm.embed_calls import EmbedCalls, Refused
from core.llm.prompts import prefixes
from core.locale import Locale, say
from core.settings import LlmSettings

if TYPE_CHECKING:
    from core.embedding.ports import Vectors

AT_ONCE = 16
"""Texts in one request: between two of them a person's question may go first."""
WINDOW = 2048
"""Tokens of context asked for; passages are shorter, and another number loads the model anew."""
QUERY_SECONDS = 45.0
"""For the vector of a query; the search goes on by words alone then."""
LOOK_SECONDS = 5.0
QUIET_SECONDS = 10.0
"""How long a batch lets people's questions go first before it has its turn."""
SHORTEST = 32
"""Code points; a text that is refused at this length is refused for something else."""


class OllamaEmbedder:
    """`Embedder` with the model `name` of the Ollama that the settings name."""

    provider = "ollama"

    def __init__(self, settings: LlmSettings, name: str, locale: Locale = "en") -> None:
        self.name = name
        self.wait_for_quiet: Callable[[float], bool] = lambda seconds: True
        """Called before each batch of documents with the seconds that it may take."""
        self._calls = EmbedCalls(settings, name, locale)
        self._timeout = settings.timeout
        self._locale = locale
        self._bound: tuple[str, int] = ("", 0)
        self._measured = 0
        self._window = WINDOW
        self._state: EmbedderState = "idle"
        self._local = threading.local()

    @property
    def model(self) -> str:
        """`ollama:<name>@<digest>`; "" until it is known."""
        return self._bound[0]

    @property
    def dim(self) -> int:
        """0 until it is known."""
        return self._bound[1]

    @property
    def state(self) -> EmbedderState:
        return self._state

    def bind(self, model: str, dim: int) -> None:
        """Embed with this model and no other, until `look` finds what there is."""
        self._bound = (model, dim)

    def look(self, seconds: float = LOOK_SECONDS) -> None:
        """See which model there is, and bind to it. Raises `EmbeddingAway` while Ollama does
        not answer, `EmbeddingMissing` where it has no such model, or one that cannot embed or
        is not on this machine. Not while a sync runs."""
        with self._watched():
            identity = self._identity(seconds)
            facts = self._calls.facts(seconds)
            if not facts.can("embedding"):
                raise self._cannot()
            self._window = min(WINDOW, facts.context or WINDOW)
            dim = self._measured or (self.dim if self.model == identity else facts.dim)
            if not dim:  # Ollama does not know it by heart: the model has to be loaded
                [vector] = self._calls.embed(["ready"], self._window, self._timeout)
                dim = len(vector)
            self._bound = (identity, dim)

    def close(self) -> None:
        self._calls.closed.set()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        document, _ = prefixes(self.name)
        self._local.shortened = set()
        return self._vectors(texts, document, self._timeout, polite=True)

    def embed_query(self, text: str) -> Vectors:
        _, query = prefixes(self.name)
        vector: Vectors = self._vectors([text], query, min(QUERY_SECONDS, self._timeout))[0]
        return vector

    def shortened(self) -> frozenset[str]:
        """The texts of this thread's last `embed_documents` of which only the beginning is
        embedded: the model takes no more."""
        return frozenset(getattr(self._local, "shortened", ()))

    def _vectors(
        self, texts: Sequence[str], prefix: str, seconds: float, *, polite: bool = False
    ) -> Vectors:
        import numpy as np

        if not self.dim:
            self._state = "unavailable"
            raise EmbeddingAway(self._say("Ollama was not reached yet", "Ollama war noch nie da"))
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        rows = [row for row, text in enumerate(texts) if text.strip()]
        for at in range(0, len(rows), AT_ONCE):
            some = rows[at : at + AT_ONCE]
            if polite:
                self.wait_for_quiet(QUIET_SECONDS)
            with self._watched():
                self._same_model()
                found = self._some([texts[row] for row in some], prefix, seconds)
                self._same_size(found)
                vectors[some] = [self._checked(vector) for vector in found]
        return vectors

    def _some(self, texts: Sequence[str], prefix: str, seconds: float) -> list[Any]:
        """Vectors of a few texts. One that Ollama does not like takes all of them with it: so
        they are halved until it is known which."""
        given = [prefix + self._bounded(text, prefix) for text in texts]
        try:
            return self._calls.embed(given, self._window, seconds)
        except Refused as refused:
            if len(texts) == 1:
                return [self._beginning(texts[0], prefix, seconds, refused)]
        half = len(texts) // 2
        left, right = texts[:half], texts[half:]
        return [*self._some(left, prefix, seconds), *self._some(right, prefix, seconds)]

    def _beginning(self, text: str, prefix: str, seconds: float, refused: Refused) -> Any:
        """The vector of as much of a text as the model takes."""
        kept = self._bounded(text, prefix)
        while refused.too_long and len(kept) > SHORTEST:
            kept = kept[: len(kept) // 2]
            try:
                [vector] = self._calls.embed([prefix + kept], self._window, seconds)
            except Refused as again:
                refused = again
            else:
                self._note_shortened(text)
                return vector
        raise EmbeddingUnavailable(refused.message) from refused

    def _bounded(self, text: str, prefix: str) -> str:
        """A text within the model's window by our estimate, cut behind a word."""
        room = self._window - tokens_of(prefix) - 2
        if tokens_of(text) <= room:
            return text
        self._note_shortened(text)
        return text[: head_end(text, int(room / MARGIN)) or room]

    def _note_shortened(self, text: str) -> None:
        if hasattr(self._local, "shortened"):
            self._local.shortened.add(text)

    def _checked(self, vector: Any) -> list[float]:
        """A vector of length 1. Raises where it is of another size or says nothing."""
        fits = isinstance(vector, list) and len(vector) == self.dim
        length = math.hypot(*vector) if fits and all(_is_number(x) for x in vector) else 0.0
        if not 1e-6 < length < math.inf:
            raise EmbeddingUnavailable(
                self._say(
                    f"the model {self.name} gave an empty vector",
                    f"das Modell {self.name} gab einen leeren Vektor",
                )
            )
        return [x / length for x in vector]

    def _same_size(self, vectors: list[Any]) -> None:
        """All of another size: then `look` was told another one than there is."""
        sizes = {len(vector) if isinstance(vector, list) else 0 for vector in vectors}
        if len(sizes) == 1 and not sizes <= {0, self.dim}:
            [self._measured] = sizes
            self._state = "unavailable"
            raise EmbeddingAway(
                self._say(
                    f"the model {self.name} gives {self._measured} numbers, not {self.dim}",
                    f"das Modell {self.name} gibt {self._measured} Zahlen, nicht {self.dim}",
                )
            )

    def _identity(self, seconds: float) -> str:
        return f"ollama:{self.name}@{self._calls.digest(seconds)[:12]}"

    def _same_model(self) -> None:
        if self._identity(LOOK_SECONDS) != self.model:
            self._state = "unavailable"
            raise EmbeddingAway(
                self._say(
                    f"the model {self.name} of Ollama is another one than before",
                    f"das Modell {self.name} von Ollama ist ein anderes als vorher",
                )
            )

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """What concerns every text becomes `EmbeddingAway`; the state follows."""
        try:
            yield
        except (ModelMissing, ModelNotLocal) as error:
            self._state = "unavailable"
            raise EmbeddingMissing(error.message, error.hint) from error
        except LlmError as error:
            self._state = "unavailable"
            raise EmbeddingAway(error.message, error.hint) from error
        except Refused as error:
            self._state = "unavailable"
            raise EmbeddingMissing(error.message) from error
        self._state = "ready"

    def _cannot(self) -> EmbeddingMissing:
        self._state = "unavailable"
        return EmbeddingMissing(
            self._say(
                f"the model {self.name} cannot embed",
                f"das Modell {self.name} kann keine Embeddings",
            ),
            self._say(
                "Set mindnet.embedding.model to one that can, such as nomic-embed-text.",
                "mindnet.embedding.model auf eines setzen, das es kann, etwa nomic-embed-text.",
            ),
        )

    def _say(self, en: str, de: str) -> str:
        return say(self._locale, en, de)


def name_of(model: str) -> str:
    """The name of the Ollama model that a store was built with, "" for another embedder's."""
    return model.removeprefix("ollama:").rpartition("@")[0] if model.startswith("ollama:") else ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
