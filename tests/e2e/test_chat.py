"""`mindnet.chat` and drafts with a model through the whole way: editor, server, core, Ollama."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.e2e.editor import Editor, editor
from tests.e2e.test_commands import plain, run, until_indexed
from tests.support.cores import fingerprint, kill_core, write_vault
from tests.support.fake_ollama import FakeModel, FakeOllama, Hold, Script, last, line, wait_left
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e

NOTES = {
    "Wasserrad": "# Wasserrad\n\nEin oberschlächtiges Rad braucht drei Meter Gefälle. 🦆\n\n"
    "## Lager\n\nDie Lager werden mit Talg geschmiert. Siehe [[Mill Pond]].\n",
    "Mill Pond": "# Mill Pond\n\nThe pond stores water for the wheel overnight.\n",
}
WRITTEN = """Sure!
```markdown
---
title: Lager fetten
type: task
---
# Lager fetten

## Was
Talg an die Lager vom Wasserrad.
```
"""
QUESTION = "What stores water for the wheel?"


@pytest.fixture
def server() -> Iterator[FakeOllama]:
    with FakeOllama(FakeModel("small:latest")) as fake:
        yield fake


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    made = write_vault(tmp_path / "vault", **NOTES)
    yield made
    kill_core(made, {"MINDNET_DATA_DIR": str(tmp_path / "data")})


class Talking:
    """An editor that chats; `told` are the values of its stream token, in order."""

    def __init__(self, there: Editor, server: FakeOllama) -> None:
        self.there, self.server = there, server
        self.told: list[Any] = []
        there.client.protocol.fm._features[types.PROGRESS] = self._progress

    def _progress(self, params: Any) -> None:
        if params.token == "s":
            self.told.append(plain(params.value))

    async def chat(self, message: str, **more: Any) -> Any:
        self.told.clear()
        return await run(self.there, "mindnet.chat", {"message": message, **more})

    def begin(self, message: str, token: str | None = None) -> Any:
        """A chat that is under way."""
        self.told.clear()
        arguments = {"message": message, "stream_token": "s"}
        params = types.ExecuteCommandParams("mindnet.chat", [arguments], token)
        return asyncio.ensure_future(self.there.client.workspace_execute_command_async(params))

    async def until_written(self) -> None:
        await wait_until(lambda: any(one["kind"] == "delta" for one in self.told), 20, "a word")


@pytest.fixture
async def talking(root: Path, server: FakeOllama, tmp_path: Path) -> AsyncIterator[Talking]:
    settings = {"llm": {"url": server.url, "model": "small"}}
    async with editor(root, tmp_path, settings=settings) as there:
        await until_indexed(there)
        yield Talking(there, server)


async def test_from_a_question_to_its_sources(talking: Talking, root: Path) -> None:
    before = fingerprint(root)
    talking.server.answer = lambda messages: "The pond [1], not the moon [8]."
    found = await talking.chat(QUESTION, stream_token="s", top_k=3)
    assert "error" not in found
    assert (found["intent"], found["intent_source"]) == ("FACT", "question")
    assert found["answer"] == "The pond [1], not the moon."
    first = found["sources"][0]
    assert (first["n"], first["title"], first["cited"]) == (1, "Mill Pond", True)
    assert first["uri"] == (root / "Mill Pond.md").as_uri()
    lines = NOTES["Mill Pond"].splitlines()
    place = first["range"]
    assert "The pond stores" in "\n".join(lines[place["start"]["line"] : place["end"]["line"]])
    assert first["reasons"]
    kinds = [one["kind"] for one in talking.told]
    assert kinds[:3] == ["intent", "sources", "delta"]
    assert set(kinds[2:]) == {"delta"}
    assert len(kinds) > 4, "as it is written, not at once"
    assert "".join(one["text"] for one in talking.told[2:]) == found["answer"]
    assert talking.told[1]["sources"][0]["uri"] == first["uri"]
    # the conversation goes on where it was
    again = await talking.chat("And why?", session_id=found["session_id"])
    assert again["session_id"] == found["session_id"]
    assert "And why?" in str(talking.server.asked("/api/chat")[-1].body)
    assert QUESTION in str(talking.server.asked("/api/chat")[-1].body)
    wrong = ({"top_k": "y"}, {"history": 3}, {"stream_token": []}, {"message": " "})
    for bad in ({}, *({"message": "x", **one} for one in wrong)):
        with pytest.raises(JsonRpcException):
            await run(talking.there, "mindnet.chat", bad)
    assert fingerprint(root) == before


async def test_stopped_in_both_ways(talking: Talking) -> None:
    hold = Hold()
    talking.server.script("/api/chat", Script([line("It "), hold, line("is."), last()]))
    asked = talking.begin(QUESTION)
    await talking.until_written()
    number = next(iter(talking.there.client.protocol._request_futures))
    talking.there.client.protocol.notify("$/cancelRequest", types.CancelParams(number))
    with pytest.raises((JsonRpcException, asyncio.CancelledError)):
        await asyncio.wait_for(asked, 20)
    await asyncio.to_thread(wait_left, talking.server.asked("/api/chat")[-1])

    talking.server.script("/api/chat", Script([line("It "), Hold(), line("is."), last()]))
    asked = talking.begin(QUESTION, "w")
    await talking.until_written()
    cancel = types.WorkDoneProgressCancelParams("w")
    talking.there.client.window_work_done_progress_cancel(cancel)
    found = plain(await asyncio.wait_for(asked, 20))
    assert found["error"]["code"] == "cancelled"
    assert (found["answer"], found["incomplete"]) == ("It", True)
    assert found["sources"][0]["title"] == "Mill Pond"
    await asyncio.to_thread(wait_left, talking.server.asked("/api/chat")[-1])
    hold = Hold()
    talking.server.script("/api/chat", Script([line("# It"), hold, last()]))
    wish = types.ExecuteCommandParams("mindnet.draft", [{"message": "Neue Aufgabe: Fett"}], "d")
    asked = asyncio.ensure_future(talking.there.client.workspace_execute_command_async(wish))
    assert await asyncio.to_thread(hold.reached.wait, 20)
    cancel = types.WorkDoneProgressCancelParams("d")
    talking.there.client.window_work_done_progress_cancel(cancel)
    found = plain(await asyncio.wait_for(asked, 20))
    assert found["error"]["code"] == "cancelled"
    await asyncio.to_thread(wait_left, talking.server.asked("/api/chat")[-1])
    found = await talking.chat(QUESTION)
    assert found["answer"] == "Fine.", "the model is free for the next one"


async def test_without_ollama(talking: Talking) -> None:
    talking.server.stop()
    began = time.monotonic()
    found = await talking.chat(QUESTION, stream_token="s")
    drafted = await run(talking.there, "mindnet.draft", {"message": "Neue Aufgabe: Lager fetten"})
    took = time.monotonic() - began
    assert found["error"]["code"] == "llm_unavailable"
    assert "ollama serve" in found["error"]["hint"]
    assert found["sources"][0]["title"] == "Mill Pond"
    assert [one["kind"] for one in talking.told] == ["intent", "sources"]
    assert (drafted["type"], drafted["title"]) == ("task", "Lager fetten")
    assert "does not answer" in drafted["notice"]
    assert took < 10, "nobody waits for a model that is not there"


async def test_a_note_written_by_the_model(talking: Talking, root: Path) -> None:
    before = fingerprint(root)
    talking.server.answer = lambda messages: WRITTEN
    drafted = await run(talking.there, "mindnet.draft", {"message": "Neue Aufgabe: Lager fetten"})
    assert drafted["notice"] == ""
    assert "Talg an die Lager" in drafted["markdown"]
    assert [one["title"] for one in drafted["suggestions"]] == ["Wasserrad"]
    found = await talking.chat("Neue Aufgabe: Lager fetten")
    assert found["intent"] == "INTERVIEW"
    assert "Talg an die Lager" in found["draft"]["markdown"]
    assert found["draft"]["uri"].startswith(root.as_uri())
    field = found["draft"]["missing_fields"][0]
    assert found["answer"].endswith(field["hint"])
    talking.server.answer = lambda messages: pytest.fail("an answer needs no model")
    went_on = await talking.chat("Nichts quietscht mehr.", session_id=found["session_id"])
    assert "Nichts quietscht mehr." in went_on["draft"]["markdown"]
    assert field not in went_on["draft"]["missing_fields"]
    asked = {"message": "", "session_id": found["session_id"], "answers": {"due": "2031-11-01"}}
    dated = await run(talking.there, "mindnet.draft", asked)
    assert "2031-11-01" in dated["markdown"]
    assert dated["uri"] == went_on["draft"]["uri"]
    assert fingerprint(root) == before, "nothing is written"
    made = await run(talking.there, "mindnet.saveDraft", {"markdown": went_on["draft"]["markdown"]})
    assert made["uri"] == went_on["draft"]["uri"]
