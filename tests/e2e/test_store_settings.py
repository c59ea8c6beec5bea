"""Settings of the store apply to a running core, through the whole way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from core.paths import vault_data_dir
from core.service.endpoint import Endpoint, read_endpoint
from tests.e2e.editor import Editor, editor
from tests.e2e.test_commands import run, until_indexed
from tests.support.cores import kill_core, until, write_vault
from tests.support.qdrant_server import QdrantServer

pytestmark = pytest.mark.e2e

WORDS = {"embedding": {"provider": "none"}}


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    made = write_vault(tmp_path / "garden", heron="# Heron\n\nWaits in the reeds. [[otter]]\n")
    write_vault(made, otter="# Otter\n\nSwims.\n")
    yield made
    kill_core(made, {"MINDNET_DATA_DIR": str(tmp_path / "data")})


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    made = QdrantServer().start()
    yield made
    made.stop()


def change(there: Editor, settings: dict[str, Any]) -> None:
    there.client.set_configuration({"mindnet": settings})
    params = types.DidChangeConfigurationParams({"mindnet": settings})
    there.client.workspace_did_change_configuration(params)


async def until_store(there: Editor, mode: str, state: str = "ready") -> None:
    async def so() -> bool:
        status = await run(there, "mindnet.status")
        store = status["store"]
        return store["mode"] == mode and store["state"].startswith(state)

    await until(so, 75, f"{mode} {state}")


async def links_work(there: Editor) -> bool:
    there.open("heron.md")
    line = "Waits in the reeds. [[otter]]"
    where = types.Position(2, line.index("otter"))
    asked = types.DefinitionParams(types.TextDocumentIdentifier(there.uri("heron.md")), where)
    return bool(await there.client.text_document_definition_async(asked))


async def test_another_prefix_and_a_server_while_it_runs(
    root: Path, server: QdrantServer, tmp_path: Path
) -> None:
    async with editor(root, tmp_path, settings=WORDS) as there:
        await until_indexed(there)
        change(there, {**WORDS, "prefix": "second"})

        async def moved() -> bool:
            return any((tmp_path / "data").glob("*/store/second/current"))

        await until(moved, 30, "the store of the other prefix")
        away = {"mode": "server", "url": server.url}
        server.stop()
        change(there, {**WORDS, "store": away})
        await until_store(there, "server", "unavailable")
        assert await links_work(there)
        server.start()
        await until_store(there, "server")
        answer = await run(there, "mindnet.query", {"query": "reeds"})
        assert [hit["uri"] for hit in answer["hits"]][:1] == [there.uri("heron.md")]
        assert server.engine.count(collection_name="mindnet_notes").count == 2


async def test_a_window_with_other_settings_is_told_so_once(root: Path, tmp_path: Path) -> None:
    """It uses the core that is there: the two windows would replace it in turn for ever."""
    async with editor(root, tmp_path, settings=WORDS) as one:
        await until_indexed(one)
        first = core_of(root, tmp_path)
        other = {**WORDS, "prefix": "second"}
        async with editor(root, tmp_path, settings=other) as two:
            await until_indexed(two)
            (told,) = [m for m in two.client.messages if "other settings" in m.message]
            assert told.type == types.MessageType.Warning
            assert "prefix: mindnet ≠ second" in told.message
            assert f"end process {first.pid}" in told.message
            await run(two, "mindnet.query", {"query": "reeds"})
            await run(one, "mindnet.query", {"query": "reeds"})
            assert core_of(root, tmp_path) == first
            assert len([m for m in two.client.messages if "other settings" in m.message]) == 1
        assert one.client.messages == []


def core_of(root: Path, folder: Path) -> Endpoint:
    found = read_endpoint(vault_data_dir(root, {"MINDNET_DATA_DIR": str(folder / "data")}))
    assert found is not None
    return found
