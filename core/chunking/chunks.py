"""From a parsed note to its chunks."""

from __future__ import annotations

import msgspec

from core.chunking.profiles import Profile
from core.chunking.split import split
from core.chunking.window import context_line, overlaps
from core.model import Note

SECTION_SEPARATOR = " › "
"""Between the headings of a path that people or a model read."""


class Chunk(msgspec.Struct, frozen=True):
    """One piece of a note. Lines are 0-based lines of the file, both inclusive; offsets
    are code points of the file's text; `overlap_left` and `overlap_right` say how many
    code points of the neighbours' text the window holds."""

    index: int
    text: str
    window: str
    section: tuple[str, ...]
    start_line: int
    end_line: int
    start: int
    end: int
    tokens: int
    overlap_left: int = 0
    overlap_right: int = 0

    @property
    def section_path(self) -> str:
        """The heading path as people read it."""
        return SECTION_SEPARATOR.join(self.section)


def chunk_note(note: Note, text: str, profile: Profile) -> tuple[Chunk, ...]:
    """The chunks of a note, in order.

    Joining all `text` gives the body back; the note's body is `text[note.body_start:]`.
    `window` is what gets embedded: a line with the note's name and the heading path, then
    the text with the overlap of its neighbours. Same input, same chunks, on every machine.
    """
    drafts = split(note, text, profile)
    chunks: list[Chunk] = []
    for index, draft in enumerate(drafts):
        before, after = overlaps(drafts, index, text, profile.overlap)
        context = context_line(note, draft.section, SECTION_SEPARATOR)
        body = text[draft.start - before : draft.end + after]
        chunks.append(
            Chunk(
                index=index,
                text=text[draft.start : draft.end],
                window=f"{context}\n\n{body.strip()}",
                section=draft.section,
                start_line=draft.start_line,
                end_line=draft.end_line,
                start=draft.start,
                end=draft.end,
                tokens=draft.tokens,
                overlap_left=before,
                overlap_right=after,
            )
        )
    return tuple(chunks)
