"""In how many chunks each term occurs: the basis of BM25's inverse document frequency.

Our own counts, not the backend's, so that every backend ranks alike and a score can
be explained. They are kept as two sorted arrays (8 bytes a term) and a small overlay
of recent changes; the file beside the store is written atomically. Counts that are a
little out of date only shift weights, so a stale lexicon is used until it is rebuilt.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from core.store.files import write_atomically
from core.store.ports import Collection, SparseVector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.uint32]

MERGE_AT = 200_000
"""Terms in the overlay from which on it is merged into the arrays."""

_MAGIC = b"mindnet-lexicon-1\n"


class Lexicon:
    """Document frequencies by term index.

    One writer at a time, which the store sees to; `frequency` and `idf` may run beside it.
    """

    def __init__(self) -> None:
        import numpy as np

        self.documents = 0
        """Number of chunks counted."""
        self.changed = False
        none = np.empty(0, dtype=np.uint32)
        self._base: tuple[Counts, Counts] = (none, none)  # terms, ascending, and their counts
        self._recent: Counter[int] = Counter()

    def add(self, vectors: Iterable[SparseVector]) -> None:
        """Count new chunks."""
        for vector in vectors:
            self._recent.update(vector.indices)
            self.documents += 1
            self.changed = True
            if len(self._recent) > MERGE_AT:
                self._merge()

    def remove(self, vectors: Iterable[SparseVector]) -> None:
        """Uncount chunks that were counted before."""
        for vector in vectors:
            self._recent.subtract(vector.indices)
            self.documents -= 1
            self.changed = True

    def frequency(self, terms: Iterable[int]) -> list[int]:
        """In how many chunks each term occurs."""
        import numpy as np

        wanted = list(terms)
        known, counts = self._base
        if not len(known):
            return [max(0, self._recent[term]) for term in wanted]
        keys = np.asarray(wanted, dtype=np.uint32)
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        stored = np.where(known[at] == keys, counts[at], 0).tolist()
        return [
            max(0, int(count) + self._recent[term])
            for term, count in zip(wanted, stored, strict=True)
        ]

    def idf(self, terms: Iterable[int]) -> list[float]:
        """BM25's rarity of each term: `ln(1 + (N - n + 0.5) / (n + 0.5))`, never negative."""
        total = max(self.documents, 0)
        return [math.log(1 + (max(total - n, 0) + 0.5) / (n + 0.5)) for n in self.frequency(terms)]

    def __len__(self) -> int:
        """Number of terms that occur."""
        return len(self._merged()[0])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lexicon):
            return NotImplemented
        mine, theirs = self._merged(), other._merged()
        return self.documents == other.documents and all(
            left.tolist() == right.tolist() for left, right in zip(mine, theirs, strict=True)
        )

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: Path) -> None:
        """Write the counts; raises `OSError`."""
        import numpy as np

        self._merge()
        terms, counts = self._base
        head = np.array([max(self.documents, 0), len(terms)], dtype="<u4")
        parts = (head, terms.astype("<u4"), counts.astype("<u4"))
        write_atomically(path, _MAGIC + b"".join(part.tobytes() for part in parts))
        self.changed = False

    @classmethod
    def load(cls, path: Path) -> Lexicon | None:
        """The counts in `path`; None where it is missing or not a whole lexicon."""
        import numpy as np

        try:
            data = path.read_bytes()
        except OSError:
            return None
        body = len(data) - len(_MAGIC)
        if not data.startswith(_MAGIC) or body < 8 or body % 4:
            return None
        numbers = np.frombuffer(data, dtype="<u4", offset=len(_MAGIC))
        documents, terms = int(numbers[0]), int(numbers[1])
        if len(numbers) != 2 + 2 * terms:
            return None
        found = cls()
        found.documents = documents
        found._base = (
            numbers[2 : 2 + terms].astype(np.uint32),
            numbers[2 + terms :].astype(np.uint32),
        )
        return found

    @classmethod
    def count(cls, chunks: Collection) -> Lexicon:
        """Count all chunks of a collection anew."""
        found = cls()
        found.changed = True
        found.add(point.sparse for point in chunks.scan(fields=[], vectors=True) if point.sparse)
        return found

    def _merge(self) -> None:
        """Take the overlay into the arrays."""
        self._base = self._merged()
        self._recent = Counter()

    def _merged(self) -> tuple[Counts, Counts]:
        """The arrays with the overlay in them; terms that occur no more are dropped."""
        if not self._recent:
            return self._base
        import numpy as np

        terms, counts = self._base
        size = len(self._recent)
        recent_terms = np.fromiter(self._recent.keys(), dtype=np.uint32, count=size)
        recent_counts = np.fromiter(self._recent.values(), dtype=np.int64, count=size)
        every, inverse = np.unique(np.concatenate([terms, recent_terms]), return_inverse=True)
        total = np.zeros(len(every), dtype=np.int64)
        np.add.at(total, inverse, np.concatenate([counts.astype(np.int64), recent_counts]))
        kept = total > 0
        return every[kept], total[kept].astype(np.uint32)
