"""One note as the store has it, with its file beside it: what each check looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from core.check.shapes import CheckName, Fact, Finding
from core.config.load import Config
from core.errors import MindnetError
from core.ingest.derivation import Derivation
from core.ingest.hashing import HashOptions, hash_signature
from core.ingest.look import Content, FileReader
from core.ingest.records import excluded
from core.store.ports import Point
from core.vault.scan import Scan, never, scan


@dataclass(frozen=True)
class VaultFiles:
    """The vault's files, and how the importer would read them."""

    root: Path
    ignore: Sequence[str]
    options: HashOptions
    config: Config
    model: str
    """Name of the model that the store was built with, "" for none."""

    def scan(self) -> Scan:
        """The files there are."""
        return scan(self.root, self.ignore, never)

    @cached_property
    def reader(self) -> FileReader:
        return FileReader(self.root, self.options, self.ignore, None)

    @cached_property
    def derivation(self) -> Derivation:
        return Derivation(self.config, self.model)


class NoteView:
    """A stored note. `chunks` are in the order of their index; a vector is there only if the
    check asked for it."""

    def __init__(
        self, point: Point, chunks: list[Point], edges: list[Point], files: VaultFiles
    ) -> None:
        self.note_id = point.id
        self.vector = point.vector
        self.payload: Mapping[str, Any] = point.payload
        self.path = str(point.payload.get("path") or "")
        self.chunks = sorted(chunks, key=_index)
        self.edges = edges
        self.problem = ""
        """Why the file could not be read, where it could not."""
        self._files = files

    @property
    def complete(self) -> bool:
        """Whether it was written to its end; the next import writes it again otherwise."""
        return bool(self.payload.get("hash_signature"))

    @cached_property
    def chunk_ids(self) -> frozenset[str]:
        return frozenset(point.id for point in self.chunks)

    @cached_property
    def file(self) -> Content | None:
        """The note's file as it is now; None where it cannot be read, with `problem` set."""
        try:
            return self._files.reader.read(self.path)
        except MindnetError as error:
            self.problem = error.message
        except Exception as error:  # one note must not end the check
            self.problem = f"could not be parsed ({type(error).__name__})"
        return None

    @cached_property
    def signature(self) -> str | None:
        """The hash of the file as it is now."""
        content = self.file
        if content is None:
            return None
        return hash_signature(content.note, content.text, self._files.options)

    @cached_property
    def derivation(self) -> str | None:
        """What the file's points depend on besides its content, as it is now."""
        if self.file is None:
            return None
        note = self.file.note
        type_ = self._files.config.types.effective(note)
        return self._files.derivation.of(type_, excluded=excluded(note))

    @property
    def is_current(self) -> bool:
        """Whether the store is in step with the file."""
        stored = (self.payload.get("hash_signature"), self.payload.get("derivation"))
        return stored == (self.signature, self.derivation)


class Check(Protocol):
    """Looks at one note after the other, then tells what it knows of all."""

    def look(self, view: NoteView) -> Iterator[Finding]: ...

    def end(self) -> Iterator[Finding | Fact]: ...


def finding(check: CheckName, code: str, view: NoteView, message: str) -> Finding:
    """Something wrong in one note."""
    return Finding(check=check, code=code, note_id=view.note_id, path=view.path, message=message)


def _index(point: Point) -> tuple[int, str]:
    index = point.payload.get("index")
    return (index if isinstance(index, int) else -1, point.id)
