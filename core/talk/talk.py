"""The chat of one engine: a message in, lines of its answer out. For one event loop."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

from core.api import Shape
from core.chat.interview import Wish
from core.chat.interview import draft as drafted
from core.chat.router import Route, route
from core.chat.saving import checked_folder
from core.chat.sessions import Conversations
from core.chat.shapes import (
    AskRequest,
    AskResult,
    ChatDelta,
    ChatRequest,
    ChatResult,
    DraftRequest,
    DraftResult,
)
from core.chat.turns import Interview, heard
from core.config.decision import INTERVIEW
from core.errors import InvalidArguments
from core.locale import Locale, say
from core.talk.answering import answered
from core.talk.asking import Asker, asked
from core.talk.interviewing import begun, went_on
from core.talk.turn import Desk, Run, Turn

if TYPE_CHECKING:
    from core.service.engine import Engine


class Talk:
    """`run` runs what blocks; `clock` gives seconds."""

    def __init__(
        self, engine: Engine, run: Run, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._desk, self._clock = Desk(engine, run), clock
        self.conversations = Conversations(clock)

    async def events(self, request: ChatRequest) -> AsyncGenerator[Shape, None]:
        """`ChatIntent`, `ChatSources`, `ChatDelta`s, and a `ChatResult` at the end; an interview
        has no sources. Ending the iteration stops the model at its next token.

        A model that is away is no error here: the result says so, with the sources. Raises
        `InvalidArguments`, `NotIndexed` and `StoreError`.
        """
        if not request.message.strip():
            raise InvalidArguments("message: is empty")
        began = self._clock()
        conversation, forgotten = self.conversations.open(request.session_id, request.history)
        turn = Turn(self._desk, request, conversation, await self._desk.config())
        if forgotten:
            turn.notices.append(_forgotten(request.locale))
        async with aclosing(self._turn(turn)) as events:
            async for event in events:
                if isinstance(event, ChatResult):
                    took = round((self._clock() - began) * 1000, 1)
                    yield event.model_copy(update={"took_ms": took})
                else:
                    yield event

    async def draft(self, request: DraftRequest) -> AsyncGenerator[Shape, None]:
        """A `DraftResult`: a draft, with the model where it is there. Raises `InvalidArguments`
        and `OutsideVault` for a bad folder."""
        locale = request.locale
        context, chat = self._desk.context(locale), await self._desk.config()
        folder = None if request.folder is None else checked_folder(context, request.folder)
        conversation = None
        if request.session_id is not None:
            conversation, _ = self.conversations.open(request.session_id)
        wish = Wish(request.message, request.type, request.answers, folder)
        before = conversation.interview if conversation else None
        if before is not None and before.goes_on(wish):
            for name, value in request.answers.items():
                before.asked = name
                await self._desk.off_loop(before.take, context, chat, value)
            made = before
        else:
            wish = wish if before is None else before.joined(wish)
            ask = Asker(self._desk.engine.llm, locale).whole
            found = await drafted(context, chat, wish, ask, self._desk.off_loop)
            made = Interview(wish, found, "keyword")
        if conversation is not None:
            made.settle()
            conversation.interview = made
        shape = await self._desk.with_links(made.draft, locale)
        yield DraftResult(**shape.model_dump())

    async def ask(self, request: AskRequest) -> AsyncGenerator[Shape, None]:
        """What the model says to a prompt, as it comes. Raises `LlmError`."""
        text = ""
        async with aclosing(asked(self._desk.engine.llm, request.prompt, request.locale)) as pieces:
            async for piece in pieces:
                text += piece
                yield ChatDelta(text=piece)
        yield AskResult(text=text)

    async def _turn(self, turn: Turn) -> AsyncGenerator[Shape, None]:
        decision, types = turn.chat.decision, self._desk.engine.config.types
        message, waiting = turn.request.message, turn.conversation.waiting
        what = heard(message, decision, types) if waiting else "other"
        if waiting and what != "other":
            turn.route = Route(INTERVIEW, waiting.source, waiting.draft.type)
            events = went_on(turn, waiting, what)
        else:
            turn.route = await route(message, decision, types, turn.asker.line)
            if turn.route.intent == INTERVIEW:
                events = begun(turn, Wish(message, turn.route.type))
            else:
                events = answered(turn)
        yield turn.intent()
        async with aclosing(events) as each:
            async for event in each:
                yield event


def _forgotten(locale: Locale) -> str:
    return say(
        locale,
        "the conversation before is not known any more",
        "das Gespräch davor ist nicht mehr bekannt",
    )
