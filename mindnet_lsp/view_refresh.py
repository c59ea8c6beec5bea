"""workspace/{codeLens,inlayHint,semanticTokens}/refresh: what is shown in an open note may have
changed although nobody edited it.

A client asks again by itself after its own edits, so only what other notes do to an open one is
told, and what settings do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from pygls.exceptions import JsonRpcException

from core.model import Note
from core.vault.index import VaultIndex
from mindnet_lsp.schedule import Debounced
from mindnet_lsp.session import Change, Session

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

Shown = Literal["code_lens", "inlay_hint", "semantic_tokens"]
EVERYTHING: tuple[Shown, ...] = ("code_lens", "inlay_hint", "semantic_tokens")

QUIET = 0.25
"""Seconds without a change before the client is asked to look again."""
MANY = 200
"""From so many changed notes on, showing again is cheaper than finding out whether to."""
ANSWER_TIMEOUT = 30.0


class ViewRefresh:
    """Asks the client to look again, for what it supports that."""

    def __init__(self, ls: MindnetServer) -> None:
        self._ls = ls
        self._due: set[Shown] = set()
        self._soon = Debounced(ls.scheduler, self._tell, QUIET, "refreshing what is shown")

    def ask(self, *shown: Shown) -> None:
        """These may look different now in any note."""
        due = self._ls.facts.refreshes.intersection(shown)
        if due:
            self._due.update(name for name in shown if name in due)
            self._soon()

    def on_change(
        self, session: Session, previous: VaultIndex, new: VaultIndex, change: Change
    ) -> None:
        """The hook of each session."""
        if self._ls.facts.refreshes:
            self.ask(*shown_otherwise(previous, new, change, session.documents))

    async def _tell(self) -> None:
        due, self._due = sorted(self._due), set()
        ask = {
            "code_lens": self._ls.workspace_code_lens_refresh_async,
            "inlay_hint": self._ls.workspace_inlay_hint_refresh_async,
            "semantic_tokens": self._ls.workspace_semantic_tokens_refresh_async,
        }
        for name in due:
            # a client may answer only once it has asked for everything: nobody waits for it
            asked = asyncio.ensure_future(ask[name](None))
            self._ls.scheduler.spawn(_patiently(asked), f"asking to refresh {name}")


def shown_otherwise(
    previous: VaultIndex, new: VaultIndex, change: Change, opened: Iterable[str]
) -> tuple[Shown, ...]:
    """What must be shown again in the open notes because others changed."""
    if change.everything or change.attachments_added or change.attachments_removed:
        return EVERYTHING
    changed = change.paths
    if len(changed) > MANY:
        return EVERYTHING
    # of two that changed at once each may be news to the other
    others = [path for path in opened if path not in changed or len(changed) > 1]
    if any(_looks_different(previous, new, path, changed - {path}) for path in others):
        return EVERYTHING
    if any(_is_counted(previous, new, path, changed - {path}) for path in others):
        return ("code_lens",)
    return ()


async def _patiently(asked: asyncio.Future[None]) -> None:
    with suppress(TimeoutError, JsonRpcException):
        await asyncio.wait_for(asyncio.shield(asked), ANSWER_TIMEOUT)


def _looks_different(
    previous: VaultIndex, new: VaultIndex, path: str, changed: Iterable[str]
) -> bool:
    """Whether links of the note at `path` lead elsewhere, or to something named otherwise."""
    targets = new.targets(path)
    if previous.targets(path) != targets:
        return True
    return any(
        other in targets and _told(previous.get(other)) != _told(new.get(other))
        for other in changed
    )


def _is_counted(previous: VaultIndex, new: VaultIndex, path: str, changed: Iterable[str]) -> bool:
    """Whether changed notes link to the note at `path` in another way than before."""
    if previous.backlink_count(path) != new.backlink_count(path):
        return True
    return any(
        (path in previous.targets(other) or path in new.targets(other))
        and _links(previous.get(other)) != _links(new.get(other))
        for other in changed
    )


def _told(note: Note | None) -> object:
    """What links to a note show of it."""
    if note is None:
        return None
    headings = [(heading.level, heading.raw) for heading in note.headings]
    return note.title, headings, [block.id for block in note.blocks]


def _links(note: Note | None) -> list[str]:
    return [link.raw for link in note.links] if note else []
