"""workspace/executeCommand: what needs the core service."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from core.errors import MindnetError, NotANote
from core.locale import say
from mindnet_lsp.core_client import VaultCore
from mindnet_lsp.handlers.arguments import Arguments
from mindnet_lsp.handlers.command_kit import Command, core_of, guarded, note_of, session_of
from mindnet_lsp.handlers.hits import hit_of
from mindnet_lsp.progress import progress
from mindnet_lsp.status import status_of

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

STATUS_PATIENCE = 2.0
"""Seconds that `mindnet.status` waits for the core."""


def register(ls: MindnetServer) -> None:
    for name, command in COMMANDS.items():
        ls.command(name)(guarded(ls, command))
    ls.sessions.on_open.append(lambda session: _attach(ls, session))


async def query(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.query`: hits with their place, score, breakdown and reasons; with `why_not`
    (id, URI or title of a note) also why that one is no hit."""
    session = session_of(ls, arguments)
    wanted = arguments.text("why_not") if arguments.has("why_not") else None
    body = {
        "query": arguments.text("query"),
        "mode": arguments.choice("mode", ("hybrid", "semantic"), "hybrid"),
        "top_k": arguments.number("top_k", 10),
        "hops": arguments.number("hops", 1),
        "filters": arguments.mapping("filters"),
        "explain": arguments.flag("explain", default=True),
        "why_not": wanted and _named(ls, session, wanted),
        "remember": session.settings.history.enabled,
        "locale": ls.locale(session),
    }
    answer = await core_of(session).call("POST", "/query", body)
    absent = answer.pop("why_not", None)
    found = {**answer, "hits": [hit_of(session, hit) for hit in answer["hits"]]}
    return found if absent is None else {**found, "why_not": _placed(session, absent)}


async def reindex(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.reindex`: read the files again, links and store; with progress."""
    session = session_of(ls, arguments)
    body: dict[str, Any] = {"full": arguments.flag("full", default=False)}
    if arguments.has("uri"):
        body["paths"] = [note_of(ls, arguments)[1]]
    elif session in ls.indexing:
        ls.indexing[session].rescan()
    core = core_of(session)
    title = say(ls.locale(session), "Indexing for search", "Suche wird vorbereitet")
    result: dict[str, Any] = {}
    async with progress(ls, title, arguments.token) as report:
        async for line in core.stream("/index/sync", body):
            if line["kind"] != "progress":
                result = line
            elif line["phase"] == "write":  # looking at the files is the smaller part
                report(line["done"], line["total"])
    await core.refresh()
    failed = [{"uri": session.uri(f["path"]), "reason": f["reason"]} for f in result["failed"]]
    kept = ("notes", "chunks", "edges", "changed", "deleted", "embedded", "took_ms")
    return {**{name: result[name] for name in kept}, "failed": failed}


async def graph(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.graph`: the notes around one, or the most linked of the vault, and their edges."""
    session = session_of(ls, arguments)
    body: dict[str, Any] = {
        "hops": arguments.number("hops", 1),
        "kinds": arguments.texts("kinds"),
        "limit": arguments.number("limit", 200),
        "locale": ls.locale(session),
    }
    if arguments.has("uri"):
        body["path"] = note_of(ls, arguments)[1]
    answer = await core_of(session).call("POST", "/graph", body)
    return {**answer, "nodes": [_placed(session, node) for node in answer["nodes"]]}


async def path(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.path`: the shortest ways from one note to another."""
    session, start = note_of(ls, arguments, "from_uri")
    other, end = note_of(ls, arguments, "to_uri")
    if other is not session:
        raise NotANote("the two notes are in different vaults")
    body = {"from_path": start, "to_path": end, "locale": ls.locale(session)}
    answer = await core_of(session).call("POST", "/graph/path", body)
    return {"paths": [[_placed(session, step) for step in way] for way in answer["paths"]]}


async def status(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.status`: answers also where the core is away or only starting."""
    session = session_of(ls, arguments)
    if isinstance(session.core, VaultCore):
        try:
            await asyncio.wait_for(session.core.refresh(), STATUS_PATIENCE)
        except TimeoutError:
            pass  # it is starting: what is known so far
        except MindnetError as error:
            return {**status_of(session), "store": {"mode": "none", "state": error.message}}
    return status_of(session)


COMMANDS: dict[str, Command] = {
    "mindnet.query": query,
    "mindnet.graph": graph,
    "mindnet.path": path,
    "mindnet.reindex": reindex,
    "mindnet.status": status,
}


def _attach(ls: MindnetServer, session: Session) -> None:
    if session.is_single:
        return
    core = VaultCore(ls, session)
    session.core = core
    session.hooks.append(core.on_change)
    session.closers.append(core.close)


def _placed(session: Session, found: dict[str, Any]) -> dict[str, Any]:
    """With the note's URI in place of its path."""
    rest = {key: value for key, value in found.items() if key != "path"}
    return {**rest, "uri": session.uri(found["path"])}


def _named(ls: MindnetServer, session: Session, given: str) -> str:
    """What names a note to the core: the vault path of a URI, anything else as it is."""
    if not given.startswith("file:"):
        return given
    found = ls.sessions.find(given)
    if found is None or found[0] is not session:
        raise NotANote("why_not: is not a note of this vault")
    return found[1]
