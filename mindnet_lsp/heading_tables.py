"""The headings of each session, kept ready for workspace/symbol."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from core.features.heading_table import HeadingTable
from core.vault.index import VaultIndex
from mindnet_lsp.session import Change, Session

if TYPE_CHECKING:
    from mindnet_lsp.schedule import Scheduler


class HeadingTables:
    """Made in a thread when somebody first asks; afterwards only changed notes are read."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._known: dict[Session, _Kept] = {}

    async def of(self, session: Session) -> tuple[VaultIndex, HeadingTable]:
        """A snapshot of the session and the table that belongs to it."""
        kept = self._known.get(session)
        if kept is None:
            kept = self._known[session] = _Kept()
            session.hooks.append(kept.on_change)
            session.closers.append(lambda: self._known.pop(session, None))
        async with kept.lock:
            index, table = session.snapshot(), kept.table
            if table is not None and not kept.changed:
                return index, table
            changed, kept.changed, loads = kept.changed, set(), kept.loads
            try:
                if table is None:
                    table = await self._scheduler.in_thread(HeadingTable.of, index)
                else:
                    table = await self._scheduler.in_thread(table.updated, index, changed)
            except asyncio.CancelledError:
                kept.changed |= changed
                raise
            if kept.loads == loads:
                kept.table = table
            return index, table


class _Kept:
    """The newest table, and the notes that changed since; `loads` counts whole new vaults."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.loads = 0
        self.table: HeadingTable | None = None
        self.changed: set[str] = set()

    def on_change(
        self, session: Session, previous: VaultIndex, new: VaultIndex, change: Change
    ) -> None:
        if change.everything:
            self.table = None
            self.loads += 1
        self.changed |= change.paths
