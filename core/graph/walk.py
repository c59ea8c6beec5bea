"""Breadth-first walks that stop early: a neighbourhood, and what lies between two notes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Any, TypeVar

Note = TypeVar("Note", bound=Hashable)


def distances(
    seed: Note,
    hops: int,
    limit: int,
    follow: Callable[[list[Note]], Collection[Note]],
    order: Callable[[Note], Any],
) -> tuple[dict[Note, int], bool]:
    """Hops from `seed` of at most `limit` notes, nearest first, then by `order`; and whether
    more would have been in reach. `follow` gives the neighbours of several notes at once."""
    found: dict[Note, int] = {seed: 0}
    frontier = [seed]
    for far in range(1, hops + 1):
        if not frontier:
            break
        frontier = sorted(set(follow(frontier)) - found.keys(), key=order)
        room = limit - len(found)
        found.update(dict.fromkeys(frontier[:room], far))
        if len(frontier) > room:
            return found, True
    return found, False


def shortest(start: Note, end: Note, near: Callable[[Note], Collection[Note]]) -> dict[Note, int]:
    """All notes on shortest ways from `start` to `end` with their distance from `start`;
    empty where there is no way. Walks from both ends, the smaller side first."""
    if start == end:
        return {start: 0}
    sides: tuple[dict[Note, int], dict[Note, int]] = ({start: 0}, {end: 0})
    frontiers: list[list[Note]] = [[start], [end]]
    depths = [0, 0]
    while frontiers[0] and frontiers[1]:
        own = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        here, there = sides[own], sides[1 - own]
        depths[own] += 1
        reached: set[Note] = set()
        for note in frontiers[own]:
            reached.update(other for other in near(note) if other not in here)
        here.update(dict.fromkeys(reached, depths[own]))
        frontiers[own] = list(reached)
        if any(note in there for note in reached):
            return _between(sides, sum(depths), near)
    return {}


def _between(
    sides: tuple[dict[Note, int], dict[Note, int]],
    length: int,
    near: Callable[[Note], Collection[Note]],
) -> dict[Note, int]:
    """The notes whose distances from both ends add up to `length`. Each side knows its own
    half; the halves are prolonged from the notes where they met."""
    forward, backward = sides
    met = [n for n in forward if n in backward and forward[n] + backward[n] == length]
    found = {note: forward[note] for note in met}
    for side, towards_start in ((forward, True), (backward, False)):
        layer = set(met)
        while layer:
            layer = {
                other for note in layer for other in near(note) if side.get(other) == side[note] - 1
            }
            for note in layer:
                found[note] = side[note] if towards_start else length - side[note]
    return found
