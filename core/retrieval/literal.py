"""What a query asks for word by word: quoted phrases, and a note by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.embedding.sparse import QueryWords, query_words, words_of
from core.retrieval.candidates import FIELDS as CANDIDATE_FIELDS
from core.retrieval.candidates import Candidate, complete, gather, of_notes
from core.store.ports import Collection, Condition, Eq, Where
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from core.store.ports import Vector

FIELDS = ("title", "section", "text")
"""Where a phrase may stand: not in the overlap, which is other chunks' text."""

_QUOTED = re.compile(r'["„“”«»]([^"„“”«»\n]+)["“”«»]')
_OUTER = " \t\n\"'„“”«»‚‘’?!.,;:"
_NO_NAME = re.compile(r"[\n#|\[\]]")


@dataclass(frozen=True, slots=True)
class Literal:
    """`phrases` are the quoted parts as words with one space between them; `named` is the id
    of the note that the whole query is a name of, "" for none."""

    phrases: tuple[str, ...] = ()
    named: str = ""

    def __bool__(self) -> bool:
        return bool(self.phrases or self.named)


def literal(query: str, index: VaultIndex) -> Literal:
    """The quoted phrases of a query, and the note whose title, alias, file name, path or id
    all of it is."""
    quoted = (" ".join(words_of(match[1])) for match in _QUOTED.finditer(query))
    name, named = query.strip(_OUTER), ""
    if name and not _NO_NAME.search(name):
        path = index.resolve_name(name, "").path
        named = index.note_id(path) if path else ""
    return Literal(tuple(dict.fromkeys(phrase for phrase in quoted if phrase)), named)


def with_literal(
    wanted: Literal,
    chunks: Collection,
    pool: Sequence[Candidate],
    vector: Vector | None,
    words: QueryWords | None,
    where: Condition | None,
    idf: Callable[[Iterable[int]], list[float]],
) -> list[Candidate]:
    """The pool, and what is asked for word by word but was in neither list; all of them with
    their `literal` share, in the order of their chunk ids."""
    known = {one.chunk_id for one in pool}
    found: dict[str, Candidate] = {}
    for phrase in wanted.phrases:
        for one in gather(chunks, None, query_words(phrase, idf), where):
            if one.chunk_id not in known:
                found[one.chunk_id] = Candidate(one.chunk_id, one.payload)
    mark(wanted, chunks, list(found.values()))
    late = [one for one in found.values() if one.literal]
    complete(chunks, late, vector, words)
    if wanted.named and all(one.note_id != wanted.named for one in (*pool, *late)):
        found_by_text = of_notes(chunks, [wanted.named], vector, words, where)
        late += found_by_text or _first_chunk(chunks, wanted.named, where)
    everyone = sorted((*pool, *late), key=lambda one: one.chunk_id)
    mark(wanted, chunks, everyone)
    return everyone


def mark(wanted: Literal, chunks: Collection, pool: Sequence[Candidate]) -> None:
    """Set `literal` of each: 1 for the named note, else its share of the phrases, which counts
    half where there is a named one."""
    for one in pool:
        one.literal = float(bool(wanted.named) and one.note_id == wanted.named)
    if not wanted.phrases:
        return
    by_id = {one.chunk_id: one for one in pool}
    for point in chunks.get(list(by_id)):
        parts = (" ".join(words_of(str(point.payload.get(field) or ""))) for field in FIELDS)
        text = "  ".join(f" {part} " for part in parts)
        there = sum(f" {phrase} " in text for phrase in wanted.phrases)
        one = by_id[point.id]
        share = there / len(wanted.phrases)
        one.literal = max(one.literal, share / 2 if wanted.named else share)


def _first_chunk(chunks: Collection, note_id: str, where: Condition | None) -> list[Candidate]:
    """The first chunk of a note whose text has none of the words, as where an alias was asked."""
    inside: Condition = Eq("note_id", note_id)
    condition = inside if where is None else Where(all=[inside, where])
    points = sorted(chunks.scan(condition, CANDIDATE_FIELDS), key=lambda point: point.id)
    return [Candidate(point.id, point.payload) for point in points[:1]]
