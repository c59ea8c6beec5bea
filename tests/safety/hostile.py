"""Notes with hidden instructions, a model that obeys them, and where a program connects to."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

MARK = "Zorblax"
_FENCE = re.compile(r"(`{3,})[^`]*")


@dataclass(frozen=True)
class Hostile:
    """A note's body, and what a model writes that does what is told in it; `mark` is a word by
    which the body is known."""

    name: str
    mark: str
    text: str
    obeys: str

    @property
    def note(self) -> str:
        """The note as a file: of a type that asks for smart edges."""
        return f"---\ntype: experience\nid: {self.name}\n---\n{self.text}"


@cache
def hostile_notes() -> tuple[Hostile, ...]:
    """All of them."""
    file = Path(__file__).with_name("notes.yaml")
    found = []
    for number, row in enumerate(yaml.safe_load(file.read_text("utf-8"))):
        mark = f"{MARK}{number:02}"
        text = row["text"].replace(MARK, mark, 1)
        found.append(Hostile(row["name"], mark, text, row["obeys"]))
    return tuple(found)


def obedient(prompt: str) -> str:
    """What a model writes that obeys the note in a prompt; of several, the first."""
    told = (one for one in hostile_notes() if one.mark in prompt)
    return next((one.obeys for one in told), "I have nothing to obey.")


def outside_fences(prompt: str) -> str:
    """What of a prompt is no material: by CommonMark's rule, a fence ends at a row of at least as
    many backticks. It counts for itself, and knows nothing of how prompts are made."""
    kept: list[str] = []
    fence = ""
    for line in prompt.split("\n"):
        if fence:
            row = line.strip()
            if set(row) == {"`"} and len(row) >= len(fence):
                fence = ""
        elif opened := _FENCE.fullmatch(line):
            fence = opened[1]
        else:
            kept.append(line)
    assert not fence, "a fence that nothing ends"
    return "\n".join(kept)


class Connections:
    """Every address that this process connects to, while it looks."""

    def __init__(self) -> None:
        self.looking = False
        self.addresses: set[tuple[Any, ...]] = set()
        sys.addaudithook(self._hook)

    def _hook(self, event: str, args: Sequence[Any]) -> None:
        if self.looking and event == "socket.connect":
            address = args[1]
            self.addresses.add(address[:2] if isinstance(address, tuple) else (address,))

    @contextmanager
    def seen(self) -> Iterator[set[tuple[Any, ...]]]:
        """The addresses within the block."""
        self.addresses = set()
        self.looking = True
        try:
            yield self.addresses
        finally:
            self.looking = False
