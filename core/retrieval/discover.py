"""Suggested edges: notes that a note should link to, with the evidence and the exact edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.api import AnalyzeRequest, AnalyzeResponse, Suggestion
from core.chunking.chunks import Chunk, chunk_note
from core.chunking.profiles import profile_of
from core.config.load import Config
from core.embedding.sparse import word_terms, words_of
from core.features.document import Document
from core.features.linktext import alias_text, wikilink_target
from core.ingest.embed import MAX_EMBEDDED
from core.ingest.records import excluded
from core.locale import Locale, say
from core.parse import parse_note
from core.retrieval.mentions import Common, Mention, mentions
from core.retrieval.named import MIN_LETTERS, NameBook
from core.retrieval.passages import insertion, is_telling, shares_wording, some
from core.retrieval.scales import scale_of
from core.store.ports import Eq, Where
from core.text import fold
from core.vault.index import VaultIndex
from core.vault.read import read_note

if TYPE_CHECKING:
    from core.embedding.ports import Embedder
    from core.store.generation import Generation
    from core.store.ports import Vector

EXACT_MENTION, INFLECTED_MENTION = 0.85, 0.7
MAX_PASSAGES = 12
"""Chunks of one note whose meaning is looked up."""
PER_PASSAGE = 24
MEANING_WEIGHT = 0.8
"""Meaning alone is weaker evidence than a name."""
ABOVE_OTHERS = 0.12
"""How much nearer than the others around a passage a note must be to count fully. A text
that is near everything (Radovanović's hubs) says nothing about any one note."""
MIN_SCORE = 0.4
ALIKE = 0.1
"""How far above the upper end of the scale the cosine of two notes of one type must be for
them to be called similar, not just related."""
COMMON, COMMON_SMALL = 0.05, 0.01
"""Share of the chunks that hold a word from which on it is no sign of one note; the second
for a word in small letters, which is hardly ever meant as a name."""
COMMON_LEAST, COMMON_SMALL_LEAST = 20, 3
REFERENCES, SIMILAR, RELATED = "references", "similar_to", "related_to"


_NAME_WORD = re.compile(r"[^\W_]+")


@dataclass
class _Evidence:
    mention: Mention | None = None
    cosine: float = 0.0
    meaning: float = 0.0
    passage: Chunk | None = None

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
        self._names: tuple[VaultIndex, NameBook] | None = None

    def suggest(self, request: AnalyzeRequest, *, vectors: bool = True) -> AnalyzeResponse:
        """Edges that the note does not have yet, strongest first.

        Raises what `read_note` raises where no text is given, and `StoreError`.
        """
        text = request.text
        if text is None:
            text = read_note(self._root, request.path).text
        document = Document.of(parse_note(request.path, text), text)
        saved = self._index()
        index = saved.update([document.note])
        start, end = _range(document, request)
        evidence: dict[str, _Evidence] = {}
        names = self._names_in(saved)
        for mention in mentions(names, document, start, end, self._common(index, document)):
            evidence[mention.path] = _Evidence(mention)
        if vectors and self._embedder is not None and not excluded(document.note):
            self._by_meaning(document, start, end, index, evidence)
        known = {path for path in index.targets(request.path) if path} | {request.path}
        # somebody linked them already; the other way round, meaning says nothing new
        linked_from = set(index.sources(request.path))
        ranked = sorted(
            (
                (one.score, path)
                for path, one in evidence.items()
                if path not in known and path in index.notes
                if one.mention is not None or path not in linked_from
            ),
            key=lambda pair: (-pair[0], pair[1]),
        )
        return AnalyzeResponse(
            suggestions=[
                self._suggestion(index, document, path, evidence[path], request.locale)
                for score, path in ranked[: max(0, request.top_k)]
                if score >= MIN_SCORE
            ]
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
        evidence: dict[str, _Evidence],
    ) -> None:
        embedder = self._embedder
        assert embedder is not None
        type_ = self._config().types.effective(document.note)
        chunks = [
            chunk
            for chunk in chunk_note(document.note, document.text, profile_of(type_.chunk_profile))
            if chunk.start < end and chunk.end > start and is_telling(chunk.text)
        ]
        low, high = self._scale()
        own = index.note_id(document.path)
        for chunk, vector in self._vectors(embedder, some(chunks, MAX_PASSAGES), own):
            near = self._near(vector, chunk.text, own)
            total = sum(near.values())
            for path, cosine in near.items():
                one = evidence.setdefault(path, _Evidence())
                others = (total - cosine) / (len(near) - 1) if len(near) > 1 else low
                around = max(low, others)
                size = min(1.0, max(0.0, (cosine - low) / (high - low)))
                meaning = size * min(1.0, max(0.0, (cosine - around) / ABOVE_OTHERS))
                if meaning > one.meaning:
                    one.meaning, one.cosine, one.passage = meaning, cosine, chunk

    def _vectors(
        self, embedder: Embedder, chunks: Sequence[Chunk], own: str
    ) -> Iterator[tuple[Chunk, Vector]]:
        """Each passage with its vector: the stored one where the text has not changed."""
        # whole windows, as in the store, so that both sides were embedded alike
        stored = self._generation().chunks.scan(Eq("note_id", own), ["window"], vectors=True)
        known = {p.payload["window"]: p.vector for p in stored if p.vector is not None}
        missing = [chunk.window for chunk in chunks if chunk.window not in known]
        if missing:
            found = embedder.embed_documents([window[:MAX_EMBEDDED] for window in missing])
            known.update(zip(missing, found, strict=True))
        for chunk in chunks:
            vector = known[chunk.window]
            if vector.any():
                yield chunk, vector

    def _near(self, vector: Vector, text: str, own: str) -> dict[str, float]:
        """The notes near a passage with their highest cosine."""
        others = Where(none=[Eq("note_id", own)])
        found: dict[str, float] = {}
        for hit in self._generation().chunks.search(vector, others, PER_PASSAGE, ("path", "text")):
            other = str(hit.payload["text"])
            if is_telling(other) and not shares_wording(text, other):
                found.setdefault(str(hit.payload["path"]), hit.score)
        return found

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
            kind = self._kind(document, index, path, one)
            shown = "" if target != index.note_id(path) else alias_text(note.title)
            link = f"[[rel:{kind} {target}{f'|{shown}' if shown else ''}]]"
            start, new_text = insertion(document, one.passage, link)
            end = start
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

    def _kind(self, document: Document, index: VaultIndex, path: str, one: _Evidence) -> str:
        types, (_, high) = self._config().types, self._scale()
        same = types.effective(document.note).name == types.effective(index.notes[path]).name
        return SIMILAR if same and one.cosine >= high + ALIKE else RELATED

    def _scale(self) -> tuple[float, float]:
        return scale_of(self._embedder.model if self._embedder else "")


def _range(document: Document, request: AnalyzeRequest) -> tuple[int, int]:
    lines = document.lines
    start, end = document.note.body_start, len(document.text)
    if request.start_line is not None:
        start = max(start, lines.start(request.start_line))
    if request.end_line is not None:
        end = min(end, lines.end(request.end_line))
    return start, max(start, end)


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
