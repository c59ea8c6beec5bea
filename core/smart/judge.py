"""Asks the language model about passages, one after the other, in the background.

A task of the event loop to which the model's client belongs. People's chats go first
(`core.llm.traffic`). Each verdict is kept at once, so that nothing is asked twice whenever this
ends. Where the model is away, or fails on everything, it is tried again after growing pauses.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable

from core.config.prompts import PromptsConfig
from core.config.relations import RelationsConfig
from core.errors import LlmError
from core.llm.local import LocalModel
from core.llm.models import find
from core.smart.allocation import Allocation
from core.smart.passage import Passage, Verdict
from core.smart.question import chosen_of, judge_of, question

logger = logging.getLogger(__name__)

SOONEST, LATEST = 5.0, 60.0
"""Seconds until a failing model is asked again: the first pause, doubled each time."""
TRIES = 3
"""How often a passage is tried in one process, and failures in a row before a pause."""
ACQUAINTED = 60.0
"""Seconds for which a model counts as the same one."""
_FRAME, _EACH = 16, 12
"""Tokens of an answer, and of each number in it, at most."""


class Judge:
    """Made and run on one event loop. `relations` are those in use, `prompts` reads what the
    model is told."""

    def __init__(
        self,
        llm: LocalModel,
        allocation: Allocation,
        relations: Callable[[], RelationsConfig],
        prompts: Callable[[], PromptsConfig],
    ) -> None:
        self._llm, self._allocation = llm, allocation
        self._relations, self._read_prompts = relations, prompts
        self._prompts = PromptsConfig()
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._tries: Counter[str] = Counter()
        self._met = False
        self._known_at: float | None = None
        self._pause = 0.0
        self._row = 0
        """Failures since the last verdict."""
        allocation.on_waiting = self._nudge

    async def run(self) -> None:
        """Judge what waits, and then what comes; until cancelled."""
        while True:
            self._wake.clear()
            try:
                if await self._work():
                    continue
            except Exception as error:  # the one judge must not end; a traceback may quote notes
                logger.error("smart edges: %s", type(error).__name__)
                self._pause = LATEST
            self._allocation.working = False
            if self._pause:  # a saved note is no reason to hurry a model that is away
                await asyncio.sleep(self._pause)
            else:
                await self._wake.wait()

    async def _work(self) -> bool:
        """One note; False where there is nothing to do for now."""
        found = await asyncio.to_thread(self._allocation.next, self._given_up)
        known = self._allocation.known_judge
        idle = found is None and (self._met or not known)
        if idle or not self._llm.settings.enabled:
            self._pause = 0.0
            return False
        if not await self._meet():
            self._later()
            return False
        self._allocation.working = True
        if found is None:
            return False
        note_id, passages = found
        for passage in passages:
            if not await self._judge(note_id, passage) and self._pause:
                return False
        return True

    async def _judge(self, note_id: str, passage: Passage) -> bool:
        messages, form, locale = question(passage, self._prompts, self._relations())
        room = _FRAME + _EACH * len(passage.choices)
        try:
            answer = await self._llm.ask(
                messages, form, background=True, max_tokens=room, locale=locale
            )
        except LlmError as error:
            logger.info("a passage was not judged: %s", error.message)
            await self._failed(note_id, passage)
            return False
        verdict = Verdict(self._llm.settings.model, chosen_of(answer))
        await asyncio.to_thread(self._allocation.keep, passage, verdict)
        self._pause, self._row = 0.0, 0
        return True

    async def _failed(self, note_id: str, passage: Passage) -> None:
        """A passage counts as tried only where the model was there; after several failures in a
        row, it is left alone for a while."""
        self._known_at = None
        if not await self._meet():
            self._later()
            return
        self._tries[passage.key] += 1
        if self._given_up(passage.key):
            self._allocation.give_up(note_id)
        self._row += 1
        if self._row >= TRIES:
            self._later()

    async def _meet(self) -> bool:
        """Learn which model it is by now, whatever its name; False where it cannot be asked."""
        if self._known_at is not None and time.monotonic() - self._known_at < ACQUAINTED:
            return True
        try:
            model = find(await self._llm.ollama.models(), self._llm.settings.model)
        except LlmError as error:
            logger.info("%s", error.message)
            return False
        if model is None or (model.remote and not self._llm.settings.allow_remote):
            return False
        self._prompts = await asyncio.to_thread(self._read_prompts)
        await asyncio.to_thread(self._allocation.meet, judge_of(model.digest, self._prompts))
        self._met, self._known_at = True, time.monotonic()
        return True

    def _given_up(self, key: str) -> bool:
        return self._tries[key] >= TRIES

    def _later(self) -> None:
        self._pause = min(2 * self._pause, LATEST) if self._pause else SOONEST

    def _nudge(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._wake.set)
        except RuntimeError:
            logger.debug("nobody judges any more")
