"""What was found in each note, kept until it can differ, for clients that ask for it.

A whole vault is diagnosed once; afterwards only what a change can have touched is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol import types

from core.features.affected import affected
from core.model import Note
from core.vault.index import VaultIndex
from mindnet_lsp.handlers.diagnostics import findings, to_lsp
from mindnet_lsp.session import Change, Session

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer


MANY = 200
"""From so many changed notes on, all are diagnosed again: that costs the event loop nothing."""


class Found(NamedTuple):
    """The findings in `note` as a JSON array. `result_id` is a hash of it, so equal findings
    have equal ids, whatever else changed and after a restart too."""

    note: Note
    generation: int
    items: str
    result_id: str

    @property
    def is_clean(self) -> bool:
        return self.items == "[]"


@dataclass(frozen=True, slots=True)
class View:
    """A snapshot, and how many changes came before it."""

    index: VaultIndex
    generation: int


class Findings:
    """The findings of the notes of one session."""

    def __init__(self, ls: MindnetServer, session: Session) -> None:
        self._ls, self._session = ls, session
        self._known: dict[str, Found] = {}
        self._stale_since: dict[str, int] = {}
        self._generation = self._all_stale_since = 0
        self._is_used = False
        self.touched: set[str] | None = set()
        """The notes whose findings the last change can have changed; None for all."""
        self.told: dict[str, str] = {}
        """Result ids by path, as the client was last told."""

    def clear(self) -> None:
        """Settings or configuration changed: nothing that is known holds any more."""
        self._generation += 1
        self._all_stale_since = self._generation
        self._known.clear()
        self._stale_since.clear()

    def snapshot(self) -> View:
        """The session as it is now; from now on it is followed what changes."""
        self._is_used = True
        index = self._session.snapshot()
        return View(index, self._generation)

    def on_change(
        self, session: Session, previous: VaultIndex, new: VaultIndex, change: Change
    ) -> None:
        """The hook: takes note of what a new snapshot can change."""
        if change.everything or len(change.notes) + len(change.removed) > MANY:
            self.clear()
            self.touched = None
        elif self._is_used:
            files = (*change.attachments_added, *change.attachments_removed)
            self.touched = affected(previous, new, change.paths, files)
            self._generation += 1
            self._stale_since.update(dict.fromkeys(self.touched, self._generation))

    def of(self, view: View, note: Note) -> Found:
        """The findings in a note of the snapshot. May run in any thread, and late: what it finds
        counts only until something touched the note."""
        known = self._known.get(note.path)
        since = self._stale_since.get(note.path, self._all_stale_since)
        if known is not None and known.note is note and known.generation >= since:
            return known
        ls, session = self._ls, self._session
        converter = ls.protocol._converter
        items = [
            converter.unstructure(to_lsp(ls, session, item), types.Diagnostic)
            for item in findings(ls, session, view.index, note)
        ]
        text = json.dumps(items)
        result_id = blake2b(text.encode(), digest_size=9).hexdigest()
        found = Found(note, view.generation, text, result_id)
        if known is None or known.generation <= found.generation:
            self._known[note.path] = found
        return found

    def differ(self, view: View, paths: Iterable[str]) -> bool:
        """Whether the client was told something else of any of these notes. Runs in a
        thread."""
        for path in paths:
            note, told = view.index.get(path), self.told.get(path)
            if note is None:
                if told is not None:
                    return True
                continue
            found = self.of(view, note)
            if found.result_id != told and not (told is None and found.is_clean):
                return True
        return False
