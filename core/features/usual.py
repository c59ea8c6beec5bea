"""What is usual in a vault: the kinds of relations between notes, and the types they lead to."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice

from core.features.action_context import ActionContext
from core.features.kinds import usual_targets
from core.model import Note
from core.vault.index import VaultIndex

REFERENCES = "references"
"""The kind that a plain link has anyway."""

_LOOKED_AT = 40
"""Notes looked at for one question; more would tell the same."""
_IN_FOLDER = 200
_KINDS = 8
_COMMON = ("depends_on", "part_of", "supports", "derived_from")
"""What a vault that uses few kinds may want."""
_WRITABLE = re.compile(r"[^\W\d][\w-]*")
_OWN, _TO_TARGET, _BETWEEN_TYPES = 3.0, 2.0, 1.0


def usual_kinds(context: ActionContext, target: Note | None, limit: int) -> list[str]:
    """Kinds for a new relation from the open note to `target`, most likely first: as they are
    used in this note, towards this target and between notes of these two types; then the most
    used ones. Besides these `limit`, those that its type means by default, and common ones where
    few are used."""
    index, note, relations = context.index, context.note, context.relations
    weights: defaultdict[str, float] = defaultdict(float)
    for kind in _written_in(note):
        weights[kind] += _OWN
    if target is not None:
        for back in islice(index.backlinks(target.path), _LOOKED_AT):
            if back.link.relation:
                weights[back.link.relation] += _TO_TARGET
    most = sorted(index.kinds.items(), key=lambda item: (-item[1], item[0]))
    for kind, _ in most[:_KINDS]:
        weights[kind] += _BETWEEN_TYPES * _alike(context, kind, target)
    ranked = sorted(
        weights.items(), key=lambda item: (-item[1], -index.kinds.get(item[0], 0), item[0])
    )
    found = [kind for kind, weight in ranked if weight > 0]
    found += [kind for kind, _ in most]
    kinds = dict.fromkeys(relations.canonical(kind) for kind in found)
    first = [kind for kind in kinds if _is_offered(context, kind)][:limit]
    default = [*context.types.effective(note).edge_defaults, *_COMMON[: limit - len(first)]]
    return list(dict.fromkeys([*first, *(kind for kind in default if _is_offered(context, kind))]))


def likely_types(context: ActionContext, kind: str | None, folder: str, limit: int) -> list[str]:
    """Types for a note that is missing, most likely first: those of the notes that links of
    this kind lead to, and of the notes in the folder where it will be. Only types that notes of
    the vault name in their frontmatter."""
    index = context.index
    used = index.values("type")
    if not used:
        return []
    weights: Counter[str] = Counter()
    if kind:
        for path, count in usual_targets(index, kind, context.relations, _LOOKED_AT):
            if (own := index.notes[path].type) and path != context.path:
                weights[own] += 2 * count
    for note in _in_folder(index, folder):
        if note.type:
            weights[note.type] += 1
    if not weights:
        weights.update(used)
    return [name for name, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))][
        :limit
    ]


def _written_in(note: Note) -> Iterator[str]:
    return (link.relation for link in note.links if link.relation)


def _alike(context: ActionContext, kind: str, target: Note | None) -> float:
    """How often notes of the open note's type have links of this kind to notes of the target's
    type: a share of what was looked at."""
    index = context.index
    own = context.types.effective(context.note).name
    wanted = context.types.effective(target).name if target is not None else ""
    fits = seen = 0
    for path in islice(index.kind_users(kind), _LOOKED_AT):
        source = index.notes[path]
        same = context.types.effective(source).name == own
        for link, to in zip(source.links, index.targets(path), strict=True):
            if link.relation == kind and to is not None:
                seen += 1
                there = index.get(to)
                fits += same and (
                    not wanted
                    or (there is not None and context.types.effective(there).name == wanted)
                )
    return fits / seen if seen else 0.0


def _is_offered(context: ActionContext, kind: str) -> bool:
    known = context.relations.relations.get(kind)
    if kind == REFERENCES or (known is not None and known.structural):
        return False
    used = context.index.kinds.get(kind, 0)
    return bool(_WRITABLE.fullmatch(kind)) and (known is not None or used > 1)


def _in_folder(index: VaultIndex, folder: str) -> Iterator[Note]:
    paths, prefix = index.paths, f"{folder}/" if folder else ""
    first = bisect_left(paths, prefix)
    for path in islice(paths, first, first + _IN_FOLDER):
        if not path.startswith(prefix):
            return
        if "/" not in path[len(prefix) :]:
            yield index.notes[path]
