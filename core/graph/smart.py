"""The smart edges that lead to a note, each with the passage that expresses it."""

from __future__ import annotations

from core.api import Shape
from core.store.ports import Collection, Eq, Where
from core.vault.index import VaultIndex

MOST = 200


class SmartRequest(Shape):
    """`POST /graph/smart`."""

    path: str


class SmartLink(Shape):
    """An edge that a language model found in the note at `path`, in a passage that begins at
    line `line` of its file, from 0."""

    path: str
    title: str
    kind: str
    rule_id: str
    confidence: float
    line: int


class SmartLinks(Shape):
    links: list[SmartLink]


def smart_into(
    edges: Collection, chunks: Collection, index: VaultIndex, request: SmartRequest
) -> SmartLinks:
    """The smart edges to the note at a path, by source and place, at most `MOST`; none for what
    is no note. Blocks; raises `StoreError`."""
    if index.get(request.path) is None:
        return SmartLinks(links=[])
    where = Where(
        all=[Eq("target_note_id", index.note_id(request.path)), Eq("provenance", "smart")]
    )
    found = [point.payload for point in edges.scan(where) if point.payload.get("chunk_id")]
    wanted = sorted({str(edge["chunk_id"]) for edge in found})
    lines = {p.id: int(p.payload.get("start_line", 0)) for p in chunks.get(wanted)}
    links = [
        SmartLink(
            path=path,
            title=index.notes[path].title,
            kind=str(edge["kind"]),
            rule_id=str(edge["rule_id"]),
            confidence=float(edge["confidence"]),
            line=lines.get(str(edge["chunk_id"]), 0),
        )
        for edge in found
        if (path := index.path_of(str(edge["note_id"]))) is not None
    ]
    links.sort(key=lambda link: (link.path, link.line, link.kind))
    return SmartLinks(links=links[:MOST])
