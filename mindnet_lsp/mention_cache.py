"""Names to look for in texts, prepared once for each state of a vault's names."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from weakref import WeakKeyDictionary

from core.features.mention_names import MentionNames
from core.vault.names import NameTable
from mindnet_lsp.session import Session


class MentionCache:
    """The newest `MentionNames` of each session. Safe in several threads."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Session, MentionNames] = WeakKeyDictionary()
        self._building = Lock()

    def latest(self, session: Session) -> MentionNames | None:
        """What is there, maybe of names a moment ago; None before the first `fresh`."""
        return self._known.get(session)

    def fresh(
        self, session: Session, table: NameTable, stop: Callable[[], bool] = lambda: False
    ) -> MentionNames:
        """The names of this very table. Blocks for some ten milliseconds where they changed."""
        with self._building:
            known = self._known.get(session)
            if known is None or known.table is not table:
                known = MentionNames(table, stop)
                if not stop():
                    self._known[session] = known
            return known
