"""textDocument/publishDiagnostics: a hook on (previous, new), so no handler publishes.

Pushed to clients that do not ask for them; for those that do see `refresh`. Followed are the
open documents and those that were published for before; of them only the ones whose findings
can have changed are looked at, after a short quiet, in a worker thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lsprotocol import types

from core.features.results import Diagnostic
from core.model import Note
from core.vault.index import VaultIndex
from mindnet_lsp.handlers.diagnostics import findings, to_lsp
from mindnet_lsp.schedule import Debounced
from mindnet_lsp.session import Change, Session

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

QUIET = 0.1
"""Seconds without a change before findings are worked out."""
SETTLED = 0.5
"""Seconds after which equal findings are sent again for the newer version of a document, so
that the last published version is the last one. While somebody types that would be noise."""
_Key = tuple[Session, str]


class Teller(Protocol):
    """Tells the client of findings in one of the two ways; never both at one client."""

    def opened(self, session: Session, path: str) -> None:
        """A document was opened: the client may have dropped what it was told of it before."""

    def edited(self, session: Session, path: str) -> None:
        """The text of an open document changed; it is not parsed yet."""

    def refresh(self, session: Session) -> None:
        """Everything may be different: settings changed, or the vault was loaded."""

    def on_change(
        self, session: Session, previous: VaultIndex, new: VaultIndex, change: Change
    ) -> None:
        """The hook of each session."""

    def forget(self, session: Session) -> None:
        """The session ended: nothing of it stays on the screen."""


class _Published(NamedTuple):
    uri: str
    version: int | None
    items: list[types.Diagnostic]


class Publisher:
    """Keeps the clients' findings in step with the sessions."""

    def __init__(self, ls: MindnetServer) -> None:
        self._ls = ls
        self._published: dict[_Key, _Published] = {}
        self._due: set[_Key] = set()
        self._one_at_a_time = asyncio.Lock()
        self._soon = Debounced(ls.scheduler, self._publish, QUIET, "diagnostics")
        self._later = Debounced(ls.scheduler, self._settle, SETTLED, "diagnostics")

    def opened(self, session: Session, path: str) -> None:
        """See `Teller.opened`: Neovim drops the findings of a buffer that it reads again."""
        self._published.pop((session, path), None)
        self.edited(session, path)

    def edited(self, session: Session, path: str) -> None:
        """The text of an open document changed; it is not parsed yet."""
        self._due.add((session, path))
        self._soon()
        self._later()

    def refresh(self, session: Session) -> None:
        """Everything may be different: settings changed, or the vault was loaded."""
        if session in self._ls.findings:
            self._ls.findings[session].clear()
        self._due |= {(session, path) for path in self._followed(session)}
        self._soon()

    def on_change(
        self, session: Session, previous: VaultIndex, new: VaultIndex, change: Change
    ) -> None:
        """The hook: finds out whose findings can have changed."""
        if change.everything or change.attachments_added or change.attachments_removed:
            self.refresh(session)
            return
        followed = self._followed(session)
        changed = change.paths
        if any(_names(previous.get(path)) != _names(new.get(path)) for path in changed):
            # links anywhere may mean something else now; there are few followed notes
            changed = set(followed)
        due = {(session, path) for path in changed.intersection(followed)}
        if due:
            self._due |= due
            self._soon()

    def forget(self, session: Session) -> None:
        """The session ended: nothing of it stays on the screen."""
        for key in [key for key in self._published if key[0] is session]:
            self._clear(key)
            del self._published[key]
        self._due = {key for key in self._due if key[0] is not session}

    def _followed(self, session: Session) -> set[str]:
        published = {path for owner, path in self._published if owner is session}
        return published | set(session.documents)

    async def _publish(self) -> None:
        # else findings of an older snapshot could come after those of a newer one
        async with self._one_at_a_time:
            due, self._due = self._due, set()
            for session in sorted({key[0] for key in due}, key=lambda owner: owner.root_uri):
                paths = sorted(path for owner, path in due if owner is session)
                if session.is_ready:
                    await self._publish_session(session, paths)

    async def _publish_session(self, session: Session, paths: list[str]) -> None:
        for path in list(paths):
            if self._ls.sessions.find(session.uri(path)) != (session, path):
                # a folder within this one took the note over, and publishes for it
                self._published.pop((session, path), None)
                paths.remove(path)
        await self._ls.parse_large(session, paths)
        index = session.snapshot()
        notes = [note for path in paths if (note := index.get(path)) is not None]
        versions = {note.path: session.version(note.path) for note in notes}
        found = await self._ls.scheduler.in_thread(self._diagnose, session, index, notes)
        for path in paths:
            if session.version(path) != versions.get(path):
                continue  # edited meanwhile: the next round is on its way
            items = found.get(path)
            if items is None:
                self._clear((session, path))
            else:
                self._send(session, path, [to_lsp(self._ls, session, item) for item in items])

    def _diagnose(
        self, session: Session, index: VaultIndex, notes: Iterable[Note]
    ) -> dict[str, list[Diagnostic]]:
        return {note.path: findings(self._ls, session, index, note) for note in notes}

    async def _settle(self) -> None:
        """Say of which version the findings are, where only that is new."""
        await self._publish()
        for (session, path), last in list(self._published.items()):
            version = session.version(path)
            if version not in (None, last.version) and (session, path) not in self._due:
                self._published[session, path] = last._replace(version=version)
                self._notify(last.uri, version, last.items)

    def _send(self, session: Session, path: str, items: list[types.Diagnostic]) -> None:
        uri, version = session.uri(path), session.version(path)
        last = self._published.get((session, path))
        if last is not None and last.items == items and last.uri == uri:
            return
        if last is not None and last.uri != uri:
            self._notify(last.uri, None, [])
        self._published[session, path] = _Published(uri, version, items)
        self._notify(uri, version, items)

    def _clear(self, key: _Key) -> None:
        """The note is gone. It stays followed, in case that it comes back."""
        last = self._published.get(key)
        if last is not None and last.items:
            self._published[key] = last._replace(version=None, items=[])
            self._notify(last.uri, None, [])

    def _notify(self, uri: str, version: int | None, items: list[types.Diagnostic]) -> None:
        self._ls.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, items, version)
        )


def _names(note: Note | None) -> object:
    """What links from other notes depend on."""
    if note is None:
        return None
    return (
        note.title,
        note.note_id,
        note.aliases,
        [(heading.level, heading.text) for heading in note.headings],
        [block.id for block in note.blocks],
        [mention.kind for mention in note.kinds],
    )
