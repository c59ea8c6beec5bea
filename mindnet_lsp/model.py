"""The vault's language model, asked through the core: one traffic for all windows."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from core.errors import CoreUnavailable, LlmError, MindnetError
from core.locale import say
from mindnet_lsp.core_client import VaultCore

if TYPE_CHECKING:
    from core.chat.ports import Ask
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

PATIENCE = 1.0
"""Seconds to wait for a core that is only starting: a template is there at once."""


def ask_of(ls: MindnetServer, session: Session) -> Ask | None:
    """The model of a vault; None where there is no core, or no model is wanted."""
    core = session.core
    if not isinstance(core, VaultCore) or not session.settings.llm.enabled:
        return None

    async def ask(prompt: str) -> str:
        locale = ls.locale(session)
        try:
            await asyncio.wait_for(core.call("GET", "/health"), PATIENCE)
            body = {"prompt": prompt, "locale": locale}
            async with aclosing(core.stream("/llm/ask", body)) as lines:
                async for line in lines:
                    if line["kind"] == "result":
                        return str(line["text"])
            raise CoreUnavailable("the core ended in the middle")
        except LlmError:
            raise
        except MindnetError as error:
            raise LlmError(error.message, error.hint) from error
        except TimeoutError:
            starting = "the language model is not reached yet: the core is starting"
            startet = "das Sprachmodell ist noch nicht erreichbar: der Kern startet"
            raise LlmError(say(locale, starting, startet)) from None

    return ask
