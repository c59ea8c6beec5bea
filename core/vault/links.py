"""What the links of one note mean, and which names that depends on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.model import Link, Note
from core.vault import targets
from core.vault.registry import link_key
from core.vault.resolve import Resolution, Resolver


class LinkState(NamedTuple):
    """Aligned with `note.links`: the note each link means (None: no note) and its link key.

    `missing` are the positions of links to notes that do not exist. `reversed_keys` are
    (position, key) of right sides that count because the left one does not resolve.
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


class LinkReader:
    """Resolves links against one registry, remembering targets that come again."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._seen: dict[tuple[str, str, bool], tuple[Resolution, str | None]] = {}

    def read(self, note: Note) -> LinkState:
        """The state of all links of `note`."""
        if not note.links:
            return NO_LINKS
        return self._state(note, NO_LINKS, None)

    def reread(self, note: Note, state: LinkState, touched: set[str]) -> LinkState:
        """`state` with only those links resolved again that depend on `touched`."""
        return self._state(note, state, state.positions(touched))

    def _state(self, note: Note, old: LinkState, positions: set[int] | None) -> LinkState:
        meant, keys = list(old.targets), list(old.keys)
        missing = [at for at in old.missing if positions and at not in positions]
        reverse = [pair for pair in old.reversed_keys if positions and pair[0] not in positions]
        if positions is None:
            meant = [None] * len(note.links)
            keys = [None] * len(note.links)
            order: Iterator[int] = iter(range(len(note.links)))
        else:
            order = iter(sorted(positions))
        path, folder = note.path, note.folder
        for at in order:
            link = note.links[at]
            if not link.target:
                meant[at] = path
                continue
            found, keys[at] = self._target(link, path, folder)
            if found.is_unresolved:
                if link.alias and not targets.is_markdown_form(link.form):
                    found = self._resolver.link(link, path)
                    reverse.append((at, link_key(link.alias.partition("#")[0])))
                if found.is_unresolved:
                    missing.append(at)
            meant[at] = found.path
        return LinkState(tuple(meant), tuple(keys), tuple(sorted(missing)), tuple(sorted(reverse)))

    def _target(self, link: Link, path: str, folder: str) -> tuple[Resolution, str | None]:
        # the meaning of a name depends on the linking note's folder only
        markdown = targets.is_markdown_form(link.form)
        memo = (link.target, folder, markdown)
        seen = self._seen.get(memo)
        if seen is None:
            found = self._resolver.name(link.target, path, markdown)
            seen = self._seen[memo] = (found, _dependency(link.target, folder, found))
        return seen


def _dependency(target: str, folder: str, found: Resolution) -> str | None:
    """The link key of a target; None where no name could change its meaning."""
    if found.is_external:
        return None
    target = targets.without_vault_prefix(target.strip())
    if not target:
        return None
    if target.rstrip("/").rpartition("/")[2] in ("", ".", ".."):
        base = "" if target.startswith("/") else folder
        path = targets.joined(base, target)
        return None if path is None else link_key(path)
    return link_key(target)
