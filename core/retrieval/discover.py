"""Suggested edges: notes that a note should link to, with the evidence and the exact edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.api import AnalyzeRequest, AnalyzeResponse, NearPassage, Suggestion
from core.chunking.chunks import chunk_note
from core.chunking.profiles import profile_of
from core.config.load import Config
from core.embedding.sparse import word_terms, words_of
from core.features.document import Document
from core.features.suggested import Suggested, write
from core.ids import path_note_id
from core.ingest.records import excluded
from core.model import Span
from core.parse import parse_note
from core.retrieval.mentions import Common, mentions
from core.retrieval.named import MIN_LETTERS, NameBook
from core.retrieval.passages import is_telling, some
from core.retrieval.scales import scale_of
from core.store.ports import Eq
from core.suggest.company import company
from core.suggest.dismissed import Dismissed
from core.suggest.evidence import EXACT_MENTION, INFLECTED_MENTION, Evidence
from core.suggest.kinds import Kinds
from core.suggest.meaning import Near, Nearness
from core.suggest.reasons import reasons
from core.text import fold
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
COMMON, COMMON_SMALL = 0.05, 0.01
"""Share of the chunks that hold a word from which on it is no sign of one note; the second
for a word in small letters, which is hardly ever meant as a name."""
COMMON_LEAST, COMMON_SMALL_LEAST = 20, 3

_NAME_WORD = re.compile(r"[^\W_]+")


class Discoverer:
    """Suggests edges for one note at a time. Safe in several threads; blocks."""

    def __init__(
        self,
        root: Path,
        generation: Callable[[], Generation],
        index: Callable[[], VaultIndex],
        embedder: Embedder | None,
        config: Callable[[], Config],
        dismissed: Dismissed | None = None,
    ) -> None:
        self._root = root
        self._generation = generation
        self._index = index
        self._embedder = embedder
        self._config = config
        self.dismissed = dismissed or Dismissed()
        """What a person does not want to see again."""
        self._names: tuple[VaultIndex, NameBook] | None = None

    def suggest(self, request: AnalyzeRequest, *, vectors: bool = True) -> AnalyzeResponse:
        """Edges that the note does not have yet, strongest first, and, where asked for, what
        is near each of its passages.

        Raises what `read_note` raises where no text is given, and `StoreError`.
        """
        text = request.text
        if text is None:
            text = read_note(self._root, request.path).text
        document = Document.of(parse_note(request.path, text), text)
        saved = self._index()
        index = saved.update([document.note])
        start, end = _range(document, request)
        evidence: dict[str, Evidence] = {}
        names = self._names_in(saved)
        for mention in mentions(names, document, start, end, self._common(index, document)):
            evidence[mention.path] = Evidence(mention)
        near: list[Near] = []
        if vectors and self._embedder is not None and not excluded(document.note):
            near = self._by_meaning(document, start, end, index, evidence)
        self._by_company(document.path, index, evidence)
        known = {path for path in index.targets(request.path) if path} | {request.path}
        unwanted = set(self.dismissed.of(_note_id(index, request.path)))
        # somebody linked them already; the other way round, only a name says something new
        linked_from = set(index.sources(request.path))
        ranked = sorted(
            (
                (one.score, path)
                for path, one in evidence.items()
                if path not in known and path in index.notes
                if one.mention is not None or path not in linked_from
                if index.note_id(path) not in unwanted
            ),
            key=lambda pair: (-pair[0], pair[1]),
        )
        best = [path for score, path in ranked if score >= MIN_SCORE][: max(0, request.top_k)]
        kinds = Kinds(index, self._config(), document)
        return AnalyzeResponse(
            suggestions=[
                self._suggestion(index, document, path, evidence[path], kinds, request)
                for path in best
            ],
            passages=_passages(near, index, known) if request.passages else [],
        )

    def _names_in(self, index: VaultIndex) -> NameBook:
        """The names of a state of the vault; the last one is kept."""
        known = self._names
        if known is None or known[0] is not index:
            known = self._names = (index, NameBook(index.notes.values()))
        return known[1]

    def _common(self, index: VaultIndex, document: Document) -> Common:
        """What a word of the text cannot mean by itself; looks up each pair once.

        That is a word that many notes use, and one from the name of another note that is
        linked here already: behind a link to “Ada Lovelace, letters”, “Lovelace” is she.
        """
        generation = self._generation()
        lexicon, chunks = generation.lexicon, generation.chunks
        linked = {path for path in index.targets(document.path) if path}
        taken = {
            fold(word): path
            for path in sorted(linked)
            for word in _NAME_WORD.findall(f"{index.notes[path].title} {index.notes[path].stem}")
            if len(word) >= MIN_LETTERS
        }

        @cache
        def common(word: str, path: str) -> bool:
            if any(other != path and fold(word).startswith(one) for one, other in taken.items()):
                return True
            stems = [stem for one in words_of(word) for stem in word_terms(one).stems]
            uses = max(lexicon.frequency(stems), default=0)
            least = COMMON_SMALL_LEAST if word[:1].islower() else COMMON_LEAST
            if uses <= least:
                return False
            # its own chunks all carry the name
            uses -= chunks.count(Eq("note_id", index.note_id(path)))
            share = COMMON_SMALL if word[:1].islower() else COMMON
            return uses > max(least, share * lexicon.documents)

        return common

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
        type_ = self._config().types.effective(document.note)
        chunks = [
            chunk
            for chunk in chunk_note(document.note, document.text, profile_of(type_.chunk_profile))
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
        for other, found in company(index, path).items():
            one = evidence.setdefault(other, Evidence())
            one.company = found.score
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


def _note_id(index: VaultIndex, path: str) -> str:
    return index.note_id(path) if path in index.notes else path_note_id(path)


def _range(document: Document, request: AnalyzeRequest) -> tuple[int, int]:
    lines = document.lines
    start, end = document.note.body_start, len(document.text)
    if request.start_line is not None:
        start = max(start, lines.start(request.start_line))
    if request.end_line is not None:
        end = min(end, lines.end(request.end_line))
    return start, max(start, end)


def _passages(near: Sequence[Near], index: VaultIndex, known: set[str]) -> list[NearPassage]:
    """What is near each passage, nearest first; the notes that are linked already left out."""
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
