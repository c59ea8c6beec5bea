"""What a store was built with, beside the store: enough to tell what must be rebuilt.

The backend itself would not notice a lost segment, another embedding model of the same
dimension, or chunks that were cut by other rules.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from core.embedding.sparse import TERMS_VERSION
from core.store.files import write_atomically
from core.store.schema import SCHEMA_VERSION

MANIFEST = "manifest.json"


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What this program would build a store with. `dim` of None: without a model."""

    model: str = ""
    dim: int | None = None
    chunking_version: int = 1


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`counts` by role (notes, chunks, edges) and `words`, the chunks that the lexicon
    counted, hold while `clean`; the first write after a flush makes it unclean."""

    schema_version: int = SCHEMA_VERSION
    terms_version: int = TERMS_VERSION
    chunking_version: int = 1
    model: str = ""
    dim: int | None = None
    counts: dict[str, int] = {}
    words: int = 0
    clean: bool = False
    vault: str = ""
    """On a server: the name of the vault that the collections belong to."""
    revision: str = ""
    """On a server: another one after every write of the manifest, so that a machine sees
    that another one wrote."""


def new_manifest(expected: Expected) -> Manifest:
    """The manifest of an empty store of this program."""
    return Manifest(
        model=expected.model, dim=expected.dim, chunking_version=expected.chunking_version
    )


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest in `folder`; None where it is missing or unreadable."""
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError):
        return None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in `folder` atomically; raises `OSError`."""
    data = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    write_atomically(folder / MANIFEST, data + b"\n")


def differences(manifest: Manifest, expected: Expected) -> list[str]:
    """Why a store with this manifest has to be rebuilt, in plain words; empty if it fits."""
    found = []
    if manifest.schema_version != SCHEMA_VERSION:
        found.append(f"schema version {manifest.schema_version}, now {SCHEMA_VERSION}")
    if manifest.terms_version != TERMS_VERSION:
        found.append(f"word index version {manifest.terms_version}, now {TERMS_VERSION}")
    if manifest.chunking_version != expected.chunking_version:
        found.append(
            f"chunking version {manifest.chunking_version}, now {expected.chunking_version}"
        )
    if (manifest.model, manifest.dim) != (expected.model, expected.dim):
        found.append(f"built with {_space(manifest)}, now {_space(expected)}")
    return found


def _space(one: Manifest | Expected) -> str:
    return f"{one.model} ({one.dim})" if one.dim else "no embedding model"
