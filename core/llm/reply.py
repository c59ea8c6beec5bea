"""One streamed answer of a chat model, and what is known of it when it has ended."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import msgspec

from core.errors import LlmError
from core.llm import failures
from core.llm.stream import Lines, Thinking
from core.locale import Locale, say

logger = logging.getLogger(__name__)

NEAR = 0.95
"""Share of the window that a prompt may fill before one has to fear for its beginning."""


class Asked(msgspec.Struct, frozen=True):
    """What was asked of whom. `url` and `timeout` (seconds) are for messages, `estimate` is our
    own count of the prompt's tokens."""

    url: str
    model: str
    window: int
    timeout: float
    estimate: int
    locale: Locale


class Usage(msgspec.Struct, frozen=True):
    """What Ollama counted: tokens read and written, seconds. `reason` is its `done_reason`."""

    prompt: int = 0
    answer: int = 0
    seconds: float = 0.0
    reason: str = ""


class Reply:
    """Iterate it once for the pieces of the answer, as they come; what the model thinks aloud
    is not among them. Afterwards `text` is all of it and `usage` what it took.

    `text` always is what came so far, also after an error: to be shown as incomplete.
    """

    def __init__(self, response: httpx.Response, asked: Asked) -> None:
        self.text = ""
        self.usage = Usage()
        self.thought = False
        """Whether the model thought aloud."""
        self._response = response
        self._asked = asked

    @property
    def cut(self) -> bool:
        """Whether the answer ended because there was no room for more."""
        return self.usage.reason == "length"

    @property
    def warning(self) -> str:
        """Why the model may not have read all of the prompt; "" if it has.

        Ollama says nothing when it drops the beginning of a prompt. It shows by a count at
        the window's size, or at half of it (older runners) where we counted far more.
        """
        asked, read = self._asked, self.usage.prompt
        half = abs(read - asked.window / 2) <= 0.03 * asked.window
        if read >= NEAR * asked.window or (half and asked.estimate > 0.75 * asked.window):
            return say(
                asked.locale,
                f"the model may not have read everything: {read} of {asked.window} tokens",
                f"das Modell hat vielleicht nicht alles gelesen: {read} von {asked.window} Token",
            )
        return ""

    async def __aiter__(self) -> AsyncIterator[str]:
        """The pieces. Raises `AnswerIncomplete`, `LlmTimeout` and `LlmError`; an answer
        without any text is an error as well."""
        thinking = Thinking()
        try:
            async for line in self._lines():
                for piece in self._pieces(line, thinking):
                    self.text += piece
                    yield piece
                if line.get("done") is True:
                    self._end(line)
                    if rest := thinking.end():
                        self.text += rest
                        yield rest
                    self._check(thought=self.thought or thinking.seen)
                    return
        except httpx.TimeoutException as error:
            raise failures.timed_out(self._asked.timeout, self._asked.locale) from error
        except httpx.TransportError as error:
            raise failures.incomplete("closed", self._asked.locale) from error
        except ValueError as error:
            raise failures.incomplete("unreadable", self._asked.locale) from error
        raise failures.incomplete("closed", self._asked.locale)

    async def read(self) -> str:
        """The whole answer at once; raises as iterating does."""
        async for _ in self:
            pass
        return self.text

    async def _lines(self) -> AsyncIterator[dict[str, Any]]:
        lines = Lines()
        async for data in self._response.aiter_bytes():
            for line in lines.feed(data):
                yield line
        for line in lines.end():
            yield line

    def _pieces(self, line: dict[str, Any], thinking: Thinking) -> list[str]:
        asked = self._asked
        if "error" in line:
            raise failures.told(200, str(line["error"]), asked.model, asked.locale)
        message = line.get("message")
        message = message if isinstance(message, dict) else {}
        if message.get("thinking"):
            self.thought = True
        content = message.get("content")
        if not isinstance(content, str) or not content:
            return []
        piece = thinking.feed(content)
        return [piece] if piece else []

    def _end(self, line: dict[str, Any]) -> None:
        prompt, answer, took = (
            value if isinstance(value := line.get(key), int) else 0
            for key in ("prompt_eval_count", "eval_count", "total_duration")
        )
        self.usage = Usage(prompt, answer, took / 1e9, str(line.get("done_reason") or ""))
        if self.warning:
            window = self._asked.window
            logger.warning("%d tokens of a window of %d were read", prompt, window)

    def _check(self, *, thought: bool) -> None:
        if not self.text.strip():
            error: LlmError = failures.no_answer(thought, self._asked.locale)
            raise error
