"""Edits of closed files are given only when the index knows those files as they are on disk.

A file that was changed outside, of which no watcher has told yet, would otherwise be edited at
places that are none any more. So: work out the edits on a snapshot, `look` at their files, and
begin again where the snapshot is not the newest any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.features.results import VaultEdit
from mindnet_lsp import disk

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session


async def look(ls: MindnetServer, session: Session, paths: Iterable[str]) -> bool:
    """Compare the files at these vault paths with what was read of them, in a thread, and read
    again those that differ. Whether the index is another one now.

    Open documents are their editor's; nothing is done for a file outside every folder.
    """
    indexing = ls.indexing.get(session)
    if indexing is None or session.root is None:
        return False
    closed = {path for path in paths if path not in session.documents}
    if not closed:
        return False
    stamps = dict(session.stamps)
    known = disk.Known(session.root, session.settings.vault.ignore, stamps, session.index)
    found = await ls.scheduler.in_thread(disk.look_at, known, closed)
    if found is None:  # a whole folder came or went
        found = await ls.scheduler.in_thread(
            disk.rescan, known, frozenset(session.documents), ls.scheduler.stopping
        )
    # whoever looked in the meantime has seen more
    current = session.stamps
    notes = tuple(
        pair for pair in found.notes if current.get(pair[0].path) == stamps.get(pair[0].path)
    )
    return indexing.take(found._replace(notes=notes))


def paths_of(change: VaultEdit) -> set[str]:
    """The files that an edit touches, by their present paths."""
    return {edit.path for edit in change.edits} | {renamed.path for renamed in change.renames}
