"""workspace/executeCommand: suggested edges, related notes, and what is not wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.errors import NotANote
from core.features.document import Document
from core.features.suggested import FORMS
from mindnet_lsp.handlers.arguments import Arguments
from mindnet_lsp.handlers.command_kit import Command, core_of, guarded, note_of, session_of
from mindnet_lsp.handlers.hits import hit_of, range_of

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

AUTO = "auto"


def register(ls: MindnetServer) -> None:
    for name, command in COMMANDS.items():
        ls.command(name)(guarded(ls, command))


async def suggest_edges(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.suggestEdges`: edges that the note does not have yet, with exact edits; `form` is
    how to write them, `auto` what fits each best."""
    session, path = note_of(ls, arguments)
    document = _document(session, path)
    form = arguments.choice("form", (AUTO, *FORMS), AUTO)
    body: dict[str, Any] = {
        "path": path,
        "text": document.text,
        "top_k": arguments.number("top_k", 10),
        "form": None if form == AUTO else form,
        "min_score": session.settings.suggestions.min_score,
        "locale": ls.locale(session),
    }
    if (wanted := arguments.range("range")) is not None:
        body["start_line"], body["end_line"] = wanted.start.line, wanted.end.line
    answer = await core_of(session).call("POST", "/ingest/analyze", body)
    found = answer["suggestions"]
    return {"suggestions": [_suggestion(ls, session, document, one) for one in found]}


async def related(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.related`: the notes nearest to one, or to a selection in it."""
    session, path = note_of(ls, arguments)
    document = _document(session, path)
    body: dict[str, Any] = {
        "path": path,
        "text": document.text,
        "top_k": arguments.number("top_k", 10),
        "locale": ls.locale(session),
    }
    if (wanted := arguments.range("range")) is not None:
        span = ls.convert.span(document.lines, wanted)
        body["start"], body["end"] = span.start, span.end
    answer = await core_of(session).call("POST", "/related", body)
    return {**answer, "hits": [hit_of(session, hit) for hit in answer["hits"]]}


async def dismiss(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.dismissSuggestion`: never suggest `target_note_id` for the note again."""
    session, path = note_of(ls, arguments)
    target = arguments.text("target_note_id")
    body = {"path": path, "target_note_id": target}
    answer = await core_of(session).call("POST", "/suggest/dismiss", body)
    ls.suggestions.drop(session, path, target)
    return _dismissals(session, answer)


async def restore(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.restoreSuggestion`: suggest it again; without `target_note_id` all of the note."""
    session, path = note_of(ls, arguments)
    body = {"path": path, "target_note_id": arguments.optional_text("target_note_id")}
    answer = await core_of(session).call("POST", "/suggest/restore", body)
    ls.suggestions.refresh(session, [path])
    return _dismissals(session, answer)


async def dismissed(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.dismissedSuggestions`: what is dismissed, for the note `uri` or in the vault."""
    if arguments.has("uri"):
        session, path = note_of(ls, arguments)
        answer = await core_of(session).call("POST", "/suggest/dismissed", {"path": path})
    else:
        session = session_of(ls, arguments)
        answer = await core_of(session).call("POST", "/suggest/dismissed", {})
    return _dismissals(session, answer)


COMMANDS: dict[str, Command] = {
    "mindnet.suggestEdges": suggest_edges,
    "mindnet.related": related,
    "mindnet.dismissSuggestion": dismiss,
    "mindnet.restoreSuggestion": restore,
    "mindnet.dismissedSuggestions": dismissed,
}


def _document(session: Session, path: str) -> Document:
    document = session.document(path)
    if document is None:
        raise NotANote(f"{path} cannot be read")
    return document


def _dismissals(session: Session, answer: dict[str, Any]) -> dict[str, Any]:
    def placed(one: dict[str, Any]) -> dict[str, Any]:
        kept = ("note_id", "title", "target_note_id", "target_title")
        uris = {
            name: session.uri(one[path]) if one[path] else None
            for name, path in (("uri", "path"), ("target_uri", "target_path"))
        }
        return {**{key: one[key] for key in kept}, **uris}

    found = [placed(one) for one in answer["dismissed"]]
    return {"changed": answer["changed"], "dismissed": found}


def _suggestion(
    ls: MindnetServer, session: Session, document: Document, found: dict[str, Any]
) -> dict[str, Any]:
    kept = ("target_note_id", "title", "kind", "score", "reasons", "new_text", "form", "edge_kind")
    shown = range_of(ls, document, found["start"], found["end"])
    return {
        **{key: found[key] for key in kept},
        "uri": session.uri(found["path"]),
        "range": shown,
    }
