"""The store that the settings ask for: embedded in a folder, or on a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.paths import store_dir
from core.settings import Settings
from core.store.files import disk_errors
from core.store.manifest import Expected, Manifest, read_manifest, write_manifest

if TYPE_CHECKING:
    from core.store.admin import Peek
    from core.store.store import Store


def open_vault_store(root: Path, folder: Path, settings: Settings, expected: Expected) -> Store:
    """Open or create the store of the vault at `root` with the data folder `folder`.

    Raises what `open_store` and `open_server_store` raise; whatever is on a server, the
    data folder's lock has to be held, so that there is one process a vault and machine.
    """
    where = store_dir(folder, settings.store.path)
    if settings.store.mode == "server":
        from core.store.server_home import open_server_store

        return open_server_store(
            settings.store,
            settings.prefix,
            expected,
            vault=vault_name(root),
            folder=_machine_folder(folder, settings),
        )
    from core.store.store import open_store

    return open_store(where, settings.prefix, expected)


def peek_vault_store(root: Path, folder: Path, settings: Settings) -> Peek | None:
    """What is said of that store, None where there is none. Opens and changes nothing.

    Raises what `peek_server` raises.
    """
    where = store_dir(folder, settings.store.path)
    if settings.store.mode == "server":
        from core.store.server_admin import peek_server

        return peek_server(settings.store, settings.prefix, vault_name(root), where)
    from core.store.admin import peek

    return peek(where, settings.prefix)


def remember_manifest(folder: Path, settings: Settings, manifest: Manifest) -> None:
    """Keep what a store on a server was built with, for a start at which that is away."""
    if settings.store.mode == "server":
        own = _machine_folder(folder, settings)
        if own.is_dir():
            with disk_errors():
                write_manifest(own, manifest)


def remembered_manifest(folder: Path, settings: Settings) -> Manifest | None:
    """What was last remembered, None for nothing."""
    return read_manifest(_machine_folder(folder, settings))


def _machine_folder(folder: Path, settings: Settings) -> Path:
    return store_dir(folder, settings.store.path) / f"{settings.prefix}-server"


def wipe_vault_store(root: Path, folder: Path, settings: Settings) -> int:
    """Drop the collections of that store, of all generations; returns how many of those there
    were. The data folder's lock has to be held. Raises what `wipe` and `wipe_server` raise."""
    where = store_dir(folder, settings.store.path)
    if settings.store.mode == "server":
        from core.store.server_admin import wipe_server

        return wipe_server(settings.store, settings.prefix, vault_name(root), where)
    from core.store.admin import wipe

    return wipe(where, settings.prefix)


def vault_name(root: Path) -> str:
    """What a vault is called on a server: the name of its folder, alike on every machine."""
    import unicodedata

    return unicodedata.normalize("NFC", root.resolve().name)
