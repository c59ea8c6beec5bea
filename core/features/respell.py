"""How else a link may name a file, in the manner in which it names it now."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from core.model import strip_note_suffix
from core.text import fold
from core.vault.candidates import Way
from core.vault.registry import FOLDER_NOTES, folded_path
from core.vault.scan import is_note_path
from core.vault.targets import (
    has_dots,
    is_relative,
    joined,
    note_suffix,
    without_vault_prefix,
)

Manner = Literal["name", "relative", "root"]
"""By its name with or without folders in front, by the way from the linking note, or by the way
from the vault's root (`/a/b`)."""


class Spelling(NamedTuple):
    """A target. `alone` says that it must mean one file only, whoever else it might mean."""

    target: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Naming:
    """What is written as a link's target, decoded, and what it means: the file `path`, from a
    note in `folder`, found by `way`. `markdown` is for targets that are paths first."""

    written: str
    path: str
    folder: str
    way: Way
    markdown: bool

    @property
    def body(self) -> str:
        """The target without Dendron's vault."""
        return without_vault_prefix(self.written)

    @property
    def manner(self) -> Manner:
        body = self.body
        if body.startswith("/"):
            return "root"
        if has_dots(body) or (self.markdown and self.is_beside(self.folder, self.path)):
            return "relative"
        return "name"

    def is_kept(self, path: str, folder: str) -> bool:
        """Whether a target that means the file still does so in its manner, when that is at
        `path` and the note in `folder`: the way to it must be right for every reader."""
        return self.manner != "relative" or self.is_beside(folder, path)

    def is_beside(self, folder: str, path: str) -> bool:
        """Whether the target is the way from `folder` to the file at `path`."""
        found = joined(folder, self.body)
        if found is None:
            return False
        if self.way == "folder" and fold(found) == fold(path.rpartition("/")[0]):
            return True
        return folded_path(found) == folded_path(path)

    def elsewhere(self, path: str, folder: str, note_id: str | None) -> Iterator[Spelling]:
        """The targets for the same file at `path` from a note in `folder`, best first: in the
        same manner, then in others. `note_id` is the file's, if it is a note."""
        prefix = self.written[: len(self.written) - len(self.body)]
        for spelling in self._bodies(path, folder, note_id):
            if spelling.target:
                yield spelling._replace(target=prefix + spelling.target)

    def _bodies(self, path: str, folder: str, note_id: str | None) -> Iterator[Spelling]:
        whole = self._named(path)
        slash = "/" if self.body.endswith("/") and not is_note_path(whole) else ""
        if self.manner == "name":
            yield from self._names(whole, slash, note_id)
        else:
            # as it is, but for the last segment: keeps roundabout ways and letter case
            before, _, last = self.body.rstrip("/").rpartition("/")
            if last not in ("", ".", ".."):
                lead = self.body[: len(before) + 1] if "/" in self.body.rstrip("/") else ""
                found = lead + whole.rpartition("/")[2]
                base = "" if self.manner == "root" else folder
                if fold(joined(base, found) or "") == fold(whole):
                    yield Spelling(found + slash)
            if self.manner == "root":
                yield Spelling(f"/{whole}{slash}")
            else:
                dotted = not self.markdown or self.body.startswith("./")
                yield Spelling(_relative(whole, folder, dotted=dotted) + slash)
        yield from self._others(path, folder, note_id)

    def _names(self, whole: str, slash: str, note_id: str | None) -> Iterator[Spelling]:
        """By name, with as many folders in front as are written, or as it takes."""
        if self.way == "id" and note_id:
            yield Spelling(note_id)
        segments = self.body.strip("/").split("/")
        parts = whole.split("/")
        count = len(segments) if self.way in ("path", "name", "folder") else 1
        was_whole = count > 1 and count == len(self._named(self.path).split("/"))
        for number in range(len(parts) if was_whole else min(count, len(parts)), len(parts) + 1):
            yield Spelling(_respelled(parts[-number:], segments) + slash, alone=True)

    def _others(self, path: str, folder: str, note_id: str | None) -> Iterator[Spelling]:
        """Where its own manner has none that means this file."""
        bare = strip_note_suffix(path)
        if self.markdown:
            yield Spelling(_relative(path, folder, dotted=False))
            yield Spelling(_relative(path, folder, dotted=True))
        else:
            parts = bare.split("/")
            for number in range(1, len(parts) + 1):
                yield Spelling("/".join(parts[-number:]), alone=True)
            yield Spelling(bare)
            yield Spelling(path)
            yield Spelling(f"/{path}")
        if note_id:
            yield Spelling(note_id)

    def _named(self, path: str) -> str:
        """What of `path` the target names: the folder of a note that stands for it, the path
        with the suffix or without."""
        if self.way == "folder" and _stands_for_folder(path):
            return path.rpartition("/")[0]
        if not is_note_path(path) or note_suffix(self.body):
            return path
        # a folder's own note that is none any more
        return path if self.markdown and self.way == "folder" else strip_note_suffix(path)


def _stands_for_folder(path: str) -> bool:
    folder, _, stem = folded_path(path).rpartition("/")
    return stem in FOLDER_NOTES or (bool(folder) and stem == folder.rpartition("/")[2])


def _relative(path: str, folder: str, *, dotted: bool) -> str:
    """The way to `path` from `folder`; `dotted` puts `./` in front where no `../` is."""
    found = posixpath.relpath(f"/{path}", f"/{folder}")
    return f"./{found}" if dotted and found != "." and not is_relative(found) else found


def _respelled(parts: list[str], written: list[str]) -> str:
    """`parts` joined; those that are written already stay in their letter case."""
    kept = [*written[-len(parts) :]]
    kept = [""] * (len(parts) - len(kept)) + kept
    return "/".join(
        own if fold(own) == fold(part) else part for own, part in zip(kept, parts, strict=True)
    )
