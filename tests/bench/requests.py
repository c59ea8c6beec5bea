"""Rows of single requests: completion, hover, definition, symbols, references, rename."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from tests.bench.bench import Bench, Unavailable
from tests.bench.budgets import row
from tests.bench.client import Reply
from tests.bench.editor import Editor
from tests.bench.sample import Link, read_text
from tests.bench.stats import Row

WARM_UP = 3
"""Requests of each row that are made first and not counted."""


def _needs(editor: Editor, capability: str) -> None:
    if not editor.offers(capability):
        raise Unavailable(f"the server does not offer {capability}")


def _links(bench: Bench) -> list[Link]:
    """As many links as requests are made, from all over the vault; the first ones warm up."""
    links = bench.sample.links
    return [links[i % len(links)] for i in range(WARM_UP + bench.repeat)]


def _times(replies: list[Reply]) -> list[float]:
    return [1000 * reply.seconds for reply in replies[WARM_UP:]]


def _settle(editor: Editor, place: Link) -> None:
    """Wait until the server has taken in what was sent: opening and typing are no part of
    the time of a request, and have rows of their own."""
    editor.request("textDocument/definition", editor.at(place.path, place.line, place.before))


def _at_links(
    bench: Bench, editor: Editor, method: str, extra: dict[str, Any]
) -> list[tuple[Link, Reply]]:
    """Ask once on each link, with its note open as an editor has it."""
    asked = []
    for link in _links(bench):
        editor.open(link.path, read_text(bench.vault, link.path))
        _settle(editor, link)
        params = {**editor.at(link.path, link.line, link.before), **extra}
        asked.append((link, editor.request(method, params)))
        editor.close_document(link.path)
    return asked


def hover(bench: Bench, editor: Editor) -> Row:
    _needs(editor, "hoverProvider")
    asked = _at_links(bench, editor, "textDocument/hover", {})
    empty = sum(not reply.result for _, reply in asked)
    return row("hover", bench.sample.notes, _times([r for _, r in asked]), faults=empty)


def definition(bench: Bench, editor: Editor) -> Row:
    _needs(editor, "definitionProvider")
    asked = _at_links(bench, editor, "textDocument/definition", {})
    wrong = sum(not editor.leads_to(reply.result, link.target) for link, reply in asked)
    return row("definition", bench.sample.notes, _times([r for _, r in asked]), faults=wrong)


def symbols(bench: Bench, editor: Editor) -> Row:
    _needs(editor, "documentSymbolProvider")
    replies = []
    for link in _links(bench):
        editor.open(link.path, read_text(bench.vault, link.path))
        _settle(editor, link)
        params = {"textDocument": {"uri": editor.uri(link.path)}}
        replies.append(editor.request("textDocument/documentSymbol", params))
        editor.close_document(link.path)
    return row("symbols", bench.sample.notes, _times(replies))


def references(bench: Bench, editor: Editor) -> Row:
    _needs(editor, "referencesProvider")
    hub = bench.sample.hub
    editor.open(hub.path, read_text(bench.vault, hub.path))
    params = {
        **editor.at(hub.path, hub.line, hub.before),
        "context": {"includeDeclaration": False},
    }
    replies = [
        editor.request("textDocument/references", params) for _ in range(WARM_UP + bench.repeat)
    ]
    editor.close_document(hub.path)
    found = len(replies[-1].result or [])
    missing = max(0, bench.sample.hub_links - found)
    return row("references", bench.sample.notes, _times(replies), f"{found} places", missing)


def rename(bench: Bench, editor: Editor) -> Row:
    """Only asked: the edits that come back are not made."""
    _needs(editor, "renameProvider")
    hub = bench.sample.hub
    editor.open(hub.path, read_text(bench.vault, hub.path))
    params = {**editor.at(hub.path, hub.line, hub.before), "newName": "Übersicht neu"}
    times = min(bench.repeat, 10) + WARM_UP
    replies = [editor.request("textDocument/rename", params) for _ in range(times)]
    editor.close_document(hub.path)
    return row("rename", bench.sample.notes, _times(replies))


def workspace_symbol(bench: Bench, editor: Editor) -> Row:
    _needs(editor, "workspaceSymbolProvider")
    replies = [
        editor.request("workspace/symbol", {"query": PurePosixPath(link.target).stem[:length]})
        for link, length in zip(_links(bench), _lengths(), strict=False)
    ]
    return row("workspace-symbol", bench.sample.notes, _times(replies))


def completion(bench: Bench, editor: Editor) -> Row:
    """`[[` and none to four letters of a name typed at the end of the 5 KB note.

    The change is taken in before the request is sent.
    """
    _needs(editor, "completionProvider")
    path = bench.sample.edited
    text = read_text(bench.vault, path).rstrip("\n") + "\n\n"
    line = text.count("\n")
    editor.open(path, text)
    replies, empty, items = [], 0, 0
    for number, (link, length) in enumerate(zip(_links(bench), _lengths(), strict=False)):
        typed = "[[" + PurePosixPath(link.target).stem[:length]
        editor.change(path, text + typed, number + 2)
        at = editor.at(path, line, typed)
        _settle(editor, Link(path, line, typed, ""))
        trigger = {"triggerKind": 1} if length else {"triggerKind": 2, "triggerCharacter": "["}
        reply = editor.request("textDocument/completion", {**at, "context": trigger})
        found = reply.result["items"] if isinstance(reply.result, dict) else reply.result or []
        empty += not found
        items = max(items, len(found))
        replies.append(reply)
    editor.close_document(path)
    return row("completion", bench.sample.notes, _times(replies), f"up to {items} items", empty)


def _lengths() -> list[int]:
    return [0, 1, 2, 3, 4] * 1000


REQUESTS: dict[str, Callable[[Bench, Editor], Row]] = {
    "completion": completion,
    "hover": hover,
    "definition": definition,
    "symbols": symbols,
    "references": references,
    "workspace-symbol": workspace_symbol,
    "rename": rename,
}
