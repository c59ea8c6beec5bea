"""What a scan leaves out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from core.text import decode

SKIPPED_FOLDERS = frozenset(("node_modules",))


class _Spec(Protocol):
    def match_file(self, file: str) -> bool: ...


class IgnoreRules:
    """Patterns in the syntax of `.gitignore`, where later ones win."""

    __slots__ = ("_spec",)

    def __init__(self, patterns: Iterable[str] = ()) -> None:
        """Raises ValueError where a pattern is invalid."""
        lines = [line for line in patterns if line.strip() and not line.startswith("#")]
        self._spec: _Spec | None = None
        if lines:
            from pathspec import GitIgnoreSpec

            self._spec = GitIgnoreSpec.from_lines(lines)

    @classmethod
    def read(cls, root: Path, patterns: Iterable[str] = ()) -> tuple[IgnoreRules, list[str]]:
        """The rules of `.gitignore` in `root` and then of `patterns`, and those that are
        invalid and left out."""
        try:
            lines = decode((root / ".gitignore").read_bytes()).text.splitlines()
        except OSError:  # usually there is none
            lines = []
        lines += patterns
        try:
            return cls(lines), []
        except ValueError:
            good, bad = list[str](), list[str]()
            for line in lines:
                try:
                    cls([line])
                except ValueError:
                    bad.append(line)
                else:
                    good.append(line)
            return cls(good), bad

    def excludes(self, path: str, is_folder: bool = False) -> bool:
        """Whether the file or folder at a vault path is left out by itself; a file in an
        excluded folder is asked about only by way of that folder."""
        if is_folder and os.path.basename(path) in SKIPPED_FOLDERS:
            return True
        if self._spec is None:
            return False
        return self._spec.match_file(f"{path}/" if is_folder else path)


def is_hidden(name: str) -> bool:
    """Whether a file or folder name is hidden; editors' temporary files mostly are."""
    return name.startswith(".")
