"""What a link may mean: the result type, and the order of several candidates."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from core.model import strip_note_suffix

Way = Literal["", "self", "id", "path", "name", "folder", "title", "alias"]
"""How a target matched: `name` is the file name, also as trailing path segments."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a link means. At most one of `path` (a note) and `attachment` (a file) is set.

    `way` tells what of the note matched, "" where nothing did. `is_attachment` is also
    set where the ending says so and the file is missing. `candidates` are all files that
    match in the same way, best first. `ambiguous` says that only path length or path
    order decided between them. `is_reversed` marks the old form `[[label|target]]`;
    `anchor` is then what followed `#` in its right side. `is_whole` says that the `#` in the
    link belongs to the name (`[[Talk #24]]`), so that it names no heading.
    """

    path: str | None = None
    attachment: str | None = None
    candidates: tuple[str, ...] = ()
    ambiguous: bool = False
    is_attachment: bool = False
    is_external: bool = False
    is_reversed: bool = False
    anchor: str | None = None
    way: Way = ""
    is_whole: bool = False

    @property
    def is_unresolved(self) -> bool:
        """Whether the link names a note that does not exist."""
        return self.path is None and not self.is_attachment and not self.is_external


def chosen(
    way: Way,
    paths: Iterable[str],
    folder: str,
    exact: Callable[[str], bool],
    attachment: bool = False,
) -> Resolution:
    """The resolution to the best of some matches of one way.

    `folder` is the linking note's; `exact` tells whether a path matched letter by letter.
    """
    ranked = tuple(paths)
    ambiguous = False
    if len(ranked) > 1:
        below = f"{folder}/" if folder else ""
        keyed = sorted((_rank(path, folder, below, exact(path)), path) for path in ranked)
        ranked = tuple(path for _, path in keyed)
        ambiguous = keyed[0][0][:2] == keyed[1][0][:2]
    if attachment:
        return Resolution(None, ranked[0], ranked, ambiguous, is_attachment=True, way=way)
    return Resolution(ranked[0], None, ranked, ambiguous, way=way)


def _rank(path: str, folder: str, below: str, is_exact: bool) -> tuple[int, int, int]:
    parent = path.rpartition("/")[0]
    near = 0 if parent == folder else 1 if path.startswith(below) else 2
    return (0 if is_exact else 1, near, path.count("/"))


def with_suffix(paths: tuple[str, ...], suffix: str) -> tuple[str, ...]:
    """Those with the written suffix, where one is written and there are any."""
    if not suffix or len(paths) < 2:
        return paths
    return tuple(path for path in paths if path.lower().endswith(suffix)) or paths


def ends_exactly(target: str, of_folder: bool = False) -> Callable[[str], bool]:
    """Whether a path, or its folder's path, ends with the target in the same letters."""
    written = nfc(strip_note_suffix(target))

    def ends(path: str) -> bool:
        own = path.rpartition("/")[0] if of_folder else strip_note_suffix(path)
        return f"/{nfc(own)}".endswith(f"/{written}")

    return ends


def nfc(text: str) -> str:
    """`text` in Unicode's composed form."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
