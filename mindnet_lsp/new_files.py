"""Files that the server writes itself: new ones only, inside the vault, whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.errors import OutsideVault
from core.features.results import CreateFile
from core.locale import Locale, say
from core.vault.new_file import CONFIG_FILES, create_new, is_on_disk

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

__all__ = ("CONFIG_FILES", "create_file", "create_files", "is_taken")


async def create_files(ls: MindnetServer, session: Session, files: Sequence[CreateFile]) -> None:
    """Write new notes, each whole or not at all; the index follows. Raises as `create_file`."""
    for new in files:
        await ls.scheduler.in_thread(create_file, session, ls.locale(session), new)
        if session in ls.indexing:
            ls.indexing[session].touch(new.path)


def create_file(session: Session, locale: Locale, new: CreateFile) -> None:
    """Write a new note. Blocks. Raises as `create_new`, and OutsideVault for a file that is in
    no vault."""
    if session.root is None:
        raise OutsideVault(
            say(locale, "This note is in no vault", "Diese Notiz ist in keinem Vault")
        )
    create_new(session.root, new.path, new.text, locale)


def is_taken(session: Session, path: str) -> bool:
    """Whether there is a file at a vault path, in whatever letter case; looks at the disk."""
    return session.root is None or is_on_disk(session.root, path)
