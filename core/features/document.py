"""A note as its reader sees it now: unsaved text, its lines, and what it parses to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.model import Note
from core.text import LineIndex

TextSource = Callable[[str], str | None]
"""Gives the text of the note at a vault path as it is now: from an open buffer, else from
disk; None where it cannot be read."""


@dataclass(frozen=True, slots=True)
class Document:
    """`note` is the parse of `text`; offsets of both belong together."""

    path: str
    text: str
    lines: LineIndex
    note: Note

    @classmethod
    def of(cls, note: Note, text: str) -> Document:
        """The document of a note that was just parsed from `text`."""
        return cls(note.path, text, LineIndex(text), note)

    @property
    def folder(self) -> str:
        """Folder below the vault root, "" for the root."""
        return self.path.rpartition("/")[0]

    def in_frontmatter(self, offset: int) -> bool:
        """Whether `offset` is in the YAML block or on its fences."""
        block = self.note.frontmatter
        return block is not None and block.start <= offset <= block.end
