"""Names that a link can lead to: notes, files, and notes that nobody has written yet."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from core.features.completion_context import CompletionContext
from core.features.ranking import nearness
from core.features.type_fit import TypeFit
from core.features.typed import Typed
from core.model import strip_note_suffix
from core.text import fold
from core.vault.late_names import FILE, MISSING
from core.vault.names import ALIAS, STEM, NameHit, entries_of
from core.vault.targets import is_relative, joined

_LOOKED_AT = 300
"""Hits of the search that are ranked again."""
_FEW = 8
"""With fewer hits than that names are looked for in paths, too."""
_LEAST = 12.0
"""Letters that are further apart than in hits of this score are in any long name."""
_BY_PATH = 30.0
"""Best score of a note whose folder fits, not its name."""
_MOST_HUBS = 150
_FEW_KNOWN = 64
_OTHERS = 40
"""Files and missing notes that are looked at."""
_PREFIX = -9.0
"""The way of a name that begins with what is typed."""
IMAGES = (".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")


class Rank(NamedTuple):
    """A name and its place in the list: smaller is better, from the first field on."""

    way: float
    group: int
    fits: int
    is_alias: bool
    recent: int
    near: int
    links: int
    length: int
    name: str
    path: str
    kind: str


class Targets:
    """Ranks what fits one typed target."""

    def __init__(self, context: CompletionContext, typed: Typed) -> None:
        self._context, self._typed = context, typed
        self._index, self._folder = context.index, context.document.folder
        self._fit = TypeFit(context, typed.relation) if typed.relation else None
        self._recent = {path: at for at, path in enumerate(context.recent)}

    def ranked(self) -> list[Rank]:
        """Everything that fits, best first: by the way its name matches, the type that the
        relation leads to, own names before aliases, what was worked on last, nearness, links."""
        query = _wanted(self._context, self._typed)
        if query is None:
            return []
        ranks = [*self._notes(query), *self._files(query), *self._missing(query)]
        if self._typed.kind == "path" and self._typed.embed:
            return sorted(ranks, key=lambda rank: (rank.group, rank))
        return sorted(ranks)

    def _notes(self, query: str) -> Iterator[Rank]:
        hits = self._hits(query) if query else self._unasked()
        for hit in hits:
            yield self._rank(hit, _way(hit))

    def _rank(self, hit: NameHit, way: float) -> Rank:
        path, index = hit.path, self._index
        fits = 0 if self._fit is None or self._fit.fits(index.notes[path]) else 1
        return Rank(
            way,
            1 if self._typed.kind == "path" and self._typed.embed else 0,
            fits,
            hit.kind == ALIAS,
            self._recent.get(path, len(self._recent)),
            nearness(path, self._folder),
            -index.backlink_count(path),
            len(hit.name) if self._typed.query else 0,
            hit.name,
            path,
            hit.kind,
        )

    def _hits(self, query: str) -> list[NameHit]:
        names, index = self._index.names, self._index
        found = names.search(query, _LOOKED_AT, self._context.limit)
        found = [hit for hit in found if hit.score >= _LEAST]
        if len(found) == _LOOKED_AT:
            # the shortest names of many: the best known ones must not be missing
            known = {(hit.path, hit.name) for hit in found}
            found += (hit for hit in self._known(query) if (hit.path, hit.name) not in known)
        elif len(found) < _FEW and "/" not in query:
            paths = {hit.path for hit in found}
            for hit in names.by_path(query, _FEW):
                if hit.path not in paths:
                    stem, score = index.notes[hit.path].stem, min(hit.score, _BY_PATH)
                    found.append(NameHit(hit.path, stem, STEM, score))
        return found

    def _known(self, query: str) -> Iterator[NameHit]:
        for path in islice(self._best_known(), _FEW_KNOWN):
            for entry in entries_of(self._index.notes[path]):
                if entry.key.startswith(fold(query)):
                    yield NameHit(path, entry.name, entry.kind, 89.0)

    def _unasked(self) -> list[NameHit]:
        """What may be meant before anything is typed."""
        own, index = self._context.document.path, self._index
        wanted = dict.fromkeys((*self._best_known(), *self._beside()))
        if len(wanted) <= self._context.limit:
            wanted |= dict.fromkeys(index.paths[: self._context.limit])
        wanted.pop(own, None)
        return [NameHit(path, index.notes[path].stem, STEM, 0.0) for path in wanted]

    def _best_known(self) -> Iterator[str]:
        index = self._index
        yield from (path for path in self._recent if path in index.notes)
        if self._fit is not None:
            yield from (path for path, _ in self._fit.targets.most_common(_MOST_HUBS))
        yield from index.hubs[:_MOST_HUBS]

    def _beside(self) -> list[str]:
        """Some notes of the folder, in path order."""
        prefix = f"{self._folder}/" if self._folder else ""
        paths = self._index.paths
        start = bisect_left(paths, prefix)
        some = paths[start : start + _LOOKED_AT]
        return [p for p in some if p.startswith(prefix) and "/" not in p[len(prefix) :]]

    def _files(self, query: str) -> Iterator[Rank]:
        """Attachments, where they are embedded, or meant by what is typed."""
        typed, index = self._typed, self._index
        if typed.relation or not (typed.embed or len(query) > 1):
            return
        images_first = typed.kind == "path" and typed.embed
        for hit in index.find_files(query, _OTHERS):
            if hit.score < _LEAST:
                continue
            is_image = hit.path.lower().endswith(IMAGES)
            yield Rank(
                _way(hit) if query else 0.0,
                0 if images_first and is_image else 2,
                0,
                False,
                0 if is_image else 1,
                nearness(hit.path, self._folder),
                0,
                len(hit.path),
                hit.name,
                hit.path,
                FILE,
            )

    def _missing(self, query: str) -> Iterator[Rank]:
        """Targets of links elsewhere that no note has, most used first."""
        if self._typed.kind == "path":
            return
        index, own = self._index, self._own_target()
        if len(query) == 1:
            # thousands begin with a letter; the best known ones will do
            wanted = fold(query)
            found = [(_PREFIX, n) for n in index.wanted if fold(n).startswith(wanted)]
        elif query:
            hits = index.find_unresolved(query, _OTHERS)
            found = [(_way(hit), hit.path) for hit in hits if hit.score >= _LEAST]
        else:
            found = [(0.0, target) for target in index.wanted[:_OTHERS]]
        known: set[str] = set()
        for way, target in found:
            count = index.unresolved_count(target) - (target == own)
            key = fold(target)
            if count > (0 if query else 1) and key not in known:
                known.add(key)
                yield Rank(way, 3, 0, False, 0, 0, -count, len(target), target, target, MISSING)

    def _own_target(self) -> str:
        """The target of the link that is being typed, which is in the index as well."""
        typed = self._typed
        for link in self._context.document.note.links:
            if link.start <= typed.start <= link.end:
                return link.target
        return ""


def _way(hit: NameHit) -> float:
    """The way that a name matches; the search's ways are ten points apart, and within one a
    longer name costs up to nine."""
    return -((hit.score + 9) // 10)


def _wanted(context: CompletionContext, typed: Typed) -> str | None:
    """What to search for: without a note suffix, and a relative path as a vault path."""
    query = typed.query
    if typed.kind == "path" and not typed.in_angles:
        query = unquote(query)
    if is_relative(query):
        found = joined(context.document.folder, query)
        if found is None:
            return None
        query = found
    return strip_note_suffix(query).lstrip("/").strip()
