"""An importer with a judge, over a scripted Ollama: what the tests of smart edges drive."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from core.api import SmartState, SyncResult
from core.config.load import load_chat, load_config
from core.ingest.allocate import allocate
from core.ingest.pipeline import Importer
from core.llm.local import LocalModel
from core.settings import read_settings
from core.smart.allocation import Allocation
from core.smart.judge import Judge
from core.store.manifest import Expected
from core.store.ports import Eq
from core.store.store import memory_store
from tests.support.cores import until
from tests.support.fake_ollama import Asked, FakeModel, FakeOllama

MODEL = "phi3:mini"
PATIENCE = 30.0

Degrees = dict[str, int]
"""What the model says of each relation: degree by `label → title`, 0 for the others."""


def relations_of(prompt: str) -> dict[str, str]:
    """The relations of a question by their number's name."""
    block = re.findall(r"^`{4,}relations\n(.*?)\n`{4,}$", prompt, re.M | re.S)[-1]
    return dict(re.findall(r"^(r\d+): (.*)$", block, re.M))


def passage_of(prompt: str) -> str:
    """The passage of a question."""
    fence = re.search(r"^(`{4,})passage\n", prompt, re.M)
    assert fence is not None
    return prompt[fence.end() :].partition(f"\n{fence[1]}")[0]


def saying(degrees: Degrees) -> Callable[[list[dict[str, str]]], str]:
    """A model that always says the same of the same relations."""

    def answer(messages: list[dict[str, str]]) -> str:
        asked = relations_of(messages[-1]["content"])
        return json.dumps({name: degrees.get(what, 0) for name, what in asked.items()})

    return answer


class Desk:
    """A vault, an importer over a store in memory, and a judge that runs in the test's event
    loop. What the engine does when nothing else is to be done, `settled` does."""

    def __init__(self, folder: Path, server: FakeOllama) -> None:
        self.root, self.folder, self.server = folder / "vault", folder / "data", server
        self.root.mkdir(parents=True)
        self.store = memory_store(expected=Expected())
        self._task: asyncio.Task[None] | None = None

    async def start(self, **llm: Any) -> None:
        """All but the store begins anew, as after a restart."""
        await self.stop()
        given = {"url": self.server.url, "model": MODEL, "timeout": 5, **llm}
        settings, warnings = read_settings({"llm": given})
        assert warnings == []
        self.config = load_config(self.root)
        self.allocation = Allocation(self.folder)
        self.llm = LocalModel(settings.llm)
        self.importer = Importer(
            self.root, self.store, None, self.config, folder=self.folder, smart=self.allocation
        )
        judge = Judge(
            self.llm,
            self.allocation,
            lambda: self.config.relations,
            lambda: load_chat(self.root).prompts,
        )
        self._task = asyncio.create_task(judge.run())

    async def stop(self) -> None:
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.wait([self._task])
        with suppress(asyncio.CancelledError):
            self._task.result()  # it never ends by itself, and never fails
        self._task = None
        await self.llm.ollama.aclose()
        self.allocation.close()

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    async def sync(self, *paths: str) -> SyncResult:
        result = await asyncio.to_thread(self.importer.sync, list(paths) or None)
        assert result.failed == []
        return result

    async def settled(self, waiting: int | None = 0) -> None:
        """Wait until so many passages wait, and what was judged is in the store; None: as many
        as the model gave no answer to."""

        async def allocated() -> bool:
            if self.allocation.due:
                due = self.allocation.take()
                note_ids = None if due.survey else due.notes
                await asyncio.to_thread(allocate, self.importer, note_ids, lambda: False)
                self.allocation.done(due)
            state = self.allocation.state("ready")
            wanted = state.failed if waiting is None else waiting
            return state.waiting == wanted and not self.allocation.due

        await until(allocated, PATIENCE, f"{waiting} passages to wait")

    @property
    def state(self) -> SmartState:
        """As a status tells it."""
        return self.allocation.state(self.llm.state)

    @property
    def questions(self) -> list[str]:
        """The prompts that the model got."""
        return [one.body["messages"][-1]["content"] for one in self.chats]

    @property
    def chats(self) -> list[Asked]:
        return self.server.asked("/api/chat")

    def smart(self, note_id: str) -> list[tuple[str, str, str, float]]:
        """Source, kind, target and confidence of the smart edges that a note has."""
        found = (p.payload for p in self.store.edges.scan(Eq("note_id", note_id)))
        return sorted(
            (p["source_id"], p["kind"], p["target_id"], p["confidence"])
            for p in found
            if p["provenance"] == "smart"
        )


@contextmanager
def ollama() -> Iterator[FakeOllama]:
    """A scripted Ollama with the model of the settings."""
    with FakeOllama(FakeModel(MODEL)) as fake:
        fake.answer = saying({})
        yield fake
