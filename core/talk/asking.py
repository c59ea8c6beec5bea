"""The vault's language model, as one message to the chat uses it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from core.chat.context import Prompt, Relation, block, history_for
from core.chat.loops import Loop
from core.chat.shapes import ChatSource, LeftOut, Turn
from core.chunking.tokens import head_end
from core.errors import LlmError
from core.llm import failures
from core.llm.budget import MARGIN, fit
from core.llm.local import LocalModel
from core.llm.ollama import Message
from core.locale import Locale
from core.talk.material import Material

SHORT_ANSWER = 80
"""Tokens of an answer that is one line."""
CALM = 0.2
"""Temperature: the notes are to be told, not improved."""
SHARE = 4
"""The answer gets one of so many parts of the window."""
LEAST_ROOM = 48
"""Tokens from which on the beginning of a note is worth reading."""


class Asker:
    """Asks short questions for one message. A model that failed once is not asked again: each
    further try would only keep the person waiting."""

    def __init__(self, llm: LocalModel, locale: Locale) -> None:
        self._llm, self._locale = llm, locale
        self.error: LlmError | None = None

    async def line(self, prompt: str) -> str:
        """One line. Raises `LlmError`."""
        return await self._ask(prompt, SHORT_ANSWER)

    async def whole(self, prompt: str) -> str:
        """A text of a page at most. Raises `LlmError`."""
        return await self._ask(prompt, 0)

    async def _ask(self, prompt: str, most: int) -> str:
        if self.error is not None:
            raise self.error
        try:
            pieces = asked(self._llm, prompt, self._locale, most)
            async with aclosing(pieces):
                return "".join([piece async for piece in pieces])
        except LlmError as error:
            self.error = error
            raise


async def asked(
    llm: LocalModel, prompt: str, locale: Locale, most: int = 0
) -> AsyncGenerator[str, None]:
    """The pieces of the answer to one prompt, of at most so many tokens; half of the window by
    default, as a bad model never ends by itself. Raises `LlmError`, also for one that runs in
    circles."""
    most = most or await llm.window(locale) // 2
    message, loop = Message("user", prompt), Loop()
    async with llm.chat([message], max_tokens=most, temperature=CALM, locale=locale) as reply:
        async for piece in reply:
            yield piece
            if loop.feed(piece):
                raise failures.looped(llm.settings.model, locale)


class Packed:
    """What fits into a window: `messages` for the model, `sources` as they are numbered there,
    `left_out` the notes for which there was no room. `room` are the answer's tokens.

    Raises `InvalidArguments` where not even the message fits.
    """

    def __init__(
        self,
        prompt: Prompt,
        turns: Sequence[Turn],
        material: Material,
        window: int,
        locale: Locale,
    ) -> None:
        self.prompt = prompt
        fixed = [prompt.system, prompt.user(())]
        hits = material.hits
        blocks = [block(n, hit, _of(material, hit.note_id)) for n, hit in enumerate(hits, 1)]
        said = history_for(turns)
        self.room = window // SHARE
        chosen = fit(
            window, fixed, blocks, [one.content for one in said], reserve=self.room, locale=locale
        )
        taken, cut = list(chosen.blocks), ""
        if not taken and hits and (room := int(chosen.free / MARGIN) - LEAST_ROOM) >= LEAST_ROOM:
            taken, cut = [0], hits[0].text[: head_end(hits[0].text, room)]
        last = said[len(said) - chosen.history :]
        while last and last[0].role == "assistant":  # an answer without its question
            last = last[1:]
        self.texts = [
            block(n, hits[at], () if cut else _of(material, hits[at].note_id), cut)
            for n, at in enumerate(taken, 1)
        ]
        self.sources = [source(n, material, at) for n, at in enumerate(taken, 1)]
        self.left_out = [
            LeftOut(note_id=hit.note_id, title=hit.title, path=hit.path)
            for at, hit in enumerate(hits)
            if at not in taken
        ]
        self.messages = [
            *([Message("system", prompt.system)] if prompt.system else []),
            *(Message(one.role, one.content) for one in last),
            Message("user", prompt.user(self.texts)),
        ]


def source(number: int, material: Material, at: int) -> ChatSource:
    """A hit as a numbered source."""
    return ChatSource(n=number, **material.hits[at].model_dump())


def _of(material: Material, note_id: str) -> Sequence[Relation]:
    return material.relations.get(note_id, ())
