"""textDocument/diagnostic and workspace/diagnostic: findings for a client that asks.

Reports leave as JSON text that was made in a worker thread: ten thousand of them as objects
would hold up the event loop.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from mindnet_lsp import uris
from mindnet_lsp.findings import Findings, Found, View
from mindnet_lsp.prepared import Json
from mindnet_lsp.session import Session

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

BATCH = 50
"""Notes whose findings are worked out, and sent, at one time."""
LARGE_VAULT = 1000
"""From so many notes on, clean ones of which the client knows nothing are left out: it would
send all their ids back with each request, every two seconds."""
STEP = 0.05
"""Seconds between two looks whether a vault is indexed."""


def register(ls: MindnetServer) -> None:
    """For clients that ask; `lifecycle` calls this once it knows the client."""
    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True)
    ls.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(document_diagnostic)
    ls.feature(types.WORKSPACE_DIAGNOSTIC)(workspace_diagnostic)


async def document_diagnostic(ls: MindnetServer, params: types.DocumentDiagnosticParams) -> Any:
    """The findings of one document; `unchanged` where the client has them already."""
    uri = params.text_document.uri
    # found anew each time: folders may come and go meanwhile
    while (place := ls.sessions.find(uri)) is not None and _is_loading(place[0]):  # noqa: ASYNC110
        await asyncio.sleep(STEP)
    if place is None:
        return _report(None, None)
    session, path = place
    await ls.parse_large(session, [path])
    findings = ls.findings.get(session)
    if findings is None or session.state == "error":  # the folder was removed meanwhile
        return _report(None, None)
    view = findings.snapshot()
    note = view.index.get(path)
    if note is None:
        return _report(None, None)
    found = await ls.scheduler.in_thread(findings.of, view, note)
    findings.told[path] = found.result_id
    return _report(found, params.previous_result_id)


async def workspace_diagnostic(ls: MindnetServer, params: types.WorkspaceDiagnosticParams) -> Any:
    """The findings of all notes, in batches, and as partial results where the client takes
    them. A note that the client still has findings of and that is gone is reported empty."""
    while any(_is_loading(session) for session in ls.sessions):  # noqa: ASYNC110
        await asyncio.sleep(STEP)
    known = {uris.key_of(item.uri): item for item in params.previous_result_ids}
    token, parts = params.partial_result_token, list[str]()
    for session in list(ls.sessions):
        async for part in _session_parts(ls, session, known):
            if token is None:
                parts.append(part)
            else:
                value = f'{{"token": {json.dumps(token)}, "value": {_items(part)}}}'
                ls.protocol.send_json(types.PROGRESS, value)
    gone = ",".join(_entry(item.uri, None, None, "") for item in known.values())
    for item in known.values():
        place = ls.sessions.find(item.uri)
        if place is not None and place[0] in ls.findings:
            ls.findings[place[0]].told.pop(place[1], None)
    return Json(_items(*parts, *([gone] if gone else ())))


async def _session_parts(
    ls: MindnetServer, session: Session, known: dict[str, types.PreviousResultId]
) -> AsyncIterator[str]:
    """Reports as JSON, joined by commas; takes what it reports out of `known`."""
    if session.state == "error":
        return
    await ls.parse_large(session, session.documents)
    findings = ls.findings.get(session)
    if findings is None:  # the folder was removed meanwhile
        return
    view = findings.snapshot()
    versions = {path: session.version(path) for path in session.documents}
    paths, shared = view.index.paths, len(ls.sessions.folders) > 1
    for start in range(0, len(paths), BATCH):
        batch = [
            (path, session.uri(path))
            for path in paths[start : start + BATCH]
            if not shared or ls.sessions.find(session.uri(path)) == (session, path)
        ]
        earlier = {
            path: item
            for path, uri in batch
            if (item := known.pop(uris.key_of(uri), None)) is not None
        }
        part, told = await ls.scheduler.in_thread(_batch, findings, view, batch, earlier, versions)
        findings.told.update(told)
        if part:
            yield part


def _batch(
    findings: Findings,
    view: View,
    batch: list[tuple[str, str]],
    earlier: Mapping[str, types.PreviousResultId],
    versions: Mapping[str, int | None],
) -> tuple[str, dict[str, str]]:
    """The reports of some notes, and their result ids by path. Runs in a thread."""
    told: dict[str, str] = {}

    def reports() -> Iterator[str]:
        for path, uri in batch:
            note, item = view.index.get(path), earlier.get(path)
            if note is None:
                continue
            found = findings.of(view, note)
            if path not in versions:
                # of an open document a client believes only what it was told of that alone
                told[path] = found.result_id
            if item is None and found.is_clean and len(view.index.paths) > LARGE_VAULT:
                continue
            value = item.value if item is not None else ""
            yield _entry(item.uri if item else uri, versions.get(path), found, value)

    return ",".join(reports()), told


def _entry(uri: str, version: int | None, found: Found | None, previous: str) -> str:
    """One report of a workspace, as JSON."""
    head = f'{{"uri": {json.dumps(uri)}, "version": {json.dumps(version)}, '
    return head + _body(found, previous)[1:]


def _report(found: Found | None, previous: str | None) -> Json:
    """The report of one document."""
    return Json(_body(found, previous))


def _body(found: Found | None, previous: str | None) -> str:
    if found is None:
        return '{"kind": "full", "items": []}'
    if previous == found.result_id:
        return f'{{"kind": "unchanged", "resultId": "{found.result_id}"}}'
    return f'{{"kind": "full", "resultId": "{found.result_id}", "items": {found.items}}}'


def _items(*parts: str) -> str:
    return f'{{"items": [{",".join(parts)}]}}'


def _is_loading(session: Session) -> bool:
    return session.state in ("starting", "indexing")
