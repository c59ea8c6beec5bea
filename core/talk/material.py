"""What an answer is made from: notes that fit the message, and how they hang together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from core.api import Filters, QueryHit, QueryRequest
from core.chat.context import Relation, merged
from core.chat.evidence import related, telling
from core.ingest.records import excluded
from core.locale import Locale
from core.retrieval.scales import scale_of
from core.store.ports import In, Where
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from core.service.engine import Engine

INJECTED = 4
"""Notes of a strategy's own types that are looked for besides."""
MAX_EDGES = 400
MAX_RELATIONS = 6
"""Relations that are told of one note."""
PLAIN = "references"
_FIELDS = ("note_id", "target_note_id", "kind", "provenance", "confidence")
_STRUCTURAL = (In("provenance", ["structure"]),)
_ORDER = ("explicit", "smart", "rule")


class Material(NamedTuple):
    """`hits` in the order in which they go into a prompt; `relations` by note id. `notice` says
    what was missing in the search."""

    query_id: str
    hits: list[QueryHit]
    relations: Mapping[str, list[Relation]]
    notice: str


def look_for(
    engine: Engine, query: str, inject_types: Sequence[str], top_k: int, locale: Locale
) -> Material:
    """Search for a message; blocks. Notes with `embedding_exclude` are never among the hits.

    With `inject_types` a second search is restricted to them: they are weighed whatever the
    message is about. Raises `NotIndexed` and `StoreError`.
    """
    request = QueryRequest(query=query, top_k=top_k, locale=locale)
    found = engine.query(request)
    scale = scale_of(engine.store.manifest.model)
    hits = related(_allowed(engine.index, found.hits), telling(query), scale)
    if inject_types:
        own = request.model_copy(
            update={"filters": Filters(types=list(inject_types)), "top_k": INJECTED}
        )
        hits = merged(hits, _allowed(engine.index, engine.query(own).hits))
    return Material(found.query_id, hits, _relations(engine, hits), found.notice or "")


def _allowed(index: VaultIndex, hits: Sequence[QueryHit]) -> list[QueryHit]:
    """The hits whose notes are still there and may be shown to a model."""
    return [hit for hit in hits if (note := index.get(hit.path)) and not excluded(note)]


def _relations(engine: Engine, hits: Sequence[QueryHit]) -> dict[str, list[Relation]]:
    """What the notes' edges say, by note id: written ones first, plain links only among the
    hits, each pair of notes once."""
    titles = {hit.note_id: hit.title for hit in hits}
    if not titles:
        return {}
    where = Where(all=[In("note_id", list(titles))], none=_STRUCTURAL)
    found: dict[str, dict[str, tuple[int, float, str, str]]] = {}
    for point in islice(engine.store.edges.scan(where, _FIELDS), MAX_EDGES):
        edge = point.payload
        source, target, kind = edge["note_id"], edge.get("target_note_id"), str(edge["kind"])
        if not target or source == target or (kind == PLAIN and target not in titles):
            continue
        title = titles.get(target) or _title(engine.index, str(target))
        if title is None:
            continue
        provenance = str(edge.get("provenance", ""))
        rank = _ORDER.index(provenance) if provenance in _ORDER else len(_ORDER)
        one = (rank, -float(edge.get("confidence", 1.0)), kind, title)
        known = found.setdefault(source, {})
        known[target] = min(one, known.get(target, one))
    return {note: list(_told(titles[note], edges.values())) for note, edges in found.items()}


def _told(source: str, edges: Iterable[tuple[int, float, str, str]]) -> Iterator[Relation]:
    for _, _, kind, title in sorted(edges)[:MAX_RELATIONS]:
        yield Relation(source, kind, title)


def _title(index: VaultIndex, note_id: str) -> str | None:
    path = index.path_of(note_id)
    note = index.get(path) if path else None
    return note.title if note is not None and not excluded(note) else None
