"""From ranked candidates to hits: with their text, and with reasons where asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from core.api import QueryHit, QueryRequest
from core.config.load import Config
from core.embedding.sparse import MatchedWord, QueryWords, word_terms, words_of
from core.explanation import Fact, LinksFact
from core.retrieval.candidates import Candidate
from core.retrieval.explain import facts, sentences
from core.retrieval.fuse import factor
from core.retrieval.graph import Neighbourhood, is_smart, links_from, links_to, neighbourhood
from core.retrieval.rank import Scored
from core.store.ports import Collection, Point


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells of the hits of one query."""

    request: QueryRequest
    config: Config
    words: QueryWords | None
    near: Neighbourhood | None
    far: float
    """The cosine that the model gives to texts which have nothing in common."""
    phrases: Sequence[str] = ()
    """Quoted parts of the query, as words with one space between them."""
    called: str = ""
    """Id of the note that the whole query is a name of."""

    def hits(
        self, chunks: Collection, edges: Collection, ranked: Sequence[Scored]
    ) -> list[QueryHit]:
        """The hits in their order; those deleted since they were found are left out."""
        near = self._links(edges, [scored.one.note_id for scored in ranked])
        ids = [scored.one.chunk_id for scored in ranked]
        points = {point.id: point for point in chunks.get(ids, vectors=True)}
        titles = {s.one.note_id: str(s.one.payload.get("title", "")) for s in ranked}
        top = max((s.one.semantic for s in ranked), default=0.0)
        hits = []
        for scored in ranked:
            point = points.get(scored.one.chunk_id)
            if point is not None:
                explain = self.request.explain
                why = self._facts(scored.one, point, titles, top, near) if explain else []
                told = sentences(why, self.config.relations, self.request.locale)
                hits.append(_hit(scored, point, told, why))
        return hits

    def _links(self, edges: Collection, hits: Sequence[str]) -> Neighbourhood | None:
        """A graph with all links between the hits: a note that the graph brought in was not
        looked at when it was made."""
        if not self.near or not self.request.explain or self.near.among.issuperset(hits):
            return self.near
        return neighbourhood(edges, [], 1, self.config.retriever, self.config.relations, hits)

    def _facts(
        self,
        one: Candidate,
        point: Point,
        titles: dict[str, str],
        top: float,
        near: Neighbourhood | None,
    ) -> list[Fact]:
        others = [note for note in titles if note != one.note_id]
        incoming = links_to(near, one.note_id, others) if near else []
        outgoing = links_from(near, one.note_id, others) if near else []
        scoring, default = self.config.retriever.scoring, self.config.types.default
        found = self.words.matched(point.sparse) if self.words and point.sparse else []
        matched, named = own_words(found, point.payload)
        told = facts(
            one,
            matched,
            [(note, titles[note], kind) for note, kind in incoming],
            [(note, titles[note], kind) for note, kind in outgoing],
            str(one.payload.get("type", "")),
            named=named,
            closeness=one.semantic / top if top else 0.0,
            usual=factor(default.retriever_weight, scoring),
            far=self.far,
            called=one.note_id == self.called,
            phrases=[phrase for phrase in self.phrases if _holds(point.payload, phrase)],
        )
        return [_marked(fact, near, one.note_id) for fact in told] if near else told


def _holds(payload: Mapping[str, Any], phrase: str) -> bool:
    """Whether the words of a phrase stand together in the chunk, its headings or the title."""
    fields = (str(payload.get(field) or "") for field in ("title", "section", "text"))
    return any(f" {phrase} " in f" {' '.join(words_of(text))} " for text in fields)


def _marked(fact: Fact, near: Neighbourhood, note_id: str) -> Fact:
    """A fact about links, with those marked that a language model found."""
    if not isinstance(fact, LinksFact):
        return fact
    inward = fact.kind == "referred_by"
    notes = [
        note.model_copy(update={"smart": True})
        if is_smart(near, *((note.note_id, note_id) if inward else (note_id, note.note_id)))
        else note
        for note in fact.notes
    ]
    return fact.model_copy(update={"notes": notes})


def own_words(
    matched: Sequence[MatchedWord], payload: Mapping[str, Any]
) -> tuple[list[MatchedWord], set[str]]:
    """Of the words that a chunk's window matched, those that stand in the chunk itself, in its
    headings or in the note's name, and which of them are in the name.

    A window takes in the end of the chunk before and the beginning of the next: a word that
    is there alone ranks the chunk, but a reader would not find it.
    """
    stems, _ = _terms(_name_of(payload))
    all_stems, all_grams = _terms(
        f"{_name_of(payload)}\n{payload.get('section') or ''}\n{payload.get('text') or ''}"
    )
    own, named = [], set()
    for match in matched:
        terms = word_terms(match.word)
        whole = not all_stems.isdisjoint(terms.stems)
        there = sum(gram in all_grams for gram in terms.grams)
        share = there / len(terms.grams) if terms.grams else 0.0
        if whole or share:
            own.append(match._replace(whole=whole, share=share))
        if not stems.isdisjoint(terms.stems):
            named.add(match.word)
    return own, named


def _name_of(payload: Mapping[str, Any]) -> str:
    return f"{payload.get('title') or ''}\n{PurePosixPath(str(payload['path'])).stem}"


def _terms(text: str) -> tuple[set[int], set[int]]:
    terms = [word_terms(word) for word in set(words_of(text))]
    stems = {index for one in terms for index in one.stems}
    return stems, {index for one in terms for index in one.grams}


def _hit(scored: Scored, point: Point, reasons: list[str], why: list[Fact]) -> QueryHit:
    one, payload = scored.one, point.payload
    return QueryHit(
        note_id=one.note_id,
        title=str(payload["title"]),
        type=str(payload["type"]),
        path=str(payload["path"]),
        chunk_id=one.chunk_id,
        section=str(payload.get("section") or ""),
        start_line=int(payload["start_line"]),
        end_line=int(payload["end_line"]),
        text=str(payload["text"]),
        score=scored.total,
        score_breakdown=scored.breakdown,
        cosine=one.cosine,
        reasons=reasons,
        reason_facts=why,
    )
