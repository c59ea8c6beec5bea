"""Files that the server writes itself: new ones only, inside the vault, whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.config.files import VAULT_FOLDER
from core.errors import AlreadyExists, NotANote, OutsideVault
from core.features.results import CreateFile
from core.locale import Locale, say
from core.text import fold
from core.vault.ignore import is_hidden
from core.vault.scan import is_note_path

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

CONFIG_FILES = frozenset(f"{VAULT_FOLDER}/{name}.yaml" for name in ("relations", "types"))
"""Files of a vault that an action may create besides notes."""


async def create_files(ls: MindnetServer, session: Session, files: Sequence[CreateFile]) -> None:
    """Write new notes, each whole or not at all; the index follows. Raises as `create_file`."""
    for new in files:
        await ls.scheduler.in_thread(create_file, session, ls.locale(session), new)
        if session in ls.indexing:
            ls.indexing[session].touch(new.path)


def create_file(session: Session, locale: Locale, new: CreateFile) -> None:
    """Write a new note. Blocks.

    Raises OutsideVault, NotANote for a name that no note can have, AlreadyExists where there
    is a file of that name in whatever letter case, OSError.
    """
    path = new.path
    if session.root is None:
        raise OutsideVault(
            say(locale, "This note is in no vault", "Diese Notiz ist in keinem Vault")
        )
    root = Path(os.path.realpath(session.root))
    target = root / path
    if not Path(os.path.realpath(target)).is_relative_to(root):
        raise OutsideVault(
            say(locale, f"{path} leaves the vault", f"{path} liegt außerhalb des Vaults")
        )
    hidden = any(is_hidden(part) for part in path.split("/"))
    if path not in CONFIG_FILES and (hidden or not is_note_path(path)):
        raise NotANote(
            say(locale, f"{path} is no name for a note", f"{path} ist kein Name für eine Notiz")
        )
    if is_taken(session, path):
        raise _exists(locale, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        _write(target, new.text)
    except FileExistsError as error:
        raise _exists(locale, path) from error


def is_taken(session: Session, path: str) -> bool:
    """Whether there is a file at a vault path, in whatever letter case; looks at the disk."""
    if session.root is None or session.exists(path):
        return True
    folder = session.root
    for part in path.split("/"):
        try:
            same = [entry for entry in os.listdir(folder) if fold(entry) == fold(part)]
        except OSError:
            return False
        if not same:
            return False
        folder = folder / same[0]
    return True


def _write(target: Path, text: str) -> None:
    """All of the text under the final name, or nothing; never over another file."""
    draft = target.with_name(f".mindnet-{secrets.token_hex(6)}.tmp")
    try:
        with draft.open("x", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, target)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            with target.open("x", encoding="utf-8", errors="surrogatepass", newline="") as file:
                file.write(text)
    finally:
        draft.unlink(missing_ok=True)


def _exists(locale: Locale, path: str) -> AlreadyExists:
    return AlreadyExists(
        say(locale, f"{path} exists already", f"{path} gibt es schon"),
        say(locale, "Choose another name", "Anderen Namen wählen"),
    )
