"""The company that notes keep: targets that two share, and notes that link to both.

Rare company tells more: each common neighbour counts 1 / log2(1 + degree), after Adamic and
Adar, "Friends and neighbors on the web" (2003).
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

from core.vault.index import VaultIndex

LOOKED_AT = 200
"""Neighbours that are looked at; more would tell the same."""
HUB = 100
"""Links from which on a note is a hub: that two are linked to it says nothing."""
ENOUGH = 2.0
"""Weight of the common neighbours that is full evidence."""
SHARE = 0.6
"""In a dense neighbourhood, the share of all its weight that is full evidence: there everybody
knows everybody."""
LEAST = 2
"""A single common neighbour may be chance."""


@dataclass(slots=True)
class Company:
    """What a note has in common with another one; `score` is 0 to 1."""

    score: float = 0.0
    shared: list[str] = field(default_factory=list)
    citing: list[str] = field(default_factory=list)


def company(index: VaultIndex, path: str) -> dict[str, Company]:
    """The notes that keep company with the one at `path`. Costs what its neighbours have
    links."""
    found: defaultdict[str, Company] = defaultdict(Company)
    whole = 0.0
    for target in sorted({one for one in index.targets(path) if one and one != path})[:LOOKED_AT]:
        sources = index.sources(target)
        if not 1 < len(sources) <= HUB:
            continue
        whole += (weight := 1 / math.log2(1 + len(sources)))
        for other in sources:
            found[other].score += weight
            found[other].shared.append(target)
    for source in index.sources(path)[:LOOKED_AT]:
        targets = {one for one in index.targets(source) if one and one != source}
        if not 1 < len(targets) <= HUB:
            continue
        whole += (weight := 1 / math.log2(1 + len(targets)))
        for other in sorted(targets):
            found[other].score += weight
            found[other].citing.append(source)
    found.pop(path, None)
    for one in found.values():
        both = len(set(one.shared) | set(one.citing))
        full = max(ENOUGH, SHARE * whole)
        one.score = min(1.0, one.score / full) if both >= LEAST else 0.0
    return {other: one for other, one in sorted(found.items()) if one.score > 0}
