"""The core service as one session sees it: found or started in the background, never waited for.

`httpx` and pydantic's HTTP shapes are loaded in a worker thread at the first use, so that
neither the start of the server nor a request pays for them.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.errors import MindnetError
from core.locale import say
from core.settings import Settings
from mindnet_lsp.progress import progress
from mindnet_lsp.session import Change, Session

if TYPE_CHECKING:
    from core.service.client import CoreClient
    from core.vault.index import VaultIndex
    from mindnet_lsp.server import MindnetServer

STATUS_POLL = 0.5
"""Seconds between two looks at a core that is indexing."""
REPLACED_WITHIN = 20.0
"""Seconds that a core may take to end when it is to be replaced."""
SAVE_DELAY = 0.1
SHOW_PROGRESS_AFTER = 1.0
"""Seconds of indexing after which it is shown; short work shows nothing."""
MANY_PATHS = 200
PARTS = ("chunks", "edges", "index", "store", "embedding", "llm", "smart_edges")
"""Of the status, what the core knows and the link index does not."""

_log = logging.getLogger(__name__)


class VaultCore:
    """Implements the session's `Core`. Everything here runs on the event loop."""

    def __init__(self, ls: MindnetServer, session: Session) -> None:
        assert session.root is not None, "a single file has no core"
        self._ls, self._session, self._root = ls, session, session.root
        self._client: CoreClient | None = None
        self._opening = asyncio.Lock()
        self._status: dict[str, Any] = {}
        self._saved: set[str] = set()
        self._reconfigured = False
        self._compared = False
        self._saving: asyncio.Task[Any] | None = None
        self._following: asyncio.Task[Any] | None = None

    async def call(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """The core's JSON answer; raises MindnetError where it has none."""
        return await (await self._open()).call(method, path, body)

    async def stream(self, path: str, body: Any = None) -> AsyncGenerator[dict[str, Any], None]:
        """The lines of a long answer; raises MindnetError. Closing it ends the work."""
        client = await self._open()
        async with aclosing(client.stream(path, body)) as lines:
            async for line in lines:
                yield line

    def saved(self, paths: Iterable[str]) -> None:
        """Have these notes indexed soon; calls while that waits or runs are joined."""
        self._saved.update(paths)
        if self._saved:
            self._tell()

    def reconfigured(self) -> None:
        """Have the vault's YAML files read again, and the notes that they concern written."""
        self._reconfigured = True
        self._tell()

    def restart(self) -> None:
        """Have a core with the session's settings of now take the place of the running one."""
        if self._client is not None:
            self._client.settings = self._settings()
            self._ls.scheduler.spawn(self._replace(self._client), "replacing the core")

    def status(self) -> dict[str, Any]:
        """What the core last said of its parts; nothing before it said anything."""
        return dict(self._status)

    def follow(self) -> None:
        """Start the core if need be, and follow its status until it is ready."""
        if self._following is None or self._following.done():
            self._following = self._ls.scheduler.spawn(self._follow(), "following the core")

    async def refresh(self) -> str:
        """Ask for the status, tell the client if it is new, and return the index' state.

        Raises MindnetError.
        """
        found = await self.call("GET", "/status")
        self._compare()
        known = {part: found[part] for part in PARTS if part in found}
        if known != self._status:
            was, self._status = self._status, known
            self._ls.notify_status(self._session)
            if known["index"]["state"] == "ready" != was.get("index", {}).get("state"):
                self._ls.suggestions.indexed(self._session)
        return str(found["index"]["state"])

    def on_change(
        self, session: Session, previous: VaultIndex, new: VaultIndex, change: Change
    ) -> None:
        """Hook of the session: a vault that was loaded gets its core."""
        if change.everything:
            self.follow()

    def close(self) -> None:
        """Let go of the connection; the core lives on for other windows."""
        for task in (self._saving, self._following):
            if task is not None:
                task.cancel()
        if self._client is not None:
            client, self._client = self._client, None
            with suppress(RuntimeError):  # no loop any more: the process ends
                self._ls.scheduler.spawn(client.aclose(), "closing the connection to the core")

    async def _open(self) -> CoreClient:
        async with self._opening:
            if self._client is None:
                module = await self._ls.scheduler.in_thread(
                    importlib.import_module, "core.service.client"
                )
                self._client = module.CoreClient(self._root, self._settings())
            return self._client

    def _settings(self) -> dict[str, Any]:
        # whole: the core reads the environment too, which an editor's default must win over
        return self._session.settings.model_dump()

    def _compare(self) -> None:
        """Say once where the core that was found has other settings than this window. It is
        used all the same: to replace it would only make its other user do so in turn."""
        if self._compared or self._client is None or self._client.health is None:
            return
        self._compared = True
        health, settings = self._client.health, Settings.model_validate(self._settings())
        agreement = importlib.import_module("core.service.agreement")
        found = agreement.differences(settings, health.get("settings", {}))
        if not found:
            return
        locale = self._ls.locale(self._session)
        hint = say(
            locale,
            "This window's apply once that core has ended: close the other windows of the vault,"
            f" or end process {health['pid']}.",
            "Die dieses Fensters gelten, sobald er beendet ist: die anderen Fenster des Vaults"
            f" schließen oder Prozess {health['pid']} beenden.",
        )
        text = f"{self._root.name}: {agreement.said(found, locale)}. {hint}"
        _log.warning("%s", text)
        self._ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    async def _replace(self, client: CoreClient) -> None:
        module = importlib.import_module("core.service.client")
        last = module.CoreClient(self._root, start=False)
        ended = False
        try:
            for _ in range(int(REPLACED_WITHIN / STATUS_POLL)):
                try:
                    await last.call("GET" if ended else "POST", "/health" if ended else "/shutdown")
                    ended = True
                except MindnetError:
                    if ended or not client.has_process:
                        break  # it is gone; else one with the old settings is just coming up
                await asyncio.sleep(STATUS_POLL)
        finally:
            await last.aclose()
        if self._following is not None:
            self._following.cancel()
            self._following = None
        self.follow()

    def _tell(self) -> None:
        if self._saving is None or self._saving.done():
            self._saving = self._ls.scheduler.spawn(self._save(), "telling the core what was saved")

    async def _save(self) -> None:
        await asyncio.sleep(SAVE_DELAY)
        while self._saved or self._reconfigured:
            paths, self._saved = sorted(self._saved), set()
            reload, self._reconfigured = self._reconfigured, False
            try:
                if reload:
                    await self.call("POST", "/config/reload")
                    reload = False
                    self.follow()
                if not paths:
                    continue
                if len(paths) > MANY_PATHS:
                    async for _ in self.stream("/index/sync", {}):
                        pass
                else:
                    await self.call("POST", "/ingest/save", {"paths": paths})
                await self.refresh()
                self._ls.suggestions.indexed(self._session, paths)
            except MindnetError as error:
                self._saved.update(paths)  # the next save brings them along
                self._reconfigured |= reload
                _log.warning("what was saved is not indexed yet: %s %s", error.message, error.hint)
                self._failed(error)
                return

    async def _follow(self) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            while await self.refresh() in ("starting", "indexing"):
                if loop.time() - began > SHOW_PROGRESS_AFTER:
                    await self._follow_shown()
                    return
                await asyncio.sleep(STATUS_POLL)
        except MindnetError as error:
            _log.warning("search is not there: %s %s", error.message, error.hint)
            self._failed(error)

    async def _follow_shown(self) -> None:
        locale = self._ls.locale(self._session)
        title = say(locale, "Indexing for search", "Suche wird vorbereitet")
        async with progress(self._ls, title) as report:
            total = 0
            while await self.refresh() in ("starting", "indexing"):
                pending = int(self._status["index"]["pending"])
                total = max(total, pending)
                report(total - pending, total or 1)
                await asyncio.sleep(STATUS_POLL)

    def _failed(self, error: MindnetError) -> None:
        mode = self._session.settings.store.mode
        self._status["store"] = {"mode": mode, "state": f"unavailable: {error.message}"}
        self._ls.notify_status(self._session)
