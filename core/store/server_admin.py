"""What can be said and done about a store on a server without opening its collections."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.settings import StoreSettings
from core.store.admin import Peek
from core.store.server_calls import call, connect
from core.store.server_home import ROLES, ServerHome


def peek_server(
    settings: StoreSettings, prefix: str, vault: str, folder: Path, *, client: Any = None
) -> Peek | None:
    """The store of this prefix on the server, None where there is none. Changes nothing.

    Raises `StoreUnavailable` while the server is away, `StoreError` where the collections are
    another vault's. `folder` and `client` as in `open_server_store`.
    """
    home = _home(settings, prefix, vault, folder, client)
    try:
        manifests = _own_manifests(home)
        name = home.current()
        return None if name is None else Peek(manifests.get(name))
    finally:
        home.client.close()


def wipe_server(
    settings: StoreSettings, prefix: str, vault: str, folder: Path, *, client: Any = None
) -> int:
    """Drop the collections of this prefix on the server, for every machine that shares them;
    returns how many generations there were. Raises as `peek_server` does, and `StoreLocked`
    while another machine writes."""
    home = _home(settings, prefix, vault, folder, client)
    try:
        _own_manifests(home)
        generations = home.generations()
        if generations:
            home.lease.take()
        for name in sorted(generations):
            for role in ROLES:
                _drop(home, f"{prefix}_{role}_{name}")
        # last, as the lease is in it
        if generations:
            _drop(home, home.meta.name)
        return len(generations)
    finally:
        home.client.close()


def _home(
    settings: StoreSettings, prefix: str, vault: str, folder: Path, client: Any
) -> ServerHome:
    connected = client or connect(settings.url, settings.api_key)
    return ServerHome(connected, settings, prefix, vault, folder, "reset")


def _own_manifests(home: ServerHome) -> dict[str, Any]:
    manifests = home.meta.manifests()
    for found in manifests.values():
        if found and found.vault != home.vault:
            raise StoreError(
                f"the collections {home.prefix}_* on the server belong to the vault"
                f" {found.vault!r}, and this one is {home.vault!r}",
                "Set another `prefix` for this vault.",
            )
    return manifests


def _drop(home: ServerHome, name: str) -> None:
    call(partial(home.client.delete_collection, collection_name=name))
