"""Smart edges to notes, as the core last told them: a hover takes what is known and never waits."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from core.errors import MindnetError
from mindnet_lsp.core_client import VaultCore

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

PATIENCE = 1.0
"""Seconds that a command waits for them."""
FRESH = 10.0
"""Seconds for which they are not asked for again."""
KEPT = 200
"""Notes whose edges are remembered."""


class SmartLinks:
    """Of all sessions, on the event loop."""

    def __init__(self, ls: MindnetServer) -> None:
        self._ls = ls
        self._known: dict[tuple[str, str], tuple[float, list[dict[str, Any]]]] = {}

    def known(self, session: Session, path: str) -> list[dict[str, Any]]:
        """What is known by now; what is not, or is old, is asked for meanwhile."""
        when, links = self._known.get((session.root_uri, path), (-FRESH, []))
        if time.monotonic() - when >= FRESH and self._is_there(session):
            # not again before there is an answer
            self._keep(session, path, links)
            self._ls.scheduler.spawn(self._ask(session, path), "asking for smart edges")
        return links

    async def of(self, session: Session, path: str) -> list[dict[str, Any]]:
        """Those of now, or after `PATIENCE` those that are known."""
        if self._is_there(session):
            try:
                return await asyncio.wait_for(self._ask(session, path), PATIENCE)
            except TimeoutError:
                pass  # the core is busy: what it said before is better than to wait
        return self._known.get((session.root_uri, path), (0.0, []))[1]

    async def _ask(self, session: Session, path: str) -> list[dict[str, Any]]:
        assert isinstance(session.core, VaultCore)
        try:
            answer = await session.core.call("POST", "/graph/smart", {"path": path})
        except MindnetError:
            return self._known.get((session.root_uri, path), (0.0, []))[1]
        links: list[dict[str, Any]] = answer["links"]
        self._keep(session, path, links)
        return links

    def _keep(self, session: Session, path: str, links: list[dict[str, Any]]) -> None:
        key = (session.root_uri, path)
        self._known.pop(key, None)
        self._known[key] = (time.monotonic(), links)
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    def _is_there(self, session: Session) -> bool:
        """Whether the core said that its index is ready: else nothing is started for this."""
        core = session.core
        if not isinstance(core, VaultCore):
            return False
        return bool(core.status().get("index", {}).get("state") == "ready")
