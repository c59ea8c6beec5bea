"""What chat and drafts ask of a language model."""

from __future__ import annotations

from typing import Protocol


class Ask(Protocol):
    """One question to a language model, one whole answer."""

    async def __call__(self, prompt: str) -> str:
        """The answer to a prompt, without thinking parts. Raises `LlmError`."""
