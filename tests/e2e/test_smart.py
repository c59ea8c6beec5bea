"""Smart edges through the whole way: a note is saved in an editor, a model reads it, and what it
found is shown there, also where the core is killed in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.core.smart.kit import MODEL, passage_of, saying
from tests.e2e.editor import editor
from tests.e2e.test_commands import run, until_indexed
from tests.support.cores import kill_core, until, write_vault
from tests.support.fake_ollama import FakeModel, FakeOllama, Hold, Script

pytestmark = pytest.mark.e2e

FLOOD = """\
---
type: experience
---
# Flood

What [[Mill]] taught me about water.

## Later

The same again, and [[Heron]] saw it.
"""


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    made = write_vault(tmp_path / "garden", Mill="# Mill\n", Heron="# Heron\n", Flood=FLOOD)
    yield made
    kill_core(made, {"MINDNET_DATA_DIR": str(tmp_path / "data")})


async def test_what_a_model_found_is_shown_and_survives_a_kill(root: Path, tmp_path: Path) -> None:
    with FakeOllama(FakeModel(MODEL)) as server:
        server.answer = saying({"is inspired by → Mill": 75})
        hold = Hold()
        server.script("/api/chat", Script([hold]))
        settings = {"llm": {"url": server.url, "model": MODEL}, "embedding": {"provider": "none"}}
        async with editor(root, tmp_path, settings=settings) as there:
            await until_indexed(there)

            async def asked() -> bool:
                return hold.reached.is_set()

            await until(asked, 30, "the first question")
            kill_core(root, {"MINDNET_DATA_DIR": str(tmp_path / "data")})
            hold.release()
            await run(there, "mindnet.query", {"query": "water"})  # starts it again
            await until_indexed(there)

            async def smart() -> list[dict[str, Any]]:
                found = await run(there, "mindnet.backlinks", {"uri": there.uri("Mill.md")})
                return [one for one in found["backlinks"] if one["provenance"] == "smart"]

            async def shown() -> bool:
                return bool(await smart())

            await until(shown, 40, "the edge that the model found")
            (link,) = await smart()
            assert (link["kind"], link["rule_id"]) == ("inspired_by", f"smart:{MODEL}")
            assert (link["confidence"], link["title"]) == (0.75, "Flood")
            assert link["uri"] == there.uri("Flood.md")
            assert link["context"]

            graph = await run(there, "mindnet.graph", {"uri": there.uri("Mill.md")})
            assert "smart" in {edge["provenance"] for edge in graph["edges"]}
            status = await run(there, "mindnet.status")
            assert status["smart_edges"] == {"state": "ready", "waiting": 0, "failed": 0}

            there.open("Mill.md")

            async def hovered() -> bool:
                at = types.HoverParams(**there.at("Mill.md", 3))
                found = await there.client.text_document_hover_async(at)
                return "Found by the language model" in str(found) and "Flood" in str(found)

            await until(hovered, 20, "the hover to know of it")
    asked_about = [
        passage_of(one.body["messages"][-1]["content"]) for one in server.asked("/api/chat")
    ]
    assert len(asked_about) == len(set(asked_about)) + 1, "only what was stopped is asked again"
