"""New files of a vault, each written whole or not at all, never over another one."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from core.config.files import VAULT_FOLDER
from core.errors import AlreadyExists, NotANote, OutsideVault
from core.locale import Locale, say
from core.text import fold
from core.vault.ignore import is_hidden
from core.vault.scan import is_note_path

CONFIG_FILES = frozenset(f"{VAULT_FOLDER}/{name}.yaml" for name in ("relations", "types"))
"""Files of a vault that an action may create besides notes."""


def create_new(root: Path, path: str, text: str, locale: Locale) -> None:
    """Write a new note, or one of `CONFIG_FILES`, at a vault path. Blocks.

    Raises OutsideVault, NotANote for a name that no note can have, AlreadyExists where there
    is a file of that name in whatever letter case, OSError.
    """
    real = Path(os.path.realpath(root))
    target = real / path
    if not Path(os.path.realpath(target)).is_relative_to(real):
        raise OutsideVault(
            say(locale, f"{path} leaves the vault", f"{path} liegt außerhalb des Vaults")
        )
    hidden = any(is_hidden(part) for part in path.split("/"))
    if path not in CONFIG_FILES and (hidden or not is_note_path(path)):
        raise NotANote(
            say(locale, f"{path} is no name for a note", f"{path} ist kein Name für eine Notiz")
        )
    if is_on_disk(root, path):
        raise _exists(locale, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        _write(target, text)
    except FileExistsError as error:
        raise _exists(locale, path) from error


def is_on_disk(root: Path, path: str) -> bool:
    """Whether there is a file at a vault path, in whatever letter case."""
    if os.path.lexists(root / path):
        return True
    folder = root
    for part in path.split("/"):
        try:
            same = [entry for entry in os.listdir(folder) if fold(entry) == fold(part)]
        except OSError:
            return False
        if not same:
            return False
        folder = folder / same[0]
    return True


def replace_text(target: Path, before: bytes, after: bytes) -> bool:
    """Give a file new content, whole or not at all; False where it is not `before` any more.
    Blocks. Raises OSError."""
    draft = target.with_name(f".mindnet-{secrets.token_hex(6)}.tmp")
    try:
        with draft.open("xb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, target.stat().st_mode & 0o7777)
        if target.read_bytes() != before:
            return False
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)
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
