"""Whether two folders hold the same notes, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from core.api import Shape
from core.chunking.chunks import chunk_note
from core.chunking.profiles import profile_of
from core.config.load import Config
from core.errors import MindnetError
from core.ingest.hashing import HashOptions, hash_signature
from core.ingest.look import Content, FileReader
from core.vault.scan import never, scan


class Difference(Shape):
    """One note that is not the same. `line` and `byte` count from 1 and say where the first
    differing byte is; `same_hash` and `chunks` (of both) say what it means to the index."""

    path: str
    reason: Literal["missing", "extra", "content", "unreadable"]
    message: str
    line: int | None = None
    byte: int | None = None
    same_hash: bool | None = None
    chunks: tuple[int, int] | None = None


class Comparison(Shape):
    """What a comparison gave: how many notes are the same, and those that are not."""

    notes: int
    chunks: int
    differences: list[Difference]


def compare(
    vault: Path, folder: Path, ignore: Sequence[str], options: HashOptions, config: Config
) -> Comparison:
    """Compare the notes of a vault with those in a folder, by vault path.

    `ignore` are the vault's patterns. Hashes and chunks are those that the importer would
    make with this configuration, of both sides. Reads only.
    """
    sides = (FileReader(vault, options, ignore, None), FileReader(folder, options, (), None))
    here, there = scan(vault, ignore, never), scan(folder, (), never)
    differences: list[Difference] = []
    same = chunks = 0
    for path in sorted({*here.notes, *there.notes}):
        if path not in there.notes:
            found = Difference(path=path, reason="missing", message=f"is not in {folder}")
        elif path not in here.notes:
            found = Difference(path=path, reason="extra", message="is not in the vault")
        else:
            try:
                pair = [side.read(path) for side in sides]
            except MindnetError as error:
                found = Difference(path=path, reason="unreadable", message=error.message)
            else:
                counts = [_chunks(content, config) for content in pair]
                hashes = [hash_signature(c.note, c.text, options) for c in pair]
                one, other = (content.data for content in pair)
                if one == other and counts[0] == counts[1] and hashes[0] == hashes[1]:
                    same, chunks = same + 1, chunks + counts[0]
                    continue
                found = _content(path, one, other, hashes[0] == hashes[1], (counts[0], counts[1]))
        differences.append(found)
    for problem in (*here.problems, *there.problems):
        message = f"{problem.reason} {problem.detail}".strip()
        differences.append(Difference(path=problem.path, reason="unreadable", message=message))
    return Comparison(notes=same, chunks=chunks, differences=differences)


def _content(
    path: str, one: bytes, other: bytes, same_hash: bool, chunks: tuple[int, int]
) -> Difference:
    at = next(_unequal(one, other), min(len(one), len(other)))
    line = one.count(b"\n", 0, at) + 1
    hashes = "the same hash" if same_hash else "another hash"
    message = f"differs from line {line} on (byte {at + 1}); {hashes}"
    message += f", {chunks[0]} and {chunks[1]} chunks" if chunks[0] != chunks[1] else ""
    return Difference(
        path=path,
        reason="content",
        message=message,
        line=line,
        byte=at + 1,
        same_hash=same_hash,
        chunks=chunks,
    )


def _unequal(one: bytes, other: bytes) -> Iterator[int]:
    return (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)


def _chunks(content: Content, config: Config) -> int:
    type_ = config.types.effective(content.note)
    return len(chunk_note(content.note, content.text, profile_of(type_.chunk_profile)))
