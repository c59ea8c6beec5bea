"""What the importer saw of each file, kept between starts so that only changes are read.

A cache and never the truth: an entry counts only while size and mtime of the file are the
same, and whether a note is up to date is decided by the store's own record of it. Losing
it costs one reading of the vault. It is written last.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from core.ingest.hashing import HashOptions
from core.parse import PARSER_VERSION
from core.store.files import write_atomically
from core.vault.scan import FileStamp

STATE_VERSION = 2


class Seen(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file's stamp (bytes, nanoseconds) when it was read, its content's hash, and a hash of
    its very bytes."""

    size: int
    mtime_ns: int
    signature: str
    file_hash: str

    @property
    def stamp(self) -> FileStamp:
        return FileStamp(self.size, self.mtime_ns)


class _File(msgspec.Struct):
    version: int
    parser: str
    options: HashOptions
    seen: dict[str, Seen]


def load_state(path: Path, options: HashOptions) -> dict[str, Seen]:
    """The entries of a state file; none if it is missing, damaged or of another version."""
    try:
        file = msgspec.msgpack.decode(path.read_bytes(), type=_File)
    except (OSError, msgspec.MsgspecError, ValueError):
        return {}
    mine = (STATE_VERSION, str(PARSER_VERSION), options)
    return file.seen if (file.version, file.parser, file.options) == mine else {}


def save_state(path: Path, options: HashOptions, seen: Mapping[str, Seen]) -> None:
    """Replace the state file in one step; raises OSError where that is not possible."""
    file = _File(STATE_VERSION, str(PARSER_VERSION), options, dict(sorted(seen.items())))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, msgspec.msgpack.encode(file))
