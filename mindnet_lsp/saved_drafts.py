"""What was saved as drafts in this session, so that saving again goes on where it ended."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from core.text import fold

if TYPE_CHECKING:
    from mindnet_lsp.session import Session

MOST = 256
"""Saved texts that are remembered in a vault."""


class SavedDrafts:
    """By vault: the markdown last saved for each path, and the ids of the new notes, which the
    index may not have seen yet. `lock` is held while one is saved."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self._texts: WeakKeyDictionary[Session, dict[str, str]] = WeakKeyDictionary()
        self._ids: WeakKeyDictionary[Session, dict[str, None]] = WeakKeyDictionary()

    def text(self, session: Session, path: str) -> str | None:
        """The markdown as the client gave it last; None where none was saved."""
        return self._texts.get(session, {}).get(path)

    def has_id(self, session: Session, note_id: str) -> bool:
        """Whether a note of the index or a draft saved just now has an id."""
        known = self._ids.get(session, {})
        return fold(note_id) in known or session.index.path_of(note_id) is not None

    def remember(self, session: Session, path: str, markdown: str, note_id: str = "") -> None:
        """A draft was saved."""
        texts = self._texts.setdefault(session, {})
        texts.pop(path, None)
        texts[path] = markdown
        if note_id:
            self._ids.setdefault(session, {})[fold(note_id)] = None
        for kept in (texts, self._ids.get(session, {})):
            if len(kept) > MOST:
                del kept[next(iter(kept))]
