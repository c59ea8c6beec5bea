"""Relation kinds as they are used in the vault: aliases counted with the kind they mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from core.config.relations import RelationsConfig
from core.model import KindMention, Link
from core.vault.index import VaultIndex

_LOOKED_AT = 1_000
"""Notes that are looked at to tell a kind's most usual targets."""


def kinds_like(index: VaultIndex, kind: str, relations: RelationsConfig) -> tuple[str, ...]:
    """The kinds, as written in the vault, that mean the same as `kind`; sorted."""
    wanted = relations.canonical(kind)
    return tuple(name for name in index.kinds if relations.canonical(name) == wanted)


def kind_count(index: VaultIndex, kind: str, relations: RelationsConfig) -> int:
    """How often the kind is written."""
    return sum(index.kinds[name] for name in kinds_like(index, kind, relations))


def kind_uses(
    index: VaultIndex, kind: str, relations: RelationsConfig
) -> Iterator[tuple[str, KindMention | Link]]:
    """Where the kind is written, and each link that has it: by path of their notes."""
    names = kinds_like(index, kind, relations)
    for path in sorted({path for name in names for path in index.kind_users(name)}):
        note = index.notes[path]
        for mention in note.kinds:
            if mention.kind in names:
                yield path, mention
        for link in note.links:
            if link.relation in names:
                yield path, link


def usual_targets(
    index: VaultIndex, kind: str, relations: RelationsConfig, limit: int
) -> list[tuple[str, int]]:
    """The notes that links of this kind lead to most, with their number; of the first notes
    by path, where very many use it."""
    names = kinds_like(index, kind, relations)
    counts: Counter[str] = Counter()
    users = sorted({path for name in names for path in index.kind_users(name)})
    for path in islice(users, _LOOKED_AT):
        links = index.notes[path].links
        for link, target in zip(links, index.targets(path), strict=True):
            if target is not None and link.relation in names:
                counts[target] += 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]
