"""Which notes a relation kind usually leads to: their types, as the vault and its
configuration have it."""

from __future__ import annotations

from collections import Counter

from core.features.completion_context import CompletionContext
from core.features.kinds import kinds_like
from core.model import Note

_LOOKED_AT = 100
"""Notes that are looked at; more would tell the same."""
_USUAL = 0.15
"""Share of a kind's links from which the type that they lead to is a usual one."""
_ENOUGH = 3


class TypeFit:
    """The usual targets of one kind. Without any evidence every note fits."""

    def __init__(self, context: CompletionContext, kind: str) -> None:
        self._context = context
        canonical = context.relations.canonical(kind)
        relation = context.relations.relations.get(canonical)
        self.targets: Counter[str] = Counter()
        """Notes that links of this kind lead to, with their number; of a sample."""
        self._types = set(relation.target_types) if relation else set()
        self._read(canonical)

    def fits(self, note: Note) -> bool:
        """Whether the note is of a type that the kind usually leads to."""
        return not self._types or self._context.type_of(note) in self._types

    def _read(self, kind: str) -> None:
        context, index = self._context, self._context.index
        names = kinds_like(index, kind, context.relations)
        users = dict.fromkeys(
            path for name in names for path in index.kind_users(name)[:_LOOKED_AT]
        )
        for path in users:
            links = index.notes[path].links
            for link, target in zip(links, index.targets(path), strict=True):
                if target is not None and link.relation in names:
                    self.targets[target] += 1
        types: Counter[str] = Counter()
        for path, count in self.targets.items():
            types[context.type_of(index.notes[path])] += count
        total = types.total()
        if total >= _ENOUGH:
            self._types |= {name for name, count in types.items() if count >= _USUAL * total}
