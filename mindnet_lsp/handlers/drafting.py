"""`mindnet.draft`: a note from what a person tells, proposed and not written."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from core.config.load import load_chat
from core.errors import CoreUnavailable, InvalidArguments, MindnetError, StoreError
from core.locale import say
from core.text import LineIndex
from mindnet_lsp.core_client import VaultCore
from mindnet_lsp.handlers.arguments import Arguments
from mindnet_lsp.handlers.chat import draft_of, link_of
from mindnet_lsp.handlers.command_kit import guarded, session_of
from mindnet_lsp.handlers.drafts import new_context, vault_of
from mindnet_lsp.stoppable import stoppable

if TYPE_CHECKING:
    from core.chat.interview import Draft, Wish
    from core.chat.ports import Ask
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

LINKS_PATIENCE = 1.0
"""Seconds to wait for links that the draft could have."""


def register(ls: MindnetServer) -> None:
    ls.command("mindnet.draft")(guarded(ls, draft))


async def draft(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`{message, type?, answers?, session_id?}` → the draft; writes nothing. With a language model
    where there is one, else the template of the type. With the `session_id` of a chat it goes on
    with the note that is being asked about there."""
    from core.chat.interview import Wish
    from core.chat.interview import draft as drafted
    from core.chat.saving import checked_folder

    session = vault_of(ls, session_of(ls, arguments))
    message = arguments.optional_text("message")
    if message is None:
        raise InvalidArguments("message: must be a string")
    folder = arguments.optional_text("folder")
    context = new_context(ls, session, session.snapshot())
    wish = Wish(
        message,
        arguments.optional_text("type") or "",
        _answers(arguments),
        None if folder is None else checked_folder(context, folder),
    )
    if session_id := arguments.optional_text("session_id"):
        known = await _in_conversation(ls, session, wish, session_id, arguments)
        if known is not None:
            return known
    chat = await ls.scheduler.in_thread(load_chat, session.root)
    ask: Ask | None = ls.asks(session)
    off_loop = ls.scheduler.in_thread
    if ask is None:
        found = await drafted(context, chat, wish, None, off_loop)
    else:
        locale = ls.locale(session)
        title = say(locale, "Writing the draft", "Entwurf wird geschrieben")
        writing = drafted(context, chat, wish, ask, off_loop)
        found = await stoppable(ls, title, arguments.token, locale, writing)
    return {**_answer(session, found), "suggestions": await _links(ls, session, found)}


async def _in_conversation(
    ls: MindnetServer, session: Session, wish: Wish, session_id: str, arguments: Arguments
) -> dict[str, Any] | None:
    """The draft of a conversation, which the core knows; None where it is away."""
    core = session.core
    if not isinstance(core, VaultCore):
        return None
    body = {**wish._asdict(), "session_id": session_id, "locale": ls.locale(session)}

    async def written() -> dict[str, Any]:
        async with aclosing(core.stream("/draft", body)) as lines:
            return await anext(lines)

    title = say(ls.locale(session), "Writing the draft", "Entwurf wird geschrieben")
    try:
        found = await stoppable(ls, title, arguments.token, ls.locale(session), written())
    except (StoreError, CoreUnavailable):
        return None
    found.pop("kind")
    return draft_of(ls, session, found)


async def _links(ls: MindnetServer, session: Session, found: Draft) -> list[dict[str, Any]]:
    """Links that the draft could have, to be accepted by the person; none where the core does
    not answer soon."""
    if not isinstance(session.core, VaultCore):
        return []
    asked = {"path": found.path, "text": found.markdown, "top_k": 5, "locale": ls.locale(session)}
    try:
        answer = await asyncio.wait_for(
            session.core.call("POST", "/ingest/analyze", asked), LINKS_PATIENCE
        )
    except (MindnetError, TimeoutError):
        return []
    lines = LineIndex(found.markdown)
    return [link_of(ls, session, lines, one) for one in answer["suggestions"]]


def _answers(arguments: Arguments) -> dict[str, str]:
    found = {}
    for name, value in arguments.mapping("answers").items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise InvalidArguments(f"answers.{name}: must be a string")
        found[name] = str(value)
    return found


def _answer(session: Session, found: Draft) -> dict[str, Any]:
    return {
        "type": found.type,
        "title": found.title,
        "file_name": found.path.rpartition("/")[2],
        "uri": session.uri(found.path),
        "markdown": found.markdown,
        "missing_fields": [one._asdict() for one in found.missing_fields],
        "healed": list(found.healed),
        "moved_to_body": list(found.moved_to_body),
        "question": found.question,
        "said": found.said,
        "notice": found.notice,
    }
