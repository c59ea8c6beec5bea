"""Suggested edges: notes that a note should link to, with the evidence and the exact edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.api import AnalyzeRequest, AnalyzeResponse, Suggestion
from core.chunking.chunks import Chunk, chunk_note
from core.chunking.profiles import profile_of
from core.config.load import Config
from core.features.document import Document
from core.features.linktext import alias_text, wikilink_target
from core.ingest.records import excluded
from core.locale import Locale, say
from core.parse import parse_note
from core.retrieval.mentions import Mention, mentions
from core.store.ports import Eq, Where
from core.vault.index import VaultIndex
from core.vault.read import read_note

if TYPE_CHECKING:
    from core.embedding.ports import Embedder
    from core.store.generation import Generation
    from core.store.ports import Vector

EXACT_MENTION, INFLECTED_MENTION = 0.85, 0.7
MAX_PASSAGES = 16
"""Chunks of one note whose meaning is looked up."""
PER_PASSAGE = 12
MEANING_WEIGHT = 0.8
"""Meaning alone is weaker evidence than a name."""
_SCALES = {"use-multilingual-v3": (0.30, 0.75)}
"""By model: the cosine of texts on other topics (nearly all of them), and of close ones.
Measured on notes about one topic: median 0.26, others 0.15, their 99th percentile 0.37."""
_SCALE = (0.5, 0.9)
REFERENCES, SIMILAR, RELATED = "references", "similar_to", "related_to"


@dataclass
class _Evidence:
    mention: Mention | None = None
    cosine: float = 0.0
    meaning: float = 0.0
    passage: Chunk | None = None
    reasons: list[str] = field(default_factory=list)

    @property
    def score(self) -> float:
        named = 0.0
        if self.mention is not None:
            named = EXACT_MENTION if self.mention.exact else INFLECTED_MENTION
        return 1 - (1 - named) * (1 - MEANING_WEIGHT * self.meaning)


class Discoverer:
    """Suggests edges for one note at a time. Safe in several threads; blocks."""

    def __init__(
        self,
        root: Path,
        generation: Callable[[], Generation],
        index: Callable[[], VaultIndex],
        embedder: Embedder | None,
        config: Callable[[], Config],
    ) -> None:
        self._root = root
        self._generation = generation
        self._index = index
        self._embedder = embedder
        self._config = config

    def suggest(self, request: AnalyzeRequest, *, vectors: bool = True) -> AnalyzeResponse:
        """Edges that the note does not have yet, strongest first.

        Raises what `read_note` raises where no text is given, and `StoreError`.
        """
        text = request.text
        if text is None:
            text = read_note(self._root, request.path).text
        document = Document.of(parse_note(request.path, text), text)
        index = self._index().update([document.note])
        start, end = _range(document, request)
        evidence: dict[str, _Evidence] = {}
        for mention in mentions(index, document, start, end):
            evidence[mention.path] = _Evidence(mention)
        if vectors and self._embedder is not None and not excluded(document.note):
            self._by_meaning(document, start, end, index, evidence)
        known = {path for path in index.targets(request.path) if path} | {request.path}
        ranked = sorted(
            ((one.score, path) for path, one in evidence.items() if path not in known),
            key=lambda pair: (-pair[0], pair[1]),
        )
        return AnalyzeResponse(
            suggestions=[
                self._suggestion(index, document, path, evidence[path], request.locale)
                for score, path in ranked[: request.top_k]
                if score > 0
            ]
        )

    def _by_meaning(
        self,
        document: Document,
        start: int,
        end: int,
        index: VaultIndex,
        evidence: dict[str, _Evidence],
    ) -> None:
        embedder = self._embedder
        assert embedder is not None
        type_ = self._config().types.effective(document.note)
        chunks = [
            chunk
            for chunk in chunk_note(document.note, document.text, profile_of(type_.chunk_profile))
            if chunk.start < end and chunk.end > start and chunk.text.strip()
        ][:MAX_PASSAGES]
        low, high = _SCALES.get(embedder.model, _SCALE)
        own = index.note_id(document.path)
        # whole windows, as in the store, so that both sides were embedded alike
        for chunk, vector in zip(
            chunks, embedder.embed_documents([chunk.window for chunk in chunks]), strict=True
        ):
            for path, cosine in self._near(vector, own):
                one = evidence.setdefault(path, _Evidence())
                if cosine > one.cosine:
                    one.cosine, one.passage = cosine, chunk
                    one.meaning = min(1.0, max(0.0, (cosine - low) / (high - low)))

    def _near(self, vector: Vector, own: str) -> Iterable[tuple[str, float]]:
        if not vector.any():
            return
        others = Where(none=[Eq("note_id", own)])
        for hit in self._generation().chunks.search(vector, others, PER_PASSAGE, ("path",)):
            yield str(hit.payload["path"]), hit.score

    def _suggestion(
        self, index: VaultIndex, document: Document, path: str, one: _Evidence, locale: Locale
    ) -> Suggestion:
        target = wikilink_target(index, path, document.path)
        note = index.notes[path]
        if one.mention is not None:
            start, end = one.mention.start, one.mention.end
            written = document.text[start:end]
            alias = alias_text(written)
            new_text = f"[[{target}]]" if alias in ("", target) else f"[[{target}|{alias}]]"
            kind = REFERENCES
        else:
            kind = self._kind(document, index, path)
            start = end = _end_of_passage(document, one.passage)
            new_text = f"{document.lines.eol * 2}[[rel:{kind} {target}]]"
        return Suggestion(
            target_note_id=index.note_id(path),
            title=note.title,
            path=path,
            kind=kind,
            score=round(one.score, 6),
            reasons=_reasons(one, document, note.title, locale),
            start=start,
            end=end,
            new_text=new_text,
        )

    def _kind(self, document: Document, index: VaultIndex, path: str) -> str:
        types = self._config().types
        same = types.effective(document.note).name == types.effective(index.notes[path]).name
        return SIMILAR if same else RELATED


def _range(document: Document, request: AnalyzeRequest) -> tuple[int, int]:
    lines = document.lines
    start, end = document.note.body_start, len(document.text)
    if request.start_line is not None:
        start = max(start, lines.start(request.start_line))
    if request.end_line is not None:
        end = min(end, lines.end(request.end_line))
    return start, max(start, end)


def _end_of_passage(document: Document, chunk: Chunk | None) -> int:
    """Where a relation about a passage is written: behind its last word."""
    end = chunk.end if chunk else len(document.text)
    return len(document.text[:end].rstrip())


def _reasons(one: _Evidence, document: Document, title: str, locale: Locale) -> list[str]:
    found = []
    if one.mention is not None:
        written = document.text[one.mention.start : one.mention.end]
        line = document.lines.line_at(one.mention.start) + 1
        found.append(
            say(
                locale,
                f"line {line} names “{title}” as “{written}”",
                f"Zeile {line} nennt „{title}“ als „{written}“",
            )
        )
    if one.meaning > 0 and one.passage is not None:
        place = f"{one.passage.start_line + 1}–{one.passage.end_line + 1}"
        near = f"{one.cosine:.2f}"
        found.append(
            say(
                locale,
                f"close in meaning to lines {place} (cosine {near})",
                f"ähnlicher Sinn wie Zeilen {place} (Kosinus {near})",
            )
        )
    return found
