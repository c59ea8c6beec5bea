"""The link cache: parsed notes and their index on disk, so that a start reads only what
changed.

The file is a magic line, a header, and blocks of notes, each with its length and CRC.
Notes are stored as MessagePack arrays; the index, if there is one, is the last block. A file
of another version, a broken one or a foreign one is as good as none: it is read as empty and
written anew.
"""

from __future__ import annotations

import os
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from core.model import Link, Note
from core.parse import PARSER_VERSION
from core.vault.gcpause import collection_paused
from core.vault.index import VaultIndex
from core.vault.scan import FileStamp
from core.vault.snapshot import VERSION as INDEX_VERSION
from core.version import __version__

FORMAT = 2
"""Version of this file's own layout; the note's is `PARSER_VERSION`."""

_MAGIC = b"mindnet link cache\n"
_BLOCK = struct.Struct("<II")
_BLOCK_NOTES = 500
_MAX_BLOCK = 1 << 30


class CachedNote(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parsed note and the stamp of the file that it was parsed from."""

    size: int
    mtime_ns: int
    note: Note


class _Header(msgspec.Struct, frozen=True):
    format: int
    parser: str
    version: str
    notes: int
    index: int
    """Version of the index behind the notes, 0 without one."""


class Cached(NamedTuple):
    """The notes by path, and the link index of exactly these, if it was kept."""

    notes: dict[str, CachedNote]
    links: VaultIndex | None


def read_cache(path: Path) -> dict[str, CachedNote]:
    """The notes in the cache file, by path; empty where it is missing or of no use."""
    return _read(path, with_index=False).notes


def read_index(path: Path) -> Cached:
    """The notes in the cache file and their index; nothing where it is missing or of no use."""
    return _read(path, with_index=True)


def _read(path: Path, *, with_index: bool) -> Cached:
    try:
        data = path.read_bytes()
    except OSError:
        return Cached({}, None)
    try:
        with collection_paused():
            return _decoded(data, with_index)
    except (msgspec.MsgspecError, struct.error, ValueError, LookupError):
        return Cached({}, None)


def write_index(path: Path, index: VaultIndex, stamps: Mapping[str, FileStamp]) -> None:
    """Like `write_cache`, with the index of the notes that have a stamp behind them."""
    without = [name for name in index.paths if name not in stamps]
    kept = index.update(removed=without)
    _write(path, kept.notes, stamps, kept.dump())


def write_cache(path: Path, notes: Mapping[str, Note], stamps: Mapping[str, FileStamp]) -> None:
    """Write the notes that have a stamp, atomically. Raises OSError where that fails;
    the old file is then still there."""
    _write(path, notes, stamps, None)


def _write(
    path: Path, notes: Mapping[str, Note], stamps: Mapping[str, FileStamp], index: bytes | None
) -> None:
    entries = [
        CachedNote(stamp.size, stamp.mtime_ns, note)
        for name, stamp in sorted(stamps.items())
        if (note := notes.get(name)) is not None
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            for part in _encoded(entries, index):
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _header(notes: int, index: int) -> _Header:
    return _Header(FORMAT, str(PARSER_VERSION), __version__, notes, index)


def _encoded(entries: list[CachedNote], index: bytes | None) -> Iterator[bytes]:
    encode = msgspec.msgpack.Encoder().encode
    yield _MAGIC
    yield from _block(encode(_header(len(entries), 0 if index is None else INDEX_VERSION)))
    rest = iter(entries)
    while some := list(islice(rest, _BLOCK_NOTES)):
        yield from _block(encode(some))
    if index is not None:
        yield from _block(index)


def _block(data: bytes) -> Iterator[bytes]:
    yield _BLOCK.pack(len(data), zlib.crc32(data))
    yield data


def _decoded(data: bytes, with_index: bool) -> Cached:
    """Raises ValueError or what it derives from where the data is not a valid cache."""
    if not data.startswith(_MAGIC):
        raise ValueError("not a link cache")
    blocks = list(_blocks(memoryview(data)[len(_MAGIC) :]))
    header = msgspec.msgpack.decode(blocks.pop(0) if blocks else b"", type=_Header)
    if header != _header(header.notes, header.index):
        return Cached({}, None)
    stored = blocks.pop() if header.index and blocks else None
    decode = msgspec.msgpack.Decoder(list[CachedNote]).decode
    result: dict[str, CachedNote] = {}
    strings: dict[str, str] = {}
    for block in blocks:
        for entry in decode(block):
            share_strings(entry.note.links, strings)
            result[entry.note.path] = entry
    if len(result) != header.notes or (header.index and stored is None):
        raise ValueError("the link cache is cut off")
    index = None
    if with_index and stored is not None and header.index == INDEX_VERSION:
        notes = {path: entry.note for path, entry in result.items()}
        index = VaultIndex.restored(stored, notes)
    return Cached(result, index)


def _blocks(data: memoryview) -> Iterator[memoryview]:
    at = 0
    while at < len(data):
        length, checksum = _BLOCK.unpack_from(data, at)
        at += _BLOCK.size
        block = data[at : at + length]
        if len(block) != length or length > _MAX_BLOCK or zlib.crc32(block) != checksum:
            raise ValueError("the link cache is damaged")
        yield block
        at += length


def share_strings(links: Iterable[Link], strings: dict[str, str]) -> None:
    """Let equal strings of links be one object: most of them come many times in a vault.

    `strings` holds those seen so far. The links stay equal to what they were.
    """
    share, put = strings.setdefault, msgspec.structs.force_setattr
    for link in links:
        put(link, "raw", share(link.raw, link.raw))
        put(link, "form", share(link.form, link.form))
        put(link, "origin", share(link.origin, link.origin))
        put(link, "target", share(link.target, link.target))
