"""Packs the blocks of a note into drafts of chunks."""

from __future__ import annotations

import msgspec

from core.chunking.blocks import Grain, Piece, Sections, body_blocks, divide
from core.chunking.profiles import Profile
from core.model import Note
from core.text import LineIndex


class Draft(msgspec.Struct, frozen=True):
    """One chunk without its window. `text` and offsets are of the note's text, `section`
    is the heading path that all its content shares, lines are those of the file from its
    first content to its last, both inclusive."""

    start: int
    end: int
    section: tuple[str, ...]
    start_line: int
    end_line: int
    tokens: int
    at_heading: bool


def split(note: Note, text: str, profile: Profile) -> list[Draft]:
    """Cut the body of `note` as `profile` says; linear in the length of `text`.

    The drafts partition the body. A body of blanks alone has none; headings without
    content join the section that follows them, or the one before at the end of a note.
    """
    lines = LineIndex(text)
    packed = _Packer(text, profile).pack(body_blocks(note, text, lines))
    sections = Sections(note.headings)
    return [_draft(pieces, text, lines, sections) for pieces in packed]


class _Packer:
    """Collects pieces until a chunk is full."""

    def __init__(self, text: str, profile: Profile) -> None:
        self._text = text
        self._profile = profile
        runs = [profile.limit // 4, *([profile.max_chars // 8] if profile.max_chars else [])]
        self._room = max(1, min(runs))
        self._closed: list[list[Piece]] = []
        self._open: list[Piece] = []
        self._tokens = 0
        self._chars = 0
        self._solid = False
        """Whether there is anything but blanks in the open chunk."""
        self._content = -1
        """Tokens of what is not a heading, -1 while there is only headings and blanks."""

    def pack(self, blocks: list[Piece]) -> list[list[Piece]]:
        waiting = blocks[::-1]
        while waiting:
            piece = waiting.pop()
            if piece.grain is Grain.HEADING and self._content >= self._profile.small:
                self._close()
            if piece.blank or self._fits(piece):
                self._add(piece)
                continue
            alone = self._fits_alone(piece)
            if self._content >= 0 and (alone or self._content >= self._profile.small):
                self._close()
                waiting.append(piece)
                continue
            parts = divide(self._text, piece, self._room)
            if len(parts) > 1:
                waiting += reversed(parts)
                continue
            if self._solid and (self._content >= 0 or not alone or self._full()):
                self._close()
            self._add(parts[0])
        if self._open and self._content < 0 and self._closed:
            self._closed[-1] += self._open
        elif self._open:
            self._closed.append(self._open)
        return self._closed

    def _fits(self, piece: Piece) -> bool:
        profile = self._profile
        if self._content >= 0 and self._tokens >= profile.target:
            return False
        if profile.max_chars and self._chars + piece.end - piece.start > profile.max_chars:
            return False
        return self._tokens + piece.tokens <= profile.limit

    def _fits_alone(self, piece: Piece) -> bool:
        profile = self._profile
        too_long = profile.max_chars and piece.end - piece.start > profile.max_chars
        return piece.tokens <= profile.limit and not too_long

    def _full(self) -> bool:
        profile = self._profile
        return self._tokens >= profile.limit // 2 or (
            profile.max_chars > 0 and self._chars >= profile.max_chars // 2
        )

    def _add(self, piece: Piece) -> None:
        self._open.append(piece)
        self._tokens += piece.tokens
        self._chars += piece.end - piece.start
        self._solid = self._solid or not piece.blank
        if piece.grain is not Grain.HEADING and not piece.blank:
            self._content = max(self._content, 0) + piece.tokens

    def _close(self) -> None:
        keep = len(self._open)
        # headings at the end belong to what follows
        while keep > 1 and self._content >= 0 and self._open[keep - 1].grain is Grain.HEADING:
            keep -= 1
        carried = self._open[keep:]
        self._closed.append(self._open[:keep])
        self._open, self._tokens, self._chars = [], 0, 0
        self._solid, self._content = False, -1
        for piece in carried:
            self._add(piece)


def _draft(pieces: list[Piece], text: str, lines: LineIndex, sections: Sections) -> Draft:
    start, end = pieces[0].start, pieces[-1].end
    content = [p for p in pieces if p.grain is not Grain.HEADING and not p.blank]
    if content:
        paths = [sections.at(p.start) for p in content]
        first = content[0].start
    else:
        paths = [sections.at(p.end - 1) for p in pieces]
        first = start
    body = text[first:end]
    first += len(body) - len(body.lstrip())
    last = first + len(body.strip()) - 1
    return Draft(
        start=start,
        end=end,
        section=_shared(paths),
        start_line=lines.line_at(first),
        end_line=lines.line_at(max(first, last)),
        tokens=sum(p.tokens for p in pieces),
        at_heading=pieces[0].grain is Grain.HEADING,
    )


def _shared(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    shared = paths[0]
    for path in paths:
        while shared != path[: len(shared)]:
            shared = shared[:-1]
    return shared
