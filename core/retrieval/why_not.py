"""Why a note is not among the hits of a query: the question that a list of hits leaves open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from core.api import Filters, QueryRequest
from core.config.load import Config
from core.embedding.sparse import QueryWords
from core.errors import NotANote
from core.explanation import Cause, WhyNot
from core.function_words import is_telling
from core.ingest.records import excluded
from core.locale import Locale, say
from core.model import Note
from core.retrieval.candidates import Candidate, of_notes
from core.retrieval.filters import condition_of
from core.retrieval.fuse import fuse
from core.retrieval.graph import Neighbourhood
from core.retrieval.rank import Scored, rank
from core.retrieval.tell import own_words
from core.store.ports import Collection, Condition, In, Where
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from core.store.ports import Vector

MAX_WORDS = 5
SHORTER = 0.01
"""How much less of a term is worth a sentence."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search that was made: what was asked for, and all that came of it."""

    request: QueryRequest
    index: VaultIndex
    config: Config
    chunks: Collection
    vector: Vector | None
    words: QueryWords | None
    pool: Sequence[Candidate]
    near: Neighbourhood | None
    order: Sequence[Scored]
    """Every note that has anything in common with the query, not only the hits."""
    far: float
    """The cosine that the model gives to texts which have nothing in common."""

    @property
    def pure(self) -> bool:
        """Whether it was by meaning alone."""
        return self.request.mode == "semantic"

    @property
    def last(self) -> Scored | None:
        """The last hit."""
        hits = self.order[: self.request.top_k]
        return hits[-1] if hits else None


def why_not(search: Search) -> WhyNot:
    """Why the note that the request names is no hit, or that it is one.

    Raises `NotANote` for a name that no note has, or several.
    """
    locale, index = search.request.locale, search.index
    path = _path(index, search.request.why_not or "", locale)
    note, note_id = index.notes[path], index.note_id(path)
    own = In("note_id", [note_id])

    def told(cause: Cause, sentences: Sequence[str], **more: Any) -> WhyNot:
        return WhyNot(
            note_id=note_id,
            title=note.title,
            path=path,
            cause=cause,
            sentences=list(sentences),
            excluded=excluded(note),
            **more,
        )

    if not search.chunks.count(own):
        return told("not_indexed", [_not_indexed(locale)])
    if filters := _blocking(search, own):
        return told("filtered", _filtered(filters, locale), filters=filters)
    rank_, mine = _placed(search, note_id)
    if search.pure and (mine is None or mine.one.cosine is None):
        return told("no_vectors", [_no_vectors(locale, excluded=excluded(note))])
    if mine is None or rank_ is None:
        cosine = mine.one.cosine if mine else None
        return told(
            "nothing_in_common",
            [*_nothing(search, mine), *_only_words(search, note)],
            cosine=cosine,
        )
    numbers = {
        "rank": rank_,
        "score": mine.total,
        "score_breakdown": mine.breakdown,
        "cosine": mine.one.cosine,
    }
    looked_at = any(one.note_id == note_id for one in search.pool)
    if rank_ <= search.request.top_k:
        if looked_at:
            here = say(locale, f"it is hit number {rank_}", f"sie ist Treffer Nummer {rank_}")
            return told("hit", [here], **numbers)
        return told("overlooked", [_overlooked(locale)], **numbers)
    last = search.last
    assert last is not None, "a note behind the hits, and no hits"
    sentences = [
        _outranked(mine, last, rank_, at_least=not looked_at, locale=locale),
        *_less(search, mine, last),
        *_only_words(search, note),
    ]
    return told(
        "outranked",
        sentences,
        **numbers,
        at_least=not looked_at,
        last_score=last.total,
        last_breakdown=last.breakdown,
    )


def _path(index: VaultIndex, given: str, locale: Locale) -> str:
    found = index.resolve_name(given, "")
    if found.path is None:
        near = ", ".join(hit.path for hit in index.names.nearest(given, 3))
        raise NotANote(
            say(locale, f"no note is called {given!r}", f"keine Notiz heißt {given!r}"),
            say(locale, f"Nearest: {near}.", f"Am ähnlichsten: {near}.") if near else "",
        )
    if len(found.candidates) > 1:
        names = ", ".join(found.candidates)
        raise NotANote(
            say(
                locale,
                f"{given!r} may mean several notes",
                f"{given!r} kann mehrere Notizen meinen",
            ),
            say(locale, f"Name one: {names}.", f"Eine nennen: {names}."),
        )
    return found.path


def _blocking(search: Search, own: Condition) -> list[str]:
    """Names of the filters that no chunk of the note passes."""
    given = search.request.filters
    blocking = []
    for name in type(given).model_fields:
        alone = Filters.model_validate({name: getattr(given, name)})
        condition = condition_of(alone, search.index)
        if condition is not None and not search.chunks.count(Where(all=[own, condition])):
            blocking.append(name)
    return blocking


def _placed(search: Search, note_id: str) -> tuple[int | None, Scored | None]:
    """The note's place and score; of a note that the search did not look at, what they would
    have been."""
    for place, scored in enumerate(search.order, 1):
        if scored.one.note_id == note_id:
            return place, scored
    best = of_notes(search.chunks, [note_id], search.vector, search.words, None)
    if not best:
        return None, None
    # closeness is measured between the best and the worst of the pool: it stays as it was
    known = [one.cosine for one in search.pool if one.cosine is not None]
    lowest = min(known, default=None)
    clamped = [
        replace(one, cosine=max(one.cosine, lowest))
        if one.cosine is not None and lowest is not None
        else one
        for one in best
    ]
    everyone = [*(replace(one) for one in search.pool if one.note_id != note_id), *clamped]
    fuse(everyone, search.config.retriever.scoring, pure=search.pure)
    order = rank(everyone, search.near, search.config)
    for place, scored in enumerate(order, 1):
        if scored.one.note_id == note_id:
            scored.one.cosine = best[0].cosine
            return place, scored
    return None, Scored(best[0], 0.0, 0.0)


def _missing(search: Search, mine: Scored) -> list[str]:
    """The query's telling words that the note's best chunk and its name lack."""
    if search.words is None:
        return []
    telling = [one.word for one in search.words.words if is_telling(one.word)]
    points = search.chunks.get([mine.one.chunk_id], vectors=True)
    if not points or not points[0].sparse:
        return telling
    found, _ = own_words(search.words.matched(points[0].sparse), points[0].payload)
    whole = {match.word for match in found if match.whole}
    return [word for word in telling if word not in whole]


def _not_indexed(locale: Locale) -> str:
    return say(
        locale,
        "it is not in the index: it has no text, or was not indexed yet",
        "sie ist nicht im Index: sie hat keinen Text oder wurde noch nicht indiziert",
    )


def _filtered(filters: Sequence[str], locale: Locale) -> list[str]:
    return [
        say(locale, f"the filter {name} leaves it out", f"der Filter {name} schließt sie aus")
        for name in filters
    ]


def _no_vectors(locale: Locale, *, excluded: bool) -> str:
    if excluded:
        return say(
            locale,
            "embedding_exclude: it is found by words alone, and this search is by meaning",
            "embedding_exclude: nur nach Wörtern auffindbar, gesucht wurde nach dem Sinn",
        )
    return say(locale, "it has no vector yet", "sie hat noch keinen Vektor")


def _nothing(search: Search, mine: Scored | None) -> Iterator[str]:
    locale = search.request.locale
    if search.words is not None and (mine is None or not mine.one.coverage + mine.one.in_title):
        yield say(locale, "none of the words is in it", "keines der Wörter kommt darin vor")
    if mine is not None and mine.one.cosine is not None:
        near = _rounded(mine.one.cosine)
        yield say(
            locale,
            f"not close enough in meaning (cosine {near})",
            f"kein ähnlicher Sinn (Kosinus {near})",
        )


def _only_words(search: Search, note: Note) -> Iterator[str]:
    if search.vector is not None and excluded(note):
        yield say(
            search.request.locale,
            "embedding_exclude: only its words are searched",
            "embedding_exclude: nur ihre Wörter werden durchsucht",
        )


def _overlooked(locale: Locale) -> str:
    return say(
        locale,
        "it was not looked at: too many notes have more words of the query, or are closer",
        "sie wurde nicht angesehen: zu viele Notizen haben mehr Wörter der Anfrage oder sind näher",
    )


def _outranked(mine: Scored, last: Scored, place: int, *, at_least: bool, locale: Locale) -> str:
    scores = f"{mine.total:.3f}", f"{last.total:.3f}"
    en = f"number {place}" + (" or later" if at_least else "")
    de = f"Nummer {place}" + (" oder später" if at_least else "")
    return say(
        locale,
        f"it is {en} with a score of {scores[0]}; the last hit has {scores[1]}",
        f"sie ist {de} mit {scores[0]} Punkten; der letzte Treffer hat {scores[1]}",
    )


def _less(search: Search, mine: Scored, last: Scored) -> Iterator[str]:
    """What it has less of than the last hit, and the words that it lacks."""
    locale = search.request.locale
    cosines = [-1.0 if one.cosine is None else one.cosine for one in (mine.one, last.one)]
    if last.one.semantic - mine.one.semantic > SHORTER and cosines[0] < cosines[1]:
        told = "" if mine.one.cosine is None else " < ".join(map(_rounded, cosines))
        yield say(
            locale,
            "less close in meaning" + (f" (cosine {told})" if told else ""),
            "weniger ähnlicher Sinn" + (f" (Kosinus {told})" if told else ""),
        )
    if last.one.lexical - mine.one.lexical > SHORTER and (missing := _missing(search, mine)):
        listed = ", ".join(say(locale, f"“{word}”", f"„{word}“") for word in missing[:MAX_WORDS])
        yield say(locale, f"lacks {listed}", f"ohne {listed}")
    if last.edge_bonus + last.centrality - mine.edge_bonus - mine.centrality > SHORTER:
        yield say(locale, "fewer links with other hits", "weniger Links mit anderen Treffern")
    if last.one.type_weight - mine.one.type_weight > SHORTER:
        factors = f"×{mine.one.type_weight:.2f} < ×{last.one.type_weight:.2f}"
        yield say(locale, f"its type counts less ({factors})", f"ihr Typ zählt weniger ({factors})")


def _rounded(cosine: float) -> str:
    return f"{round(cosine, 2) + 0.0:.2f}"  # never -0.00
