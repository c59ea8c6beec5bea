"""Where one generation of a store lives: its collections, its manifest, its lexicon."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias

from core.errors import StoreError
from core.store.files import check_room, disk_errors
from core.store.lexicon import Lexicon
from core.store.manifest import Manifest, write_manifest
from core.store.ports import Collection
from core.store.schema import CollectionSchema

LEXICON = "lexicon"

Make: TypeAlias = Callable[[CollectionSchema, Path | None], Collection]
"""Makes a collection of a schema, in a folder for those that live in one."""


class Place(Protocol):
    """Where a generation lives. Methods raise `StoreError`."""

    @property
    def folder(self) -> Path | None: ...

    def collection(self, schema: CollectionSchema) -> Collection:
        """A collection of this generation, not opened yet."""
        ...

    def stamped(self, manifest: Manifest) -> Manifest:
        """The manifest with what this place adds before it is written."""
        ...

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest, whole."""
        ...

    def load_lexicon(self, manifest: Manifest) -> Lexicon | None:
        """The lexicon that goes with the manifest, None where there is none."""
        ...

    def save_lexicon(self, lexicon: Lexicon, manifest: Manifest) -> None: ...

    def require(self, size: int) -> None:
        """Raise `StoreFull` unless there is room for `size` more bytes."""
        ...

    def remove(self) -> None:
        """Remove all of it; what cannot be removed now is removed at a later opening."""
        ...


class FolderPlace:
    """A folder with a manifest, a lexicon and a folder a collection."""

    def __init__(self, folder: Path, make: Make | None = None) -> None:
        self.folder: Path | None = folder
        self._folder = folder
        self._make = make or edge_collection

    def collection(self, schema: CollectionSchema) -> Collection:
        return self._make(schema, self._folder / schema.name)

    def stamped(self, manifest: Manifest) -> Manifest:
        return manifest

    def write_manifest(self, manifest: Manifest) -> None:
        with disk_errors():
            write_manifest(self._folder, manifest)

    def load_lexicon(self, manifest: Manifest) -> Lexicon | None:
        return Lexicon.load(self._folder / LEXICON)

    def save_lexicon(self, lexicon: Lexicon, manifest: Manifest) -> None:
        with disk_errors():
            lexicon.save(self._folder / LEXICON)

    def require(self, size: int) -> None:
        check_room(self._folder, size)

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


class MemoryPlace:
    """Nowhere: all is gone with the process."""

    folder: Path | None = None

    def __init__(self, make: Make | None = None) -> None:
        self._make = make or memory_collection

    def collection(self, schema: CollectionSchema) -> Collection:
        return self._make(schema, None)

    def stamped(self, manifest: Manifest) -> Manifest:
        return manifest

    def write_manifest(self, manifest: Manifest) -> None: ...

    def load_lexicon(self, manifest: Manifest) -> Lexicon | None:
        return None

    def save_lexicon(self, lexicon: Lexicon, manifest: Manifest) -> None: ...

    def require(self, size: int) -> None: ...

    def remove(self) -> None: ...


def edge_collection(schema: CollectionSchema, folder: Path | None) -> Collection:
    """A `Make` for Qdrant Edge."""
    from core.store.edge import EdgeCollection

    if folder is None:
        raise StoreError(f"{schema.name} needs a folder")
    return EdgeCollection(folder, schema)


def memory_collection(schema: CollectionSchema, folder: Path | None) -> Collection:
    """A `Make` for memory."""
    from core.store.memory import MemoryCollection

    return MemoryCollection(schema)
