"""Reading one note from disk: tolerant of its bytes, strict about its path."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from core.errors import NotANote, OutsideVault, UnreadableNote
from core.text import decode
from core.vault.scan import FileStamp, is_note_path

MAX_NOTE_BYTES = 32 * 1024 * 1024
"""A larger file is not read; nobody wrote it by hand."""


@dataclass(frozen=True, slots=True)
class NoteText:
    """A note's text, whether bytes of it were not UTF-8, and the file's stamp before reading.

    `raw` are the file's bytes where encoding the text does not give them back, else None.
    """

    text: str
    replaced: bool
    stamp: FileStamp
    raw: bytes | None = None


def read_note(root: Path, path: str) -> NoteText:
    """Read the note at a vault path, which may come from anywhere.

    Raises OutsideVault where the path or a link in it leaves `root`, NotANote where it
    is no regular note file, UnreadableNote where it cannot be read.
    """
    real_root = os.path.realpath(root)
    real = os.path.realpath(os.path.join(real_root, path))
    if not real.startswith(real_root.rstrip(os.sep) + os.sep):
        raise OutsideVault("the path leaves the vault")
    return read_scanned(root, path)


def read_scanned(root: Path, path: str) -> NoteText:
    """Like `read_note`, for a path that a scan has found and checked."""
    if not is_note_path(path):
        raise NotANote(f"{path} is not a note")
    try:
        return _read(os.path.join(root, path), path)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UnreadableNote(f"{path} cannot be read: {why}") from error


def _read(file: str, path: str) -> NoteText:
    # a named pipe would block for ever
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(file, flags), "rb", buffering=0) as handle:
        found = os.fstat(handle.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise NotANote(f"{path} is not a file")
        if found.st_size > MAX_NOTE_BYTES:
            raise UnreadableNote(f"{path} is larger than {MAX_NOTE_BYTES // 2**20} MB")
        data = handle.readall()
    decoded = decode(data)
    stamp = FileStamp(found.st_size, found.st_mtime_ns)
    return NoteText(decoded.text, decoded.replaced, stamp, None if decoded.exact else data)
