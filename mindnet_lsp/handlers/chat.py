"""`mindnet.chat`: a message to the notes, answered while the model writes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.errors import Cancelled, CoreUnavailable, NotANote
from core.locale import say
from core.text import LineIndex
from mindnet_lsp.core_client import VaultCore
from mindnet_lsp.handlers.arguments import Arguments
from mindnet_lsp.handlers.command_kit import guarded, session_of
from mindnet_lsp.stoppable import stoppable

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

Told = Callable[[dict[str, Any]], None]


def register(ls: MindnetServer) -> None:
    ls.command("mindnet.chat")(guarded(ls, chat))


async def chat(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`{message, session_id?, history?, top_k?, uri?, stream_token?}` → `{query_id, session_id,
    intent, intent_source, answer, sources, draft?}` and more (`core.chat.shapes.ChatResult`).

    With a `stream_token` its progress tells `{kind: "intent", …}`, `{kind: "sources", sources,
    left_out}` and `{kind: "delta", text}`s on the way. An answer that broke off, or was
    cancelled by the work-done progress, is in the result with an `error`.
    """
    session = session_of(ls, arguments)
    if not isinstance(session.core, VaultCore):
        raise NotANote("this note is in no vault", "Open its folder.")
    body = _body(arguments, ls, session)
    tell = _teller(ls, arguments)
    heard = _Heard(ls, session, tell or (lambda _: None))
    listening = heard.listen(session.core, body)
    if tell is not None and arguments.token is None:
        return await listening  # what streams needs no other sign of life
    locale = ls.locale(session)
    title = say(locale, "Answering", "Antwort wird geschrieben")
    try:
        return await stoppable(ls, title, arguments.token, locale, listening)
    except Cancelled as error:
        return heard.stopped_by(error)


class _Heard:
    """What has come of an answer."""

    def __init__(self, ls: MindnetServer, session: Session, tell: Told) -> None:
        self._ls, self._session, self._tell = ls, session, tell
        self._so_far: dict[str, Any] = {"answer": "", "sources": []}

    async def listen(self, core: VaultCore, body: dict[str, Any]) -> dict[str, Any]:
        """Pass on what comes; the result. Raises MindnetError."""
        async with aclosing(core.stream("/chat", body)) as lines:
            async for line in lines:
                kind = line["kind"]
                if kind == "result":
                    return self._placed(line)
                told = self._placed(line)
                if kind == "delta":
                    self._so_far["answer"] += line["text"]
                else:
                    self._so_far |= {name: told[name] for name in told if name != "kind"}
                self._tell({"kind": kind, **told})
        raise CoreUnavailable("the core ended in the middle")

    def stopped_by(self, error: Cancelled) -> dict[str, Any]:
        """The result of a chat that somebody stopped."""
        body = {"code": error.code, "message": error.message, "hint": error.hint}
        return {**self._so_far, "incomplete": True, "error": body}

    def _placed(self, line: dict[str, Any]) -> dict[str, Any]:
        """With places as editors know them, and without what is not there."""
        found = {name: value for name, value in line.items() if value is not None}
        found.pop("kind")
        for name in ("sources", "left_out"):
            if name in found:
                found[name] = [_with_uri(self._session, one) for one in found[name]]
        if "draft" in found:
            found["draft"] = draft_of(self._ls, self._session, found["draft"])
        return found


def draft_of(ls: MindnetServer, session: Session, draft: dict[str, Any]) -> dict[str, Any]:
    """A draft of the core with the URI that it would have, and its links with positions."""
    lines = LineIndex(draft["markdown"])
    return {
        **_with_uri(session, draft),
        "suggestions": [link_of(ls, session, lines, one) for one in draft["suggestions"]],
    }


def link_of(
    ls: MindnetServer, session: Session, lines: LineIndex, found: dict[str, Any]
) -> dict[str, Any]:
    """A suggested link of the core, with its place in the text of `lines`."""
    start, end = (ls.convert.position(lines, found.pop(key)) for key in ("start", "end"))
    return {**_with_uri(session, found), "range": _range(start, end)}


def _with_uri(session: Session, found: dict[str, Any]) -> dict[str, Any]:
    rest = dict(found)
    rest["uri"] = session.uri(rest.pop("path"))
    if "start_line" in rest:
        first, last = rest.pop("start_line"), rest.pop("end_line")
        rest["range"] = _range(types.Position(first, 0), types.Position(last + 1, 0))
    return rest


def _range(start: types.Position, end: types.Position) -> dict[str, Any]:
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }


def _body(arguments: Arguments, ls: MindnetServer, session: Session) -> dict[str, Any]:
    body: dict[str, Any] = {
        "message": arguments.text("message"),
        "top_k": arguments.number("top_k", 8),
        "remember": session.settings.history.enabled,
        "locale": ls.locale(session),
    }
    if session_id := arguments.optional_text("session_id"):
        body["session_id"] = session_id
    if (history := arguments.objects("history")) is not None:
        body["history"] = history
    return body


def _teller(ls: MindnetServer, arguments: Arguments) -> Told | None:
    token = arguments.progress_token("stream_token")
    if token is None:
        return None

    def tell(value: dict[str, Any]) -> None:
        ls.protocol.notify(types.PROGRESS, types.ProgressParams(token, value))

    return tell
