"""Answers that are JSON text already, sent as they are.

Ten thousand reports are turned into JSON in a worker thread, as that would hold up everything
else. Long answers that a person waits for are made of plain values: as lsprotocol's objects,
each with its positions checked and then turned into a dictionary again, they cost three times
more.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Iterable
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol

from mindnet_lsp.convert import Numbers


class Json(str):
    """A result as ASCII JSON text, as `json.dumps` makes it."""

    __slots__ = ()


def prepared(answer: Any) -> Json:
    """An answer that is plain JSON values already."""
    return Json(json.dumps(answer))


def range_of(numbers: Numbers) -> dict[str, dict[str, int]]:
    """A `Range` as plain values."""
    line, column, end_line, end_column = numbers
    return {
        "start": {"line": line, "character": column},
        "end": {"line": end_line, "character": end_column},
    }


def locations(places: Iterable[tuple[str, Numbers]]) -> Json:
    """`Location[]` from URIs and ranges, of which there may be thousands."""
    quoted: dict[str, str] = {}
    found = []
    for uri, (line, column, end_line, end_column) in places:
        shown = quoted.get(uri)
        if shown is None:
            shown = quoted[uri] = json.dumps(uri)
        found.append(
            f'{{"uri": {shown}, "range": {{"start": {{"line": {line}, "character": {column}}}, '
            f'"end": {{"line": {end_line}, "character": {end_column}}}}}}}'
        )
    return Json(f"[{', '.join(found)}]")


class PreparedAnswers(LanguageServerProtocol):
    """The part of the protocol that sends them."""

    def send_json(self, method: str, params: str) -> None:
        """Send a notification whose parameters are JSON text."""
        self._write(f'{{"jsonrpc": "2.0", "method": {json.dumps(method)}, "params": {params}}}')

    def _send_response(
        self, msg_id: Any, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        if error is None and isinstance(result, Json):
            self._result_types.pop(msg_id, None)
            self._write(f'{{"jsonrpc": "2.0", "id": {json.dumps(msg_id)}, "result": {result}}}')
            return
        super()._send_response(msg_id, result, error)

    def _write(self, body: str) -> None:
        if self.writer is None:
            return
        head = f"Content-Length: {len(body)}\r\nContent-Type: {self.CONTENT_TYPE}; charset=utf-8"
        sent = self.writer.write(f"{head}\r\n\r\n{body}".encode("ascii"))
        if inspect.isawaitable(sent):
            self._sending = asyncio.ensure_future(sent)
