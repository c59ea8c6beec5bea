"""A process that reads and parses notes for another one: `python -m core.vault.helper ROOT`.

On stdin come lists of vault paths, on stdout goes one list of answers for each, both as
MessagePack behind a length. It ends with its input. What is not plain sailing (a file that
cannot be read, bytes that are no UTF-8, a fault of the parser) it leaves to who asked.
"""

from __future__ import annotations

import gc
import signal
import struct
import sys
from pathlib import Path
from typing import IO

import msgspec

from core.model import Note
from core.parse import parse_note
from core.vault.read import read_scanned

_LENGTH = struct.Struct("<I")


class Parsed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A note and the stamp of the file that it was parsed from."""

    size: int
    mtime_ns: int
    note: Note


def send(stream: IO[bytes], data: bytes) -> None:
    """Write one message; raises OSError."""
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """The next message; None at the end, also in the middle of one."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    return data if len(data) == length else None


def parsed(root: Path, path: str) -> Parsed | None:
    """The note at a path that a scan has found; None where it is left to who asked."""
    try:
        content = read_scanned(root, path)
        if content.replaced:
            return None
        return Parsed(*content.stamp, parse_note(path, content.text))
    except Exception:  # who asked tries again, and says what is wrong
        return None


def main() -> None:
    """Answer until the input ends."""
    gc.disable()  # notes have no cycles
    # an interrupt of the terminal is for who asked
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    root, decoder = Path(sys.argv[1]), msgspec.msgpack.Decoder(list[str])
    encode = msgspec.msgpack.Encoder().encode
    while (asked := receive(sys.stdin.buffer)) is not None:
        paths = decoder.decode(asked)
        try:
            answer = encode([parsed(root, path) for path in paths])
        except UnicodeError:  # half a surrogate pair
            answer = encode([None] * len(paths))
        send(sys.stdout.buffer, answer)


if __name__ == "__main__":
    main()
