"""What the links of one note mean, and which names that depends on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from core.model import Note
from core.vault import targets
from core.vault.registry import link_key
from core.vault.resolve import Resolution, Resolver, may_be_reversed, whole_name


class LinkState(NamedTuple):
    """Aligned with `note.links`: the note each link means (None: no note) and its link key.

    `missing` are the positions of links to notes that do not exist. `reversed_keys` are
    (position, key) of what else counts because the target alone does not resolve: right
    sides, and names with a `#` in them.
    """

    targets: tuple[str | None, ...]
    keys: tuple[str | None, ...]
    missing: tuple[int, ...]
    reversed_keys: tuple[tuple[int, str], ...]

    def all_keys(self) -> set[str]:
        """Every link key that the state depends on."""
        keys = {key for key in self.keys if key is not None}
        keys.update(key for _, key in self.reversed_keys)
        return keys

    def positions(self, touched: set[str]) -> set[int]:
        """The links whose meaning may differ when names with these keys changed."""
        found = {at for at, key in enumerate(self.keys) if key in touched}
        found.update(at for at, key in self.reversed_keys if key in touched)
        return found


NO_LINKS = LinkState((), (), (), ())


class _Meaning(NamedTuple):
    """What a target means in one folder: the note, its link key, whether it is missing."""

    path: str | None
    key: str | None
    is_missing: bool
    found: Resolution


class LinkReader:
    """Resolves links against one registry, remembering targets that come again."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        # the meaning of a name depends on the linking note's folder at most, and of one that
        # no two files share not even on that
        self._known: dict[tuple[str, str, bool], _Meaning] = {}
        self._everywhere: dict[str, _Meaning] = {}

    def read(self, note: Note) -> LinkState:
        """The state of all links of `note`."""
        count = len(note.links)
        if not count:
            return NO_LINKS
        return self._resolved(note, range(count), [None] * count, [None] * count, [], [])

    def reread(self, note: Note, state: LinkState, touched: set[str]) -> LinkState:
        """`state` with only those links resolved again that depend on `touched`."""
        again = state.positions(touched)
        return self._resolved(
            note,
            again,
            list(state.targets),
            list(state.keys),
            [at for at in state.missing if at not in again],
            [pair for pair in state.reversed_keys if pair[0] not in again],
        )

    def _resolved(
        self,
        note: Note,
        positions: Iterable[int],
        meant: list[str | None],
        keys: list[str | None],
        missing: list[int],
        reverse: list[tuple[int, str]],
    ) -> LinkState:
        """Fill in what the links at `positions` mean."""
        path, folder, links = note.path, note.folder, note.links
        known, everywhere = self._known, self._everywhere
        for at in positions:
            link = links[at]
            target = link.target
            if not target:
                meant[at] = path
                continue
            markdown = link.form in targets.MARKDOWN_FORMS
            meaning = None if markdown else everywhere.get(target)
            if meaning is None:
                meaning = known.get((target, folder, markdown))
            if meaning is None:
                meaning = self._meaning(target, path, markdown)
                if markdown or targets.has_dots(target) or len(meaning.found.candidates) > 1:
                    known[target, folder, markdown] = meaning
                else:
                    everywhere[target] = meaning
            meant[at], keys[at], is_missing, left = meaning
            if is_missing and (whole := whole_name(link)):
                found = self._resolver.link(link, path)
                meant[at], is_missing = found.path, found.is_unresolved
                reverse.append((at, link_key(whole)))
            if link.alias and not markdown and may_be_reversed(left, link.alias):
                found = self._resolver.link(link, path)
                meant[at], is_missing = found.path, found.is_unresolved
                reverse.append((at, link_key(link.alias.partition("#")[0])))
            if is_missing:
                missing.append(at)
        return LinkState(tuple(meant), tuple(keys), tuple(sorted(missing)), tuple(sorted(reverse)))

    def _meaning(self, target: str, path: str, markdown: bool) -> _Meaning:
        found = self._resolver.name(target, path, markdown)
        key = None if found.is_external and not markdown else _dependency(target, path)
        return _Meaning(found.path, key, found.is_unresolved, found)


def _dependency(target: str, source: str) -> str | None:
    """The link key of a target; None where no name could change its meaning."""
    target = targets.without_vault_prefix(target.strip())
    if not target:
        return None
    if target.rstrip("/").rpartition("/")[2] in ("", ".", ".."):
        base = "" if target.startswith("/") else source.rpartition("/")[0]
        path = targets.joined(base, target)
        return None if path is None else link_key(path)
    return link_key(target)
