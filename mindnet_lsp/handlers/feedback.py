"""`mindnet.history` and `mindnet.feedback`: what was asked, and what people think of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from core.errors import InvalidArguments
from mindnet_lsp.handlers.arguments import Arguments
from mindnet_lsp.handlers.command_kit import core_of, failed, guarded, session_of

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session


def register(ls: MindnetServer) -> None:
    ls.command("mindnet.history")(guarded(ls, history))
    ls.command("mindnet.feedback")(guarded(ls, feedback))


async def history(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`{limit?}` → `{entries: []}`, the newest first, with the feedback so far; hits whose
    notes are still there have a `uri`."""
    session = session_of(ls, arguments)
    asked = {
        "limit": arguments.number("limit", 50),
        "locale": ls.locale(session),
        "remember": session.settings.history.enabled,
    }
    try:
        answer = await core_of(session).call("GET", f"/history?{urlencode(asked)}")
    except InvalidArguments as error:
        return failed(error)
    for entry in answer["entries"]:
        entry["hits"] = [_placed(session, hit) for hit in entry["hits"]]
    return dict(answer)


async def feedback(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`{query_id, node_id, score, comment?}` → `{ok: true}`. Without a `uri` it is the vault
    that knows the query."""
    body = {
        "query_id": arguments.text("query_id"),
        "node_id": arguments.text("node_id"),
        "score": arguments.number("score", 0),
        "comment": arguments.optional_text("comment") or "",
    }
    first = session_of(ls, arguments)
    others = [] if arguments.has("uri") else [s for s in ls.sessions.folders if s is not first]
    refused: InvalidArguments | None = None
    for session in (first, *others):
        try:
            locale = ls.locale(session)
            return dict(
                await core_of(session).call("POST", "/feedback", {**body, "locale": locale})
            )
        except InvalidArguments as error:
            # a vault that knows the query has more to say than those that do not
            if refused is None or not error.message.startswith("query_id:"):
                refused = error
    assert refused is not None
    return failed(refused)


def _placed(session: Session, hit: dict[str, Any]) -> dict[str, Any]:
    path = session.snapshot().path_of(hit["note_id"])
    return hit if path is None else {**hit, "uri": session.uri(path)}
