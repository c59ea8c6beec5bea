"""Training pairs: what was asked, a passage of a hit, and what a person thought of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from core.api import Shape
from core.chunking.chunks import chunk_note
from core.chunking.profiles import profile_of
from core.config.load import Config
from core.errors import MindnetError
from core.feedback.shapes import HIGHEST, LOWEST, HistoryEntry
from core.ids import chunk_id
from core.ingest.records import excluded
from core.vault.index import VaultIndex
from core.vault.read import read_note

Passages = Callable[[str, str], str | None]
"""From note id and chunk id to the chunk's text, None where it may not be used or is gone."""


class Pair(Shape):
    """One line of the export. `label` is the rating as 0 to 1."""

    query_id: str
    query: str
    note_id: str
    chunk_id: str
    title: str
    text: str
    score: int
    label: float


def pairs(entries: Iterable[HistoryEntry], passages: Passages) -> Iterator[Pair]:
    """A pair for each rated hit, in the order of the history; hits without a passage are left
    out, and so are ratings of a whole answer."""
    for entry in entries:
        ratings = {rating.node_id: rating.score for rating in entry.feedback}
        for hit in entry.hits:
            score = ratings.get(hit.note_id)
            text = passages(hit.note_id, hit.chunk_id) if score is not None else None
            if score is not None and text is not None:
                yield Pair(
                    query_id=entry.query_id,
                    query=entry.query,
                    note_id=hit.note_id,
                    chunk_id=hit.chunk_id,
                    title=hit.title,
                    text=text,
                    score=score,
                    label=(score - LOWEST) / (HIGHEST - LOWEST),
                )


def vault_passages(root: Path, index: VaultIndex, config: Config) -> Passages:
    """The chunks of the notes as they are now. Notes with `embedding_exclude` give none: what
    is not shown to a model is not for training one."""

    @lru_cache(maxsize=64)
    def chunks(note_id: str) -> dict[str, str]:
        path = index.path_of(note_id)
        note = index.notes.get(path) if path is not None else None
        if note is None or excluded(note):
            return {}
        try:
            text = read_note(root, note.path).text
        except MindnetError:
            return {}
        profile = profile_of(config.types.effective(note).chunk_profile)
        found = chunk_note(note, text, profile)
        return {chunk_id(note_id, one.index): one.text.strip() for one in found}

    return lambda note_id, chunk: chunks(note_id).get(chunk)
