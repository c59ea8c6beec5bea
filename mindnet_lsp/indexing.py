"""From a folder to a ready session, and keeping it in step with the disk."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.config.files import VAULT_FOLDER
from core.errors import Cancelled
from core.locale import say
from core.paths import CACHE_FILE, ensure_private, vault_data_dir
from core.vault.cache import write_index
from core.vault.index import VaultIndex
from core.vault.load import Loaded, load_vault
from core.vault.together import spare_cores
from mindnet_lsp import disk
from mindnet_lsp.errors import where
from mindnet_lsp.overlay import parse_safely
from mindnet_lsp.progress import progress
from mindnet_lsp.schedule import Debounced
from mindnet_lsp.session import DiskChange, Session
from mindnet_lsp.view_refresh import EVERYTHING

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

DISK_DELAY = 0.05
"""Seconds of quiet after a file event; editors and git write many files at a time."""
CACHE_DELAY = 20.0
MANY_PATHS = 200
"""From so many changed files on, one scan is cheaper than looking at each."""
MANY_PROBLEMS = 20
"""Unreadable files that are named in the log; a whole disk of them is one line more."""

_log = logging.getLogger(__name__)


class Indexing:
    """Loads one folder session in the background and follows its files."""

    def __init__(self, ls: MindnetServer, session: Session) -> None:
        assert session.root is not None, "a single file is not indexed"
        self._ls, self._session, self._root = ls, session, session.root
        self._touched: set[str] = set()
        self._all = self._begun = self._reconfigured = False
        self._look = Debounced(ls.scheduler, self._follow, DISK_DELAY, "following files")
        self._save = Debounced(ls.scheduler, self._write_cache, CACHE_DELAY, "writing the cache")
        session.closers.append(self._look.cancel)
        session.closers.append(self._save.cancel)

    def begin(self) -> bool:
        """Whether this call is the one that has to start loading."""
        first, self._begun = not self._begun, True
        return first

    def touch(self, path: str) -> None:
        """Something happened to the file or folder at this vault path."""
        if path == VAULT_FOLDER or path.startswith(f"{VAULT_FOLDER}/"):
            self._reconfigured = True
        self._touched.add(path)
        self._look()

    def reconfigure(self) -> None:
        """A file of the configuration is another one now."""
        self._reconfigured = True
        self._look()

    def rescan(self) -> None:
        """Anything may have happened."""
        self._all = True
        self._look()

    def saved(self, path: str) -> None:
        """The editor saved an open note: its links are in the index, the store follows."""
        self.touch(path)
        if self._session.core is not None:
            self._session.core.saved([path])

    def take(self, found: DiskChange, after: VaultIndex | None = None) -> bool:
        """Put what was found on disk into the index, the store and the cache. False where
        nothing is different. `after` is the index after it, where it is known."""
        different = self._session.apply_disk(found, after)
        changed = {note.path for note, _ in found.notes} | set(found.removed)
        if different and changed and self._session.core is not None:
            self._session.core.saved(sorted(changed))
        if changed:
            self._save()
        return different

    async def take_many(self, found: DiskChange) -> bool:
        """The same for so much that it would hold up the event loop: worked out in a thread,
        and there again only where the index became another one meanwhile."""
        session = self._session
        before, change = session.snapshot(), session.visible(found)
        after = await self._ls.scheduler.in_thread(change.of, before)
        still = session.snapshot() is before and session.visible(found) == change
        return self.take(found, after if still else None)

    async def load(self) -> None:
        """Load the vault anew, with progress. Never raises: the session then has an error."""
        session, ls = self._session, self._ls
        ls.set_state(session, "indexing")
        title = say(ls.locale(session), "Indexing notes", "Notizen werden gelesen")
        try:
            async with progress(ls, title) as report:
                loaded = await ls.scheduler.in_thread(self._load, report)
        except Cancelled:  # the server ends
            return
        except Exception as error:  # whatever it is, open documents go on working
            _log.error("%s could not be indexed: %s", self._root, where(error))
            ls.set_state(session, "error", type(error).__name__)
            return
        for problem in loaded.problems[:MANY_PROBLEMS]:
            _log.warning("%s: %s %s", problem.path or self._root, problem.reason, problem.detail)
        if len(loaded.problems) > MANY_PROBLEMS:
            _log.warning("and %s more such files", len(loaded.problems) - MANY_PROBLEMS)
        session.load(loaded)
        # the index lives as long as the server: looking for cycles in it takes hundreds of
        # milliseconds, in the middle of somebody's typing
        gc.freeze()
        ls.set_state(session, "ready")
        await self._prepare()
        if loaded.parsed:
            await self._write_cache()
        if self._touched or self._all:
            self._look()

    async def _prepare(self) -> None:
        """Make what searching needs, in a thread; once more for a snapshot that came meanwhile
        and had nothing to go on from."""
        for _ in range(3):
            index = self._session.index
            await self._ls.scheduler.in_thread(index.prepare)
            if self._session.index is index:
                break

    def _load(self, report: Callable[[int, int], None]) -> Loaded:
        session = self._session
        self._configure()
        ignore, cancelled = session.settings.vault.ignore, self._ls.scheduler.stopping
        helpers = spare_cores()
        return load_vault(
            self._root, ignore, self._cache(), parse_safely, report, cancelled, helpers
        )

    def _configure(self) -> None:
        self._session.load_config(self._root)
        for problem in self._session.config.problems:
            _log.warning("%s", problem)

    async def _follow(self) -> None:
        session = self._session
        if not session.is_ready:
            return  # the load looks at everything, and asks again when it is done
        if self._reconfigured:
            self._reconfigured = False
            await self._ls.scheduler.in_thread(self._configure)
            self._ls.publisher.refresh(session)
            self._ls.views.ask(*EVERYTHING)
            if session.core is not None:
                session.core.reconfigured()
        touched, self._touched = self._touched, set()
        everything, self._all = self._all or len(touched) > MANY_PATHS, False
        known = disk.Known(
            self._root, session.settings.vault.ignore, dict(session.stamps), session.index
        )
        found: DiskChange | None = None
        if not everything:
            found = await self._ls.scheduler.in_thread(disk.look_at, known, touched)
        if found is None:
            stopping = self._ls.scheduler.stopping
            opened = frozenset(session.documents)
            found = await self._ls.scheduler.in_thread(disk.rescan, known, opened, stopping)
        self.take(found)

    async def _write_cache(self) -> None:
        """Keep the parsed notes for the next start; those of open documents are left out, as
        their text may not be the file's."""
        session, path = self._session, self._cache()
        stamps = {
            name: stamp for name, stamp in session.stamps.items() if name not in session.documents
        }
        if path is None:
            return
        try:
            await self._ls.scheduler.in_thread(write_index, path, session.index, stamps)
        except OSError as error:
            _log.warning("the link cache could not be written: %s", error.strerror)

    def _cache(self) -> Path | None:
        try:
            return ensure_private(vault_data_dir(self._root)) / CACHE_FILE
        except OSError as error:
            _log.warning("there is no data folder, so no link cache: %s", error.strerror)
            return None
