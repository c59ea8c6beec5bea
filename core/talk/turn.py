"""What answering one message shares: the vault, the conversation, what is to be said at the end."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from core.api import AnalyzeRequest, ErrorBody
from core.chat.interview import Draft
from core.chat.language import language_of
from core.chat.router import Route
from core.chat.sessions import Conversation
from core.chat.shapes import ChatDraft, ChatIntent, ChatRequest, ChatResult
from core.config.load import ChatConfig, load_chat
from core.errors import LlmError, MindnetError
from core.features.action_context import ActionContext
from core.locale import Locale
from core.talk.asking import Asker
from core.talk.drafting import draft_context, draft_shape

if TYPE_CHECKING:
    from core.service.engine import Engine

logger = logging.getLogger(__name__)

T = TypeVar("T")
Run = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs what blocks in a thread."""
SUGGESTIONS = 5
"""Links that are offered with a draft."""


class Desk:
    """One vault, as the chat uses it. `run` runs what blocks."""

    def __init__(self, engine: Engine, run: Run) -> None:
        self.engine, self._run = engine, run

    async def run(self, call: Callable[[], T]) -> T:
        """Run what blocks."""
        found: T = await self._run(call)
        return found

    async def off_loop(self, work: Callable[..., T], *given: Any) -> T:
        """Run `work(*given)`, which blocks."""
        return await self.run(lambda: work(*given))

    async def config(self) -> ChatConfig:
        """The vault's decision engine and prompts, as its files have them now."""
        return await self.run(lambda: load_chat(self.engine.root))

    def context(self, locale: Locale) -> ActionContext:
        """What a new note needs to know."""
        engine = self.engine
        return draft_context(engine.root, engine.index, engine.config, engine.settings, locale)

    async def with_links(self, found: Draft, locale: Locale) -> ChatDraft:
        """The draft with links that it could have."""
        shape = draft_shape(found)
        asked = AnalyzeRequest(
            path=found.path, text=found.markdown, top_k=SUGGESTIONS, locale=locale
        )
        try:
            links = await self.run(lambda: self.engine.analyze(asked))
        except MindnetError as error:  # the draft is worth more than its links
            logger.info("no links for the draft: %s", error.message)
            return shape
        return shape.model_copy(update={"suggestions": links.suggestions})


class Turn:
    """One message in one conversation."""

    def __init__(
        self, desk: Desk, request: ChatRequest, conversation: Conversation, chat: ChatConfig
    ) -> None:
        self.desk, self.request, self.conversation, self.chat = desk, request, conversation, chat
        self.locale = request.locale
        """The language of the program around, for what went wrong."""
        said = [one.content for one in conversation.turns if one.role == "user"]
        self.speech = request.locale
        for text in (*said, request.message):
            self.speech = language_of(text, self.speech)
        """The language of what is said to the person."""
        self.asker = Asker(desk.engine.llm, request.locale)
        self.notices: list[str] = []
        self.query_id = str(uuid.uuid4())
        self.route = Route("", "fallback")

    def intent(self) -> ChatIntent:
        """The first line of the answer."""
        return ChatIntent(
            session_id=self.conversation.id,
            intent=self.route.intent,
            intent_source=self.route.intent_source,
            type=self.route.type,
        )

    def result(self, error: LlmError | None = None, **found: Any) -> ChatResult:
        """The last line of the answer."""
        body = error and ErrorBody(code=error.code, message=error.message, hint=error.hint)
        return ChatResult(
            query_id=self.query_id,
            session_id=self.conversation.id,
            intent=self.route.intent,
            intent_source=self.route.intent_source,
            notice=" · ".join(dict.fromkeys(filter(None, self.notices))),
            error=body,
            **found,
        )
