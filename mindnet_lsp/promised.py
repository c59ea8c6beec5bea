"""Renames that a client makes itself, with the edits that it got for them.

VS Code asks `willRenameFiles` also for the file operations of an answer to
`textDocument/rename`, when it has made the edits of that answer. They must not be made twice.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from core.features.results import VaultEdit

KEPT = 30.0
"""Seconds in which a client makes what it asked for."""


class Promised:
    """The edits that were given out with renames, by old and new path."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str], tuple[float, VaultEdit]] = {}

    def give(self, change: VaultEdit) -> None:
        """The client gets this edit."""
        now = time.monotonic()
        self._given = {key: one for key, one in self._given.items() if now - one[0] < KEPT}
        for renamed in change.renames:
            self._given[renamed.path, renamed.new_path] = now, change

    def is_made(self, moves: Mapping[str, str], change: VaultEdit) -> bool:
        """Whether `change`, worked out for these moves, comes on top of edits that the client
        has made; where it is the very edit that was given, they are not made yet."""
        given = [self._given.pop(pair, None) for pair in moves.items()]
        if not given or None in given:
            return False
        recent = [one[1] for one in given if one and time.monotonic() - one[0] < KEPT]
        return len(recent) == len(given) and all(one.edits != change.edits for one in recent)
