"""Reading a streamed answer: lines of JSON out of bytes, and the answer out of what a model
thinks aloud."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

MAX_LINE = 1 << 24
"""Bytes of one line; more is no answer of Ollama."""
_OPEN, _CLOSE = "<think>", "</think>"


class Lines:
    """NDJSON from bytes that are cut anywhere, also inside a character. Raises `ValueError` for
    a line that is no JSON object."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        """The lines that are complete with `data`."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > MAX_LINE:
            raise ValueError("the line does not end")
        for line in whole:
            yield from _object(line)

    def end(self) -> Iterator[dict[str, Any]]:
        """The last line, where its end is missing."""
        rest, self._rest = self._rest, b""
        yield from _object(rest)


def _object(line: bytes) -> Iterator[dict[str, Any]]:
    if not line.strip():
        return
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError("the line is no object")
    yield found


class Thinking:
    """Takes `<think>...</think>` out of a text that comes in pieces, with the tags cut
    anywhere. Only at its beginning: later such a tag is part of what is told."""

    def __init__(self) -> None:
        self.seen = False
        """Whether there was any thinking."""
        self._held = ""
        self._state = "before"

    def feed(self, piece: str) -> str:
        """What of the answer is certain with this piece."""
        if self._state == "after":
            return piece
        self._held += piece
        if self._state == "before":
            start = self._held.lstrip()
            if start.startswith(_OPEN):
                self._state, self.seen = "inside", True
                self._held = start[len(_OPEN) :]
            elif _OPEN.startswith(start):  # nothing yet, or the beginning of a tag
                return ""
            else:
                return self._release(self._held)
        at = self._held.find(_CLOSE)
        if at < 0:
            self._held = self._held[-len(_CLOSE) :]
            return ""
        return self._release(self._held[at + len(_CLOSE) :], again=True)

    def end(self) -> str:
        """What is left of the answer when nothing more comes."""
        return self._release(self._held) if self._state == "before" else ""

    def _release(self, text: str, *, again: bool = False) -> str:
        """`again`: blanks, or another thought, may follow before the answer begins."""
        self._held = ""
        if again:
            self._state = "before"
            return self.feed(text)
        self._state = "after"
        return text.lstrip() if self.seen else text
