"""A vault that can be talked with, in this process: a real engine, a scripted Ollama."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.chat.shapes import ChatRequest, ChatResult
from core.service.engine import Engine
from core.service.jobs import Job
from core.settings import read_settings
from core.talk.talk import Talk
from tests.support.fake_ollama import FakeModel, FakeOllama
from tests.support.fixture import parse_fixture

MODEL = "small:latest"
VAULT = """\
//- /weir.md
---
title: Weir
type: concept
---
# Weir

The weir dams the river for the mill. It was mended in 1911.

depends_on:: [[Mill]]
//- /mill.md
---
title: Mill
type: concept
---
# Mill

The mill grinds rye. See [[Weir]].
//- /quiet.md
---
title: Quiet water
type: value
---
# Quiet water

I want it calm around me.
//- /secret.md
---
title: Sluice secret
embedding_exclude: true
---
# Sluice secret

The sluice key lies under the third stone of the weir.
//- /hut.md
---
title: Hütte
type: project
---
# Hütte

Die Hütte am Fluss bekommt ein neues Dach aus Lärche.

depends_on:: [[Sluice secret]]
"""


class Room:
    """Talks; every method makes one message. The conversation goes on by `session`."""

    def __init__(self, engine: Engine, server: FakeOllama) -> None:
        self.engine, self.server = engine, server
        self.talk = Talk(engine, asyncio.to_thread)
        self.session: str | None = None

    async def events(self, message: str, **more: Any) -> list[Any]:
        """All lines of the answer."""
        more.setdefault("session_id", self.session)
        request = ChatRequest.model_validate({"message": message, **more})
        found: list[Any] = [event async for event in self.talk.events(request)]
        self.session = found[-1].session_id
        return found

    async def say(self, message: str, **more: Any) -> ChatResult:
        """The last line of the answer, which has to fit the lines before."""
        *before, result = await self.events(message, **more)
        assert isinstance(result, ChatResult)
        assert before[0].kind == "intent"
        assert (before[0].intent, before[0].session_id) == (result.intent, result.session_id)
        told = "".join(event.text for event in before if event.kind == "delta")
        assert told.strip() == result.answer, "what was shown is what was said"
        sources = [event for event in before if event.kind == "sources"]
        assert len(sources) <= 1
        for event in sources:
            assert event.query_id == result.query_id
            assert [one.n for one in event.sources] == [one.n for one in result.sources]
        return result

    @property
    def prompts(self) -> list[list[dict[str, str]]]:
        """The messages of all chats that the model was asked."""
        return [asked.body["messages"] for asked in self.server.asked("/api/chat")]

    @property
    def told(self) -> str:
        """All that the model was told last."""
        return "\n".join(message["content"] for message in self.prompts[-1])

    async def aclose(self) -> None:
        await self.engine.llm.ollama.aclose()


@contextmanager
def engine_for(folder: Path, server: FakeOllama, text: str = VAULT, **llm: Any) -> Iterator[Engine]:
    """An engine over an indexed vault, searched by words alone."""
    root = parse_fixture(text).write(folder / "vault")
    tree = {"llm": {"url": server.url, "model": "small", "timeout": 20, **llm}}
    settings, warnings = read_settings({**tree, "embedding": {"provider": "none"}})
    assert warnings == []
    engine = Engine(root, folder / "data", settings, None)
    try:
        engine.submit(Job(None)).result.result(20)
        yield engine
    finally:
        engine.close()


def fake() -> FakeOllama:
    return FakeOllama(FakeModel(MODEL, context=8192))
