"""Messages in a stream of bytes: the base protocol of LSP, read strictly where it matters."""

from __future__ import annotations

from typing import IO

MAX_HEADER = 8192
"""Bytes of a header line; more than that is no header."""
MAX_MESSAGE = 1 << 30
"""Bytes of a message; a length beyond is a broken stream and would only fill the memory."""
_PIECE = 1 << 20


class BrokenStreamError(Exception):
    """What comes is no message, and where the next one begins cannot be known."""


def read_message(stream: IO[bytes]) -> bytes | None:
    """The body of the next message; None at the end of the input. Blocks.

    Header names are read in any letter case and line ends may be bare newlines. Only UTF-8
    exists in LSP, so `Content-Type` is passed over. Raises BrokenStreamError, OSError.
    """
    length: int | None = None
    begun = False
    while True:
        line = stream.readline(MAX_HEADER)
        if not line:
            if begun:
                raise BrokenStreamError("the input ended within a header")
            return None
        if not line.endswith(b"\n"):
            raise BrokenStreamError("the input ended within a header, or it is too long")
        line = line.strip()
        if line:
            begun = True
            length = _length(line, length)
        elif length is not None:
            return _body(stream, length)
        elif begun:
            raise BrokenStreamError("a header without Content-Length")
        # blank lines between two messages do no harm


def _length(line: bytes, known: int | None) -> int | None:
    name, colon, value = line.partition(b":")
    if not colon:
        raise BrokenStreamError("a line that is no header")
    if name.strip().lower() != b"content-length":
        return known
    value = value.strip()
    if not (value.isdigit() and len(value) < 12 and int(value) <= MAX_MESSAGE):
        raise BrokenStreamError("Content-Length is no possible length")
    return int(value)


def _body(stream: IO[bytes], length: int) -> bytes:
    """Read in pieces: a length that only claims to be large takes no memory."""
    pieces: list[bytes] = []
    while length:
        piece = stream.read(min(length, _PIECE))
        if not piece:
            raise BrokenStreamError("the input ended within a message")
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)
