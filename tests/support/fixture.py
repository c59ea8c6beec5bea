"""Vaults as text, with a cursor: the data that feature tests are made of.

A fixture holds several files, each behind a header line that no note contains::

    //- /a.md
    See [[b$0]].
    //- /b.md
    # B

`$0` is the cursor; two of them are a range. `\\$0` is a literal `$0`. Text in front of the
first header belongs to `/note.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

HEADER = "//- /"
CURSOR = "$0"
_ESCAPED = "\\$0"
_GUARD = "\ue000"


@dataclass(frozen=True)
class Fixture:
    """`files` maps vault-relative paths to texts without markers; `path`, `start` and `end`
    tell where the cursor or the selection is (code-point offsets)."""

    files: dict[str, str] = field(default_factory=dict)
    path: str = ""
    start: int = -1
    end: int = -1

    @property
    def text(self) -> str:
        return self.files[self.path]

    def write(self, root: Path) -> Path:
        """Write the files below `root`, byte for byte, and return it."""
        for path, text in self.files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode("utf-8"))
        return root


def parse_fixture(source: str) -> Fixture:
    """Read a fixture; raises AssertionError where it has more than one cursor or range."""
    files: dict[str, str] = {}
    name, lines = "note.md", list[str]()

    def close() -> None:
        if lines or name in files:
            files[name] = "".join(lines)

    for line in source.splitlines(keepends=True):
        if line.startswith(HEADER):
            close()
            name, lines = line[len(HEADER) :].strip(), []
            files[name] = ""
        else:
            lines.append(line)
    close()
    path, marks = "", list[int]()
    for name, text in files.items():
        guarded = text.replace(_ESCAPED, _GUARD)
        parts = guarded.split(CURSOR)
        if len(parts) > 1:
            assert not marks, "the cursor stands in two files"
            path, at = name, 0
            for part in parts[:-1]:
                at += len(part)
                marks.append(at)
        files[name] = "".join(parts).replace(_GUARD, CURSOR)
    assert len(marks) <= 2, "a fixture has one cursor, or two marks for a range"
    if not marks:
        return Fixture(files)
    return Fixture(files, path, marks[0], marks[-1])
