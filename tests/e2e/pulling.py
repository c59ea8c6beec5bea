"""Asking for findings as VS Code does: for an open document when it is opened or edited, for
everything when the server says so. Never otherwise, so that stale findings would show."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from tests.e2e.editor import Editor

_T = TypeVar("_T")
Full = types.RelatedFullDocumentDiagnosticReport | types.WorkspaceFullDocumentDiagnosticReport


class Pulling:
    """The asking side of an editor; what it hears lands in `editor.published`."""

    def __init__(self, editor: Editor) -> None:
        self._editor, self._client = editor, editor.client
        self._tasks: set[asyncio.Task[Any]] = set()
        self._busy: set[str] = set()
        self._again: set[str] = set()
        self.ids: dict[str, str] = {}
        """Result ids by URI."""
        self.refreshes = 0
        self._ended = False
        self._client.protocol.fm._features[types.WORKSPACE_DIAGNOSTIC_REFRESH] = self._refresh

    def document(self, path: str) -> None:
        """Ask for one open document, once more if it is edited meanwhile."""
        if path in self._busy:
            self._again.add(path)
        else:
            self._busy.add(path)
            self._spawn(self._document(path))

    def workspace(self) -> None:
        """Ask for all notes."""
        if "" in self._busy:
            self._again.add("")
        else:
            self._busy.add("")
            self._spawn(self._workspace())

    def end(self) -> None:
        """Ask for nothing more. What was asked is not cancelled: an answer that comes after all
        would be an error in pygls' client."""
        self._ended = True

    def _refresh(self, params: None) -> None:
        self.refreshes += 1
        if self._ended:
            return
        for path in list(self._editor.opened):
            self.document(path)
        self.workspace()

    async def _document(self, path: str) -> None:
        while True:
            self._again.discard(path)
            uri, version = self._editor.uri(path), self._editor.version(path)
            params = types.DocumentDiagnosticParams(
                types.TextDocumentIdentifier(uri), previous_result_id=self.ids.get(uri)
            )
            report = await _kept(self._client.text_document_diagnostic_async(params))
            if path in self._editor.opened and path not in self._again:
                self._take(uri, version, report)
            if path not in self._again:
                self._busy.discard(path)
                return

    async def _workspace(self) -> None:
        while True:
            self._again.discard("")
            known = [types.PreviousResultId(uri, value) for uri, value in self.ids.items()]
            params = types.WorkspaceDiagnosticParams(known)
            found = await _kept(self._client.workspace_diagnostic_async(params))
            opened = {self._editor.uri(path) for path in self._editor.opened}
            for report in found.items:
                if report.uri not in opened:
                    self._take(report.uri, report.version, report)
            if "" not in self._again:
                self._busy.discard("")
                return

    def _take(self, uri: str, version: int | None, report: Any) -> None:
        if not isinstance(report, Full):
            assert self.ids[uri] == report.result_id
            return
        last = [params for params in self._editor.published if params.uri == uri]
        if report.result_id is None:
            self.ids.pop(uri, None)
        else:
            self.ids[uri] = report.result_id
        if last or report.items or uri in map(self._editor.uri, self._editor.opened):
            self._editor.published.append(
                types.PublishDiagnosticsParams(uri, list(report.items), version)
            )

    def _spawn(self, work: Any) -> None:
        async def run() -> None:
            try:
                await work
            except (JsonRpcException, RuntimeError):  # how the end of the server shows
                if not self._client.stopped and not self._ended:
                    raise

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _kept(asked: Coroutine[Any, Any, _T]) -> _T:
    """The answer; the request itself outlives a cancelled waiter, as pygls fails on late answers
    to cancelled ones."""
    request = asyncio.ensure_future(asked)
    request.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(request)
