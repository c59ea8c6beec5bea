"""Writes stored notes as files: never outside the folder, never over another file."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Literal

from core.errors import AlreadyExists, InvalidArguments, NotIndexed, OutsideVault
from core.roundtrip.stored import StoredNote
from core.vault.ignore import is_hidden
from core.vault.scan import is_note_path


class Exporter:
    """Writes below `folder`, which is created. Raises as `check` does."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.check(folder, root)
        self._folder = folder.resolve()
        self._folder.mkdir(parents=True, exist_ok=True)
        mask = os.umask(0)
        os.umask(mask)
        self._mode = 0o666 & ~mask

    @staticmethod
    def check(folder: Path, root: Path) -> None:
        """Raise InvalidArguments for a folder in the vault at `root`: what is written there
        would be notes of it. Also for one that is a file."""
        if folder.resolve().is_relative_to(root.resolve()):
            raise InvalidArguments(f"{folder} is in the vault", "Name a folder outside of it.")
        if folder.exists() and not folder.is_dir():
            raise InvalidArguments(f"{folder} is not a folder", "Name another one.")

    def write(self, note: StoredNote) -> Literal["written", "same"]:
        """Write one note, whole or not at all; "same" where the file was there already.

        Raises OutsideVault for a path that is none of a note below the folder, AlreadyExists
        where another file is in the way, NotIndexed where the store has not got the text.
        """
        content = note.content
        if content is None:
            raise NotIndexed(f"{note.path}: the index has not got its text")
        target = self._target(note.path)
        if os.path.lexists(target):
            return _compare(target, content, note.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".mindnet-", suffix=".tmp")
        try:
            with open(handle, "wb") as file:
                file.write(content)
            os.chmod(temporary, self._mode)
            try:
                _rename_new(temporary, target)
            except FileExistsError:  # it came this very moment
                return _compare(target, content, note.path)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
        return "written"

    def _target(self, path: str) -> Path:
        parts = path.split("/")
        plain = is_note_path(path) and not any(
            part in ("", ".", "..") or is_hidden(part) or {"\0", os.sep, os.altsep} & {*part}
            for part in parts
        )
        target = self._folder.joinpath(*parts) if plain else self._folder
        if not plain or Path(*parts).is_absolute() or Path(*parts).drive:
            raise OutsideVault(f"{path!r} is no path of a note")
        # a link that lies in the folder may lead anywhere
        if not target.parent.resolve().is_relative_to(self._folder):
            raise OutsideVault(f"{path}: its folder leads out of {self._folder}")
        return target


def _compare(target: Path, content: bytes, path: str) -> Literal["same"]:
    same = (
        not target.is_symlink()
        and target.is_file()
        and target.stat().st_size == len(content)
        and target.read_bytes() == content
    )
    if not same:
        raise AlreadyExists(f"{path}: another file is there")
    return "same"


def _rename_new(temporary: str, target: Path) -> None:
    """Give a file its name in one step; raises FileExistsError where that is taken."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except (OSError, AttributeError) as error:  # a file system without hard links
        if os.path.lexists(target):
            raise FileExistsError(target) from error
        os.rename(temporary, target)
