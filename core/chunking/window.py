"""What a chunk's window holds besides its text: where it stands, and its neighbours' edges."""

from __future__ import annotations

from collections.abc import Sequence

from core.chunking.split import Draft
from core.chunking.tokens import head_end, tail_start
from core.model import Note
from core.text import fold


def context_line(note: Note, section: tuple[str, ...], separator: str) -> str:
    """File name, title and heading path, each named once: `guide › Locks › Upper gate`."""
    names = [note.stem]
    for name in (note.title, *section):
        if name and fold(name) != fold(names[-1]):
            # the title is often the first heading as well
            names.append(name)
    return separator.join(names)


def overlaps(drafts: Sequence[Draft], index: int, text: str, tokens: int) -> tuple[int, int]:
    """How many code points of the chunk before and of the one after the window takes in.

    Two windows share about `tokens` tokens around their border, cut at words. A border at
    a heading is none that a thought was cut at, so nothing is taken over it.
    """
    here = drafts[index]
    before = after = 0
    if index > 0 and not here.at_heading:
        previous = text[drafts[index - 1].start : here.start]
        before = len(previous) - tail_start(previous, tokens // 2)
    if index + 1 < len(drafts) and not drafts[index + 1].at_heading:
        following = text[here.end : drafts[index + 1].end]
        after = head_end(following, tokens - tokens // 2)
    return before, after
