"""Vectors for windows: stored ones are used again, the others are made in batches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from core.embedding.ports import RemoteEmbedder
from core.errors import EmbeddingAway, EmbeddingUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.embedding.ports import Embedder

    Vector = NDArray[np.float32]

MAX_EMBEDDED = 20_000
"""Code points of a window that the model is given. Only an uncuttable line is longer."""

AT_ONCE = 64
"""Windows given to the model in one call."""

_CONTENT = re.compile(r"\w")


def embeddable(window: str) -> bool:
    """Whether there is anything in a window that a model could understand."""
    return _CONTENT.search(window) is not None


class WindowVectors:
    """The vectors of one batch of notes.

    `counted` says how many texts were given to the model. A group of windows that the
    model fails on is in `failed`, with the reason; `away` is the reason where the model fails
    whatever it is given. `shortened` are windows that it took only the beginning of.
    """

    def __init__(self, known: Mapping[str, Vector]) -> None:
        self._vectors: dict[str, Vector] = dict(known)
        self.counted = 0
        self.failed: dict[str, str] = {}
        self.shortened: set[str] = set()
        self.away = ""

    def __getitem__(self, window: str) -> Vector:
        return self._vectors[window]

    @property
    def made(self) -> Mapping[str, Vector]:
        """All vectors by window, those that were known before as well."""
        return self._vectors

    def make(
        self,
        embedder: Embedder,
        groups: Mapping[str, Sequence[str]],
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """Embed what is not known of each named group, all together if that works.

        Where it does not, each group is tried on its own, so that one that the model
        refuses does not take the others with it. `pause` is called from time to time, and
        may raise; what was made until then is kept.
        """
        missing = {
            name: [w for w in dict.fromkeys(windows) if w not in self._vectors]
            for name, windows in groups.items()
        }
        missing = {name: windows for name, windows in missing.items() if windows}
        if not missing:
            return
        together = list(dict.fromkeys(w for windows in missing.values() for w in windows))
        try:
            self._embed(embedder, together, pause)
        except EmbeddingAway as error:
            self._give_up(missing, error)
        except EmbeddingUnavailable as error:
            if len(missing) == 1:
                self.failed[next(iter(missing))] = error.message
                return
            for name, windows in missing.items():
                try:
                    left = [w for w in windows if w not in self._vectors]
                    self._embed(embedder, left, pause)
                except EmbeddingAway as gone:
                    self._give_up(missing, gone)
                    return
                except EmbeddingUnavailable as own:
                    self.failed[name] = own.message

    def _embed(self, embedder: Embedder, windows: Sequence[str], pause: Callable[[], None]) -> None:
        for at in range(0, len(windows), AT_ONCE):
            some = windows[at : at + AT_ONCE]
            rows = embedder.embed_documents([window[:MAX_EMBEDDED] for window in some])
            if rows.shape != (len(some), embedder.dim) or not embedder.dim:
                raise EmbeddingUnavailable(
                    f"{embedder.model} gave vectors of shape {rows.shape}, "
                    f"not {(len(some), embedder.dim)}"
                )
            if isinstance(embedder, RemoteEmbedder):
                cut = embedder.shortened()
                self.shortened |= {window for window in some if window[:MAX_EMBEDDED] in cut}
            self.counted += len(some)
            self._vectors.update(zip(some, rows, strict=True))
            pause()

    def _give_up(self, missing: Mapping[str, Sequence[str]], error: EmbeddingAway) -> None:
        """All groups of which anything is missing fail: trying them would take for ever."""
        self.away = error.message
        for name, windows in missing.items():
            if any(window not in self._vectors for window in windows):
                self.failed[name] = error.message


def mean_vector(vectors: Sequence[Vector]) -> Vector | None:
    """The mean of unit vectors, of length 1; None for no vectors or ones that cancel out."""
    if not vectors:
        return None
    import numpy as np

    mean = np.mean(np.stack(vectors), axis=0, dtype=np.float64)
    length = float(np.linalg.norm(mean))
    if not np.isfinite(length) or length < 1e-9:
        return None
    return np.asarray(mean / length, dtype=np.float32)
