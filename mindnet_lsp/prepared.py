"""Answers that are JSON text already: made in a worker thread, sent as they are.

Turning ten thousand reports into JSON on the event loop would hold up everything else.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol


class Json(str):
    """A result as ASCII JSON text, as `json.dumps` makes it."""

    __slots__ = ()


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
