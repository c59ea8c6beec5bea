"""Looking at and dropping a store on a server that others may share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import StoreError, StoreLocked
from core.settings import StoreSettings
from core.store.manifest import Expected
from core.store.ports import Point
from core.store.server_admin import peek_server, wipe_server
from core.store.server_home import open_server_store
from core.store.store import Store
from tests.support.qdrant import LocalQdrant

EXPECTED = Expected(model="m4", dim=4)


class Server:
    """A server and the folder where this machine keeps its part."""

    def __init__(self, folder: Path) -> None:
        self.client = LocalQdrant()
        self.folder = folder

    def given(self, prefix: str, vault: str) -> dict[str, Any]:
        return {
            "settings": StoreSettings(),
            "prefix": prefix,
            "vault": vault,
            "folder": self.folder,
            "client": self.client,
        }

    def open(self, prefix: str = "demo", vault: str = "garden") -> Store:
        return open_server_store(expected=EXPECTED, **self.given(prefix, vault))

    def peek(self, prefix: str = "demo", vault: str = "garden") -> Any:
        return peek_server(**self.given(prefix, vault))

    def wipe(self, prefix: str = "demo", vault: str = "garden") -> int:
        return wipe_server(**self.given(prefix, vault))

    def names(self) -> list[str]:
        return sorted(c.name for c in self.client.get_collections().collections)


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def filled(server: Server, **which: str) -> None:
    store = server.open(**which)
    store.begin_write()
    store.notes.upsert([Point("n", payload={"title": "n"})])
    store.end_write()
    store.close()


def test_nothing_is_there(server: Server) -> None:
    assert server.peek() is None
    assert server.wipe() == 0
    assert server.names() == []


def test_a_peek_tells_and_changes_nothing(server: Server) -> None:
    filled(server)
    before = server.names()
    found = server.peek()
    assert found.outdated(EXPECTED) == []
    assert found.outdated(Expected(model="other", dim=4))
    assert found.manifest.counts["notes"] == 1
    assert server.names() == before


def test_a_wipe_drops_this_prefix_alone(server: Server) -> None:
    filled(server)
    filled(server, prefix="demo2")
    kept = [name for name in server.names() if name.startswith("demo2_")]
    assert server.wipe() == 1
    assert server.names() == kept
    assert server.peek() is None
    store = server.open()
    assert (store.report.state, store.notes.count()) == ("new", 0)
    store.close()


def test_another_vault_is_left_alone(server: Server) -> None:
    filled(server)
    before = server.names()
    for action in (server.peek, server.wipe):
        with pytest.raises(StoreError, match="belong to the vault 'garden'"):
            action(vault="shed")
    assert server.names() == before


def test_no_wipe_while_another_machine_writes(server: Server) -> None:
    store = server.open()
    store.begin_write()
    before = server.names()
    with pytest.raises(StoreLocked):
        server.wipe()
    assert server.names() == before
    store.end_write()
    store.close()
    assert server.wipe() == 1
