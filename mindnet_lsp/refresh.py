"""workspace/diagnostic/refresh: tells a client that asks for findings when to ask again.

In the place of `publish` for such clients. A client asks by itself after its own edits, so
only what an edit does to *other* notes is told, and what happens outside the editor.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcException

from core.vault.index import VaultIndex
from mindnet_lsp.schedule import Debounced
from mindnet_lsp.session import Change, Session

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

QUIET = 0.1
"""Seconds without a change before it is worked out what else it touches."""
MANY = 500
"""From so many notes on, asking again is cheaper than finding out whether it is needed."""
ANSWER_TIMEOUT = 30.0

_log = logging.getLogger(__name__)


class Refresher:
    """Finds out whose findings can have changed, and has the client ask again."""

    def __init__(self, ls: MindnetServer) -> None:
        self._ls = ls
        self._due: dict[Session, set[str]] = {}
        self._all = False
        self._soon = Debounced(ls.scheduler, self._look, QUIET, "diagnostics")

    def opened(self, session: Session, path: str) -> None:
        """A document was opened; its client pulls."""
        self.edited(session, path)

    def edited(self, session: Session, path: str) -> None:
        """The text of an open document changed; it is not parsed yet."""
        self._due.setdefault(session, set())
        self._soon()

    def refresh(self, session: Session) -> None:
        """Everything may be different: settings or configuration changed."""
        if session in self._ls.findings:
            self._ls.findings[session].clear()
        self._all = True
        self._soon()

    def on_change(
        self, session: Session, previous: VaultIndex, new: VaultIndex, change: Change
    ) -> None:
        """The hook, in a new snapshot of a session."""
        touched = self._ls.findings[session].touched
        if touched is None:
            self._all = True
        else:
            # its editor asks for an open document by itself once that is edited
            own = {note.path for note in change.notes if note.path in session.documents}
            others = touched - own
            if not others:
                return
            self._due.setdefault(session, set()).update(others)
        self._soon()

    def forget(self, session: Session) -> None:
        """The session ended: nothing of it stays on the screen."""
        self._due.pop(session, None)
        self._all = True
        self._soon()

    async def _look(self) -> None:
        for session in list(self._due):
            await self._ls.parse_large(session, session.documents)
            session.snapshot()  # its hooks say what else the edits touch
        due, self._due = self._due, {}
        wanted, self._all = self._all, False
        for session, paths in due.items():
            findings = self._ls.findings.get(session)
            if wanted or not paths or findings is None or not session.is_ready:
                continue
            wanted = len(paths) > MANY or await self._ls.scheduler.in_thread(
                findings.differ, findings.snapshot(), sorted(paths)
            )
        if wanted:
            # a client may answer only once it has asked for everything: nobody waits for it
            self._ls.scheduler.spawn(self._tell(), "asking to refresh diagnostics")

    async def _tell(self) -> None:
        asked = asyncio.ensure_future(self._ls.workspace_diagnostic_refresh_async(None))
        with suppress(TimeoutError, JsonRpcException):
            await asyncio.wait_for(asyncio.shield(asked), ANSWER_TIMEOUT)
