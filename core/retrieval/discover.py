"""Suggested edges: notes that a note should link to, with the evidence and the exact edit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.api import AnalyzeRequest, AnalyzeResponse, NearPassage, Suggestion
from core.chunking.chunks import Chunk, chunk_note
from core.chunking.profiles import profile_of
from core.config.load import Config
from core.features.document import Document
from core.features.suggested import Suggested, write
from core.ingest.records import excluded
from core.model import Span
from core.parse import parse_note
from core.retrieval.mentions import mentions
from core.retrieval.named import NameBook
from core.retrieval.passages import is_telling, some
from core.retrieval.scales import scale_of
from core.suggest.common import common_words
from core.suggest.company import company
from core.suggest.dismissed import Dismissed, listed, note_id_of
from core.suggest.evidence import EXACT_MENTION, INFLECTED_MENTION, Evidence
from core.suggest.kinds import Kinds
from core.suggest.likely import compare
from core.suggest.meaning import Near, Nearness
from core.suggest.reasons import reasons
from core.suggest.related import related
from core.suggest.shapes import DismissedSuggestion, RelatedRequest, RelatedResponse
from core.vault.index import VaultIndex
from core.vault.read import read_note

if TYPE_CHECKING:
    from core.embedding.ports import Embedder
    from core.store.generation import Generation

__all__ = ["EXACT_MENTION", "INFLECTED_MENTION", "Discoverer"]

MAX_PASSAGES = 12
"""Chunks of one note whose meaning is looked up."""
NEAR_PER_PASSAGE = 8
MIN_SCORE = 0.4
ALIKE = 0.1
"""How far above the upper end of the scale the cosine of two notes of one type must be for
them to be called similar, not just related."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Targets by path, likeliest first, for a document in the index that has it."""

    document: Document
    index: VaultIndex
    near: list[Near]
    best: dict[str, Evidence]


class Discoverer:
    """Suggests edges for one note at a time. Safe in several threads; blocks."""

    def __init__(
        self,
        root: Path,
        generation: Callable[[], Generation],
        index: Callable[[], VaultIndex],
        embedder: Embedder | None,
        config: Callable[[], Config],
        *,
        folder: Path | None = None,
    ) -> None:
        """`folder` is where it is remembered what a person dismissed; None remembers it for
        the process."""
        self._root = root
        self._generation = generation
        self._index = index
        self._embedder = embedder
        self._config = config
        self.dismissed = Dismissed(folder)
        self._names: tuple[VaultIndex, NameBook] | None = None

    def suggest(self, request: AnalyzeRequest, *, vectors: bool = True) -> AnalyzeResponse:
        """Edges that the note does not have yet, likeliest first, and, where asked for, what
        is near each of its passages. Raises as `ranked`."""
        found = self.ranked(request, vectors=vectors)
        document, index = found.document, found.index
        kinds = Kinds(index, self._config(), document)
        return AnalyzeResponse(
            suggestions=[
                self._suggestion(index, document, path, one, kinds, request)
                for path, one in found.best.items()
            ],
            passages=_passages(found.near, index, document.path) if request.passages else [],
        )

    def ranked(self, request: AnalyzeRequest, *, vectors: bool = True) -> Ranked:
        """What `suggest` suggests, before it is written down.

        Raises what `read_note` raises where no text is given, and `StoreError`.
        """
        document = self._document(request.path, request.text)
        saved = self._index()
        index = saved.update([document.note])
        start, end = _range(document, request)
        names, common = self._names_in(saved), common_words(self._generation(), index, document)
        named = mentions(names, document, start, end, common)
        evidence = {mention.path: Evidence(mention) for mention in named}
        by_meaning = vectors and self._embedder is not None and not excluded(document.note)
        near = self._by_meaning(document, start, end, index, evidence) if by_meaning else []
        self._by_company(document.path, index, evidence)
        chunks = [one for one in self._chunks(document) if one.start < end and one.end > start]
        weights = self._config().retriever.linking
        compare(evidence, document, chunks, index, self._generation(), weights, vectors=by_meaning)
        known = {path for path in index.targets(request.path) if path} | {request.path}
        unwanted = set(self.dismissed.of(note_id_of(index, request.path)))
        # somebody linked them already; the other way round, only a name says something new
        linked_from = set(index.sources(request.path))
        least = MIN_SCORE if request.min_score is None else request.min_score
        order = sorted(
            (-one.order, path)
            for path, one in evidence.items()
            if path not in known and path in index.notes
            if one.mention is not None or path not in linked_from
            if one.score >= least and index.note_id(path) not in unwanted
        )
        best = {path: evidence[path] for _, path in order[: max(0, request.top_k)]}
        return Ranked(document, index, near, best)

    def related(self, request: RelatedRequest, *, vectors: bool = True) -> RelatedResponse:
        """The notes related to one, linked or not. Raises as `suggest`, and
        `EmbeddingUnavailable`."""
        document = self._document(request.path, request.text)
        index, config = self._index().update([document.note]), self._config()
        start, end = request.start or 0, request.end
        selection = None if end is None or end <= start else (start, end)
        usable = vectors and not excluded(document.note)
        found = related(
            document,
            self._chunks(document),
            selection,
            self._generation(),
            index,
            self._embedder if usable else None,
            config.retriever.scoring,
            own=note_id_of(index, document.path),
            top_k=request.top_k,
            locale=request.locale,
        )
        return RelatedResponse(hits=found)

    def listed(self, path: str | None = None) -> list[DismissedSuggestion]:
        """What was dismissed, of one note or of all."""
        return listed(self.dismissed, self._index(), path)

    def dismiss(self, path: str, target_id: str) -> bool:
        """Never suggest this target for the note again; False where that was known."""
        return self.dismissed.dismiss(note_id_of(self._index(), path), target_id)

    def restore(self, path: str, target_id: str | None) -> int:
        """Suggest a dismissed target again, or all of the note; how many that are."""
        return self.dismissed.restore(note_id_of(self._index(), path), target_id)

    def _document(self, path: str, text: str | None) -> Document:
        if text is None:
            text = read_note(self._root, path).text
        return Document.of(parse_note(path, text), text)

    def _chunks(self, document: Document) -> tuple[Chunk, ...]:
        type_ = self._config().types.effective(document.note)
        return chunk_note(document.note, document.text, profile_of(type_.chunk_profile))

    def _names_in(self, index: VaultIndex) -> NameBook:
        """The names of a state of the vault; the last one is kept."""
        known = self._names
        if known is None or known[0] is not index:
            known = self._names = (index, NameBook(index.notes.values()))
        return known[1]

    def _by_meaning(
        self,
        document: Document,
        start: int,
        end: int,
        index: VaultIndex,
        evidence: dict[str, Evidence],
    ) -> list[Near]:
        embedder = self._embedder
        assert embedder is not None
        chunks = [
            chunk
            for chunk in self._chunks(document)
            if chunk.start < end and chunk.end > start and is_telling(chunk.text)
        ]
        nearness = Nearness(self._generation(), embedder, scale_of(embedder.model))
        own = index.note_id(document.path)
        near = nearness.near(some(chunks, MAX_PASSAGES), own)
        nearness.judge(near, own)
        for one in near:
            found = evidence.setdefault(one.path, Evidence())
            meaning = nearness.strength(one)
            if meaning > found.meaning:
                found.meaning, found.cosine, found.passage = meaning, one.cosine, one.passage
        return near

    def _by_company(self, path: str, index: VaultIndex, evidence: dict[str, Evidence]) -> None:
        weight = self._config().retriever.linking.company
        for other, found in company(index, path).items():
            one = evidence.setdefault(other, Evidence())
            one.company = weight * found.score
            one.shared, one.citing = tuple(found.shared), tuple(found.citing)

    def _suggestion(
        self,
        index: VaultIndex,
        document: Document,
        path: str,
        one: Evidence,
        kinds: Kinds,
        request: AnalyzeRequest,
    ) -> Suggestion:
        note = index.notes[path]
        high = scale_of(self._embedder.model if self._embedder else "")[1]
        proposed = kinds.propose(path, one, alike=one.cosine >= high + ALIKE)
        about = None
        if one.mention is not None:
            about = Span(one.mention.start, one.mention.end)
        elif one.passage is not None:
            about = Span(one.passage.start, one.passage.end)
        why = reasons(one, document, index, note.title, request.locale)
        edge = Suggested(
            path,
            index.note_id(path),
            note.title,
            proposed.kind,
            round(one.score, 6),
            (*why, *kinds.reason(proposed, request.locale)),
            about,
            one.mention is not None,
        )
        written = write(index, document, edge, request.form)
        return Suggestion(
            target_note_id=edge.note_id,
            title=edge.title,
            path=path,
            kind=written.kind,
            score=edge.score,
            reasons=list(edge.reasons if written.kind == edge.kind else why),
            start=written.start,
            end=written.end,
            new_text=written.new_text,
            form=written.form,
            edge_kind=edge.kind,
            about=None if about is None else (about.start, about.end),
            mention=edge.mention,
        )


def _range(document: Document, request: AnalyzeRequest) -> tuple[int, int]:
    lines = document.lines
    start, end = document.note.body_start, len(document.text)
    if request.start_line is not None:
        start = max(start, lines.start(request.start_line))
    if request.end_line is not None:
        end = min(end, lines.end(request.end_line))
    return start, max(start, end)


def _passages(near: Sequence[Near], index: VaultIndex, own: str) -> list[NearPassage]:
    """What is near each passage, nearest first; the notes that are linked already left out."""
    known = {*index.targets(own), own}
    found: dict[tuple[int, int], list[tuple[float, str]]] = {}
    for one in near:
        if one.path in index.notes and one.path not in known:
            place = (one.passage.start, one.passage.end)
            found.setdefault(place, []).append((-one.cosine, one.path))
    return [
        NearPassage(
            start=start, end=end, paths=[path for _, path in sorted(paths)[:NEAR_PER_PASSAGE]]
        )
        for (start, end), paths in sorted(found.items())
    ]
