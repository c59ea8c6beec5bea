"""Workspace commands that the link index answers, whatever else is down."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.features.backlinks import context_of, incoming, missing, nearest_titles
from core.locale import say
from core.model import Place
from core.text import LineIndex
from core.vault.index import VaultIndex
from mindnet_lsp.handlers.arguments import Arguments
from mindnet_lsp.handlers.command_kit import guarded, note_of, session_of
from mindnet_lsp.progress import Report, progress

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

NEAREST = 5
_REPORT_EVERY = 10


def register(ls: MindnetServer) -> None:
    ls.command("mindnet.backlinks")(guarded(ls, backlinks))
    ls.command("mindnet.resolveUnresolved")(guarded(ls, resolve_unresolved))


async def backlinks(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.backlinks`: the links to a note as edges, each with its line. `score` is the
    confidence: how near two notes are in meaning is for `mindnet.related` to say. Behind them,
    where the core has any, those that a language model found (provenance `smart`)."""
    session, path = note_of(ls, arguments)
    index = session.snapshot()
    found = await _in_thread(ls, _backlinks, ls, session, index, path)
    smart = await ls.smart_links.of(session, path)
    return {"backlinks": [*found, *await _in_thread(ls, _smart, ls, session, smart)]}


async def resolve_unresolved(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.resolveUnresolved`: links that lead nowhere, and what they may have meant."""
    path = None
    if arguments.has("uri"):
        session, path = note_of(ls, arguments)
    else:
        session = session_of(ls, arguments)
    index = session.snapshot()
    title = say(ls.locale(session), "Looking for similar titles", "Ähnliche Titel werden gesucht")
    async with progress(ls, title, arguments.token) as report:
        return {"unresolved": await _in_thread(ls, _unresolved, ls, session, index, path, report)}


async def _in_thread(ls: MindnetServer, work: Callable[..., Any], *args: Any) -> Any:
    """Do the work in a thread; it ends early where the request is cancelled."""
    stop = Event()
    try:
        return await ls.scheduler.in_thread(
            work, *args, lambda: stop.is_set() or ls.scheduler.stopping()
        )
    finally:
        stop.set()


def _backlinks(
    ls: MindnetServer,
    session: Session,
    index: VaultIndex,
    path: str,
    stopped: Callable[[], bool],
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    read, lines = "", LineIndex("")
    for edge in incoming(index, path, session.config.relations):
        if stopped():
            break
        if edge.path != read:
            read, lines = edge.path, LineIndex(session.text(edge.path) or "")
        link = edge.link
        found.append(
            {
                "uri": session.uri(edge.path),
                "range": _range(ls, link),
                "title": edge.title,
                "kind": edge.kind,
                "rule_id": edge.rule_id,
                "provenance": "explicit",
                "confidence": edge.confidence,
                "score": edge.confidence,
                "context": context_of(lines.line(link.line), link.col),
            }
        )
    return found


def _smart(
    ls: MindnetServer,
    session: Session,
    links: list[dict[str, Any]],
    stopped: Callable[[], bool],
) -> list[dict[str, Any]]:
    """The smart edges among the backlinks: their place is where the passage begins."""
    found: list[dict[str, Any]] = []
    for link in links:
        if stopped():
            break
        lines = LineIndex(session.text(link["path"]) or "")
        found.append(
            {
                "uri": session.uri(link["path"]),
                "range": _plain(ls.convert.line_range(link["line"])),
                "title": link["title"],
                "kind": link["kind"],
                "rule_id": link["rule_id"],
                "provenance": "smart",
                "confidence": link["confidence"],
                "score": link["confidence"],
                "context": context_of(_first_words(lines, link["line"]), 0),
            }
        )
    return found


def _first_words(lines: LineIndex, line: int) -> str:
    """The first line from `line` on in which something stands."""
    return next((text for at in range(line, line + 5) if (text := lines.line(at)).strip()), "")


def _unresolved(
    ls: MindnetServer,
    session: Session,
    index: VaultIndex,
    path: str | None,
    report: Report,
    stopped: Callable[[], bool],
) -> list[dict[str, Any]]:
    links = list(missing(index, path))
    nearest: dict[str, list[str]] = {}
    found: list[dict[str, Any]] = []
    for done, one in enumerate(links):
        if stopped():
            break
        target = one.link.target
        if target not in nearest:
            nearest[target] = nearest_titles(index, target, NEAREST)
        found.append(
            {
                "target": target,
                "uri": session.uri(one.path),
                "range": _range(ls, one.link, one.start, one.end),
                "nearest": nearest[target],
            }
        )
        if done % _REPORT_EVERY == 0:
            report(done, len(links))
    return found


def _range(ls: MindnetServer, place: Place, start: int = 0, end: int | None = None) -> Any:
    return _plain(ls.convert.place_range(place, start, end))


def _plain(where: types.Range) -> dict[str, dict[str, int]]:
    return {
        name: {"line": at.line, "character": at.character}
        for name, at in (("start", where.start), ("end", where.end))
    }
