"""Which relations a passage may express, and the edges for those that a model found in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from core.config.relations import RelationsConfig
from core.edges.derive import MIRROR, mirrors, once, target_of
from core.edges.edge import Edge

SMART = "smart:"
"""Begins the rule of a smart edge; the model's name follows."""
CAP = 0.85
"""A model is never as sure as the person who wrote."""
MOST = 16
"""Candidates of one passage: a note of hundreds of links must not make a prompt of thousands."""

_Key = tuple[str, tuple[str, bool]]


def candidates(edges: Iterable[Edge], chunk_ids: Sequence[str]) -> list[list[Edge]]:
    """For each chunk of a note, the note's edges that it may express besides those that it
    states itself: one of each kind and target.

    `edges` are all that were derived for the note. At most `MOST`, the nearest first: of links
    in the chunk itself, then the frontmatter's, then those of chunks further and further away.
    """
    at = {chunk: index for index, chunk in enumerate(chunk_ids)}
    of_chunk: list[dict[_Key, Edge]] = [{} for _ in chunk_ids]
    of_note: dict[_Key, Edge] = {}
    stated: list[set[_Key]] = [set() for _ in chunk_ids]
    for edge in edges:
        if edge.provenance not in ("explicit", "rule") or edge.rule_id.endswith(MIRROR):
            continue
        key = (edge.kind, target_of(edge))
        if edge.chunk_id is None:
            of_note.setdefault(key, edge)
            continue
        of_chunk[at[edge.chunk_id]].setdefault(key, edge)
        if edge.provenance == "explicit":
            stated[at[edge.chunk_id]].add(key)
    return [
        _first(_nearest(index, of_chunk, of_note), stated[index]) for index in range(len(of_chunk))
    ]


def with_smart(
    edges: Sequence[Edge],
    chosen: Iterable[tuple[str, Edge, str, float]],
    relations: RelationsConfig,
) -> list[Edge]:
    """The note's edges and those that a model chose: `chosen` are chunk id, candidate, the
    model's name and its confidence, 0 to 1. A symmetric one is mirrored like any other, once,
    with the confidence of the chunk that says it most clearly."""
    smart = [
        msgspec.structs.replace(
            candidate,
            scope="chunk",
            source_id=chunk,
            chunk_id=chunk,
            rule_id=f"{SMART}{model}",
            confidence=min(confidence, CAP),
            provenance="smart",
            line=-1,
        )
        for chunk, candidate, model, confidence in chosen
    ]
    clearest = sorted(smart, key=lambda edge: -edge.confidence)
    return once([*edges, *smart, *mirrors(clearest, relations)])


def _nearest(
    index: int, of_chunk: Sequence[dict[_Key, Edge]], of_note: dict[_Key, Edge]
) -> Iterator[tuple[_Key, Edge]]:
    yield from of_chunk[index].items()
    yield from of_note.items()
    for step in range(1, len(of_chunk)):
        for other in (index - step, index + step):
            if 0 <= other < len(of_chunk):
                yield from of_chunk[other].items()


def _first(found: Iterator[tuple[_Key, Edge]], without: set[_Key]) -> list[Edge]:
    taken: dict[_Key, Edge] = {}
    for key, edge in found:
        if key not in without:
            taken.setdefault(key, edge)
        if len(taken) == MOST:
            break
    return list(taken.values())
