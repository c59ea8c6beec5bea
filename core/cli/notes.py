"""The vault as commands read it that need no store: its link index, and notes by name."""

from __future__ import annotations

from pathlib import Path

from core.cli.common import fail
from core.paths import CACHE_FILE, vault_data_dir
from core.settings import Settings
from core.vault.index import VaultIndex
from core.vault.load import Loaded, load_vault


def read_vault(root: Path, settings: Settings) -> Loaded:
    """The vault as it is on disk. Takes unchanged notes from the link cache, writes nothing."""
    return load_vault(root, settings.vault.ignore, vault_data_dir(root) / CACHE_FILE)


def note_path(root: Path, settings: Settings, given: str) -> str:
    """The vault path of a note named by file, id, title or alias. Ends the command with a
    line that names the nearest where there is none, or all where several fit."""
    path = _file_of(root, given)
    return path or named_path(read_vault(root, settings).index, given)


def path_or_name(root: Path, given: str) -> str:
    """The vault path of a file, anything else as it is: for the core, which knows the names."""
    return _file_of(root, given) or given


def _file_of(root: Path, given: str) -> str | None:
    for file in (Path(given), root / given):
        resolved = file.resolve()
        if resolved.is_file() and resolved.is_relative_to(root):
            return resolved.relative_to(root).as_posix()
    return None


def named_path(index: VaultIndex, given: str) -> str:
    """Like `note_path`, for a name and an index that is there."""
    found = index.resolve_name(given, "")
    if found.path is None:
        near = ", ".join(hit.path for hit in index.names.nearest(given, 3))
        fail(f"no note is called {given!r}", f"Nearest: {near}." if near else "")
    if len(found.candidates) > 1:
        fail(f"{given!r} may mean several notes", f"Name one: {', '.join(found.candidates)}.")
    return found.path
