"""Names to look for in texts, prepared once for each state of a vault's names."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from weakref import WeakKeyDictionary, WeakSet

from core.features.mention_names import MentionNames
from core.vault.names import NameTable
from mindnet_lsp.schedule import Scheduler
from mindnet_lsp.session import Session


class MentionCache:
    """The newest `MentionNames` of each session. Safe in several threads."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Session, MentionNames] = WeakKeyDictionary()
        self._refreshing: WeakSet[Session] = WeakSet()
        self._building = Lock()

    def latest(self, session: Session) -> MentionNames | None:
        """What is there, maybe of names a moment ago; None before the first."""
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

    def refresh(self, scheduler: Scheduler, session: Session) -> None:
        """Have the names prepared soon, in the background, where they are not those of the
        session's index. On the event loop."""
        known = self._known.get(session)
        if session in self._refreshing or (known and known.table is session.index.names):
            return
        self._refreshing.add(session)
        scheduler.spawn(self._refreshed(scheduler, session), "preparing names")

    async def _refreshed(self, scheduler: Scheduler, session: Session) -> None:
        try:
            table = session.index.names
            await scheduler.in_thread(self.fresh, session, table, scheduler.stopping)
        finally:
            self._refreshing.discard(session)
