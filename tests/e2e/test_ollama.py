"""Ollama through the whole way: editor, language server, core. It comes and goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editor import editor
from tests.e2e.test_commands import run, until_indexed
from tests.e2e.test_store_settings import links_work
from tests.support.cores import kill_core, until, write_vault
from tests.support.fake_ollama import FakeModel, FakeOllama

pytestmark = pytest.mark.e2e

NOMIC = FakeModel("nomic-embed-text:latest", ("embedding",), 2048, dim=32)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    made = write_vault(tmp_path / "garden", heron="# Heron\n\nWaits in the reeds. [[otter]]\n")
    write_vault(made, otter="# Otter\n\nSwims.\n")
    yield made
    kill_core(made, {"MINDNET_DATA_DIR": str(tmp_path / "data")})


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with FakeOllama(NOMIC, FakeModel("small:latest")) as fake:
        yield fake


async def test_ollama_comes_and_goes_and_links_never_notice(
    root: Path, server: FakeOllama, tmp_path: Path
) -> None:
    settings = {
        "llm": {"url": server.url, "model": "small"},
        "embedding": {"provider": "auto"},
    }
    async with editor(root, tmp_path, settings=settings) as there:
        await until_indexed(there)
        status = await run(there, "mindnet.status")
        assert status["embedding"] == {
            "provider": "ollama",
            "model": "nomic-embed-text",
            "dim": 32,
            "state": "ready",
        }
        assert (status["llm"]["model"], status["llm"]["state"]) == ("small", "ready")

        async def near(text: str) -> Any:
            asked = {"query": text, "mode": "semantic"}
            return (await run(there, "mindnet.query", asked)).get("hits") or [{"title": ""}]

        assert (await near("waits in the reeds"))[0]["title"] == "Heron"

        server.stop()
        there.open("otter.md")
        there.change("otter.md", "# Otter\n\nSwims and dives for mussels.\n")
        there.save("otter.md")
        assert await links_work(there)
        answer = await run(there, "mindnet.query", {"query": "mussels"})
        assert "error" not in answer, "by words at least"
        failed = await run(there, "mindnet.query", {"query": "reeds", "mode": "semantic"})
        assert failed["error"]["code"] == "embedding_unavailable"
        assert "ollama serve" in failed["error"]["hint"]

        server.start()

        async def made_up_for() -> bool:
            sent = [text for one in server.asked("/api/embed") for text in one.body["input"]]
            return any("mussels" in text and "document" in text for text in sent)

        await until(made_up_for, 30, "the note that was saved meanwhile")

        async def found() -> bool:
            hits = await near("swims and dives for mussels")
            return bool(hits[0]["title"] == "Otter")

        await until(found, 30, "it by its meaning")
