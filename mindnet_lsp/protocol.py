"""pygls' protocol with the corrections that this server needs, each with its reason."""

from __future__ import annotations

import inspect
import logging
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method

from core.errors import MindnetError
from mindnet_lsp.errors import INTERNAL_ERROR, INVALID_REQUEST, SERVER_NOT_INITIALIZED, to_rpc

_log = logging.getLogger(__name__)


class MindnetProtocol(LanguageServerProtocol):
    """See each method for what it corrects."""

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self._initialized = False

    @property
    def is_shut_down(self) -> bool:
        """Whether `shutdown` was asked for. pygls swallows the exit code, so the program
        asks this to leave with the right one."""
        return self._shutdown

    def handle_message(self, message: Any) -> None:
        """pygls lets requests before `initialize` and a second `initialize` through, and
        leaves requests after `shutdown` without any answer."""
        method, msg_id = getattr(message, "method", None), getattr(message, "id", None)
        if method is None:
            super().handle_message(message)
        elif self._shutdown and method != types.EXIT:
            self._refuse(msg_id, INVALID_REQUEST, "the server has been shut down")
        elif method == types.INITIALIZE and self._initialized:
            self._refuse(msg_id, INVALID_REQUEST, "the server is initialized already")
        elif not self._initialized and method not in (types.INITIALIZE, types.EXIT):
            self._refuse(msg_id, SERVER_NOT_INITIALIZED, "initialize has not been sent")
        else:
            self._initialized = True
            super().handle_message(message)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Any:
        """Only our overlay holds texts. pygls' documents split lines at form feeds and
        U+2028, mutate positions, and raise KeyError for a change to an unopened one."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Any:
        """As for `didOpen`."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Any:
        """As for `didOpen`."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """A command takes one JSON object. pygls unpacks arguments, insists on their exact
        number, ignores defaults; and cancelling leaves its body running, because its
        handler is a generator. As a coroutine it is cancelled like any request."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"Unknown command: {params.command}")
        arguments: list[Any] = list(params.arguments or ({},))
        if len(arguments) > 1 or not isinstance(arguments[0], dict):
            raise JsonRpcInvalidParams(f"{params.command}: arguments must be one JSON object")
        given: dict[str, Any] = arguments[0]
        if params.work_done_token is not None:
            given = {"workDoneToken": params.work_done_token, **given}
        result = handler(given)
        return await result if inspect.isawaitable(result) else result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Any:
        """pygls iterates over the requests in flight while cancelling changes them."""
        self._shutdown = True
        current = self.msg_id
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != current and not future.done():
                future.cancel()
        handler = self.fm.features.get(types.SHUTDOWN)
        if handler is not None:
            yield handler, args, None

    def _handle_response(
        self, msg_id: Any, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        """An answer to a request that we gave up would raise InvalidStateError."""
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            self._request_futures.pop(msg_id, None)
            return
        super()._handle_response(msg_id, result, error)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Expected failures get their own code, and no log entry with a traceback."""
        expected = None if future.cancelled() else future.exception()
        if isinstance(expected, MindnetError):
            expected = to_rpc(expected)
        if isinstance(expected, JsonRpcException):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=expected.to_response_error())
            return
        super()._send_handler_result(future, msg_id=msg_id)

    def _send_response(
        self, msg_id: Any, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        """pygls puts the traceback into the answer, which shows paths and texts."""
        if error is not None and error.code == INTERNAL_ERROR:
            error = types.ResponseError(INTERNAL_ERROR, "internal error; see mindnet-lsp's log")
        super()._send_response(msg_id, result, error)

    def _refuse(self, msg_id: Any, code: int, message: str) -> None:
        if msg_id is not None:
            self._send_response(msg_id, error=types.ResponseError(code, message))
