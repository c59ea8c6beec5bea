"""pygls' protocol with the corrections that this server needs, each with its reason."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import lsp_method

from core.errors import MindnetError
from mindnet_lsp.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    SERVER_NOT_INITIALIZED,
    to_rpc,
)
from mindnet_lsp.mailbox import Malformed, is_id
from mindnet_lsp.messages import InvalidMessageError, explain, typed
from mindnet_lsp.prepared import PreparedAnswers

_LITERALS = "text_document.code_action.code_action_literal_support"
_NOTEBOOKS = "notebookDocument/"
_log = logging.getLogger(__name__)


class MindnetProtocol(PreparedAnswers):
    """See each method for what it corrects."""

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self._initialized = False
        self._shutdown_id: Any = None
        self.on_exit: Callable[[], None] = lambda: None
        """Called when the client says `exit`."""
        self.on_answered: Callable[[], None] = lambda: None
        """Called behind the answer to `initialize`."""
        for method in [name for name in self.fm.builtin_features if name.startswith(_NOTEBOOKS)]:
            del self.fm.builtin_features[method]  # not offered

    @property
    def is_shut_down(self) -> bool:
        """Whether `shutdown` was asked for. pygls swallows the exit code, so the program
        asks this to leave with the right one."""
        return self._shutdown

    def receive(self, raw: Any) -> None:
        """Take one message as it came, checked before anything is done. pygls answers nothing
        at all to a request that it cannot read, lets requests before `initialize` and a second
        `initialize` through, and leaves requests after `shutdown` without an answer."""
        if isinstance(raw, Malformed):
            self._refuse(None, PARSE_ERROR, "the message is not JSON", always=True)
        elif not isinstance(raw, dict) or raw.get("jsonrpc") != self.VERSION:
            batch = " (LSP has no batches)" if isinstance(raw, list) else ""
            text = f"the message is no JSON-RPC 2.0 object{batch}"
            number = raw.get("id") if isinstance(raw, dict) and "method" in raw else None
            self._refuse(number if is_id(number) else None, INVALID_REQUEST, text, always=True)
        elif "method" not in raw:
            self._take_answer(raw)
        elif not isinstance(raw["method"], str):
            self._refuse(None, INVALID_REQUEST, "method: must be a string", always=True)
        elif "id" in raw and not is_id(raw["id"]):
            text = "id: must be a string or a whole number"
            self._refuse(None, INVALID_REQUEST, text, always=True)
        else:
            self._take(raw)

    def give_up(self, msg_id: str | int) -> None:
        """A request was cancelled before its turn."""
        self._refuse(msg_id, REQUEST_CANCELLED, "cancelled before it was begun")

    def _take(self, raw: dict[str, Any]) -> None:
        method, msg_id = raw["method"], raw.get("id")
        if self._shutdown and method != types.EXIT:
            self._refuse(msg_id, INVALID_REQUEST, "the server has been shut down")
        elif method == types.INITIALIZE and self._initialized:
            self._refuse(msg_id, INVALID_REQUEST, "the server is initialized already")
        elif not self._initialized and method not in (types.INITIALIZE, types.EXIT):
            self._refuse(msg_id, SERVER_NOT_INITIALIZED, "initialize has not been sent")
        elif msg_id is not None and msg_id in self._request_futures:
            self._refuse(msg_id, INVALID_REQUEST, "id: is in use by a request in flight")
        elif not self._is_known(method):
            self._refuse(msg_id, METHOD_NOT_FOUND, f"Method Not Found: {method}")
        else:
            try:
                message = typed(self._converter, raw)
            except InvalidMessageError as error:
                if msg_id is None:
                    _log.warning("%s is ignored: %s", method, error)
                self._refuse(msg_id, INVALID_PARAMS, f"{method}: {error}")
                return
            first, self._initialized = not self._initialized, True
            self.handle_message(message)
            if first:
                self.on_answered()

    def _is_known(self, method: str) -> bool:
        return (
            method in self.fm.features
            or method in self.fm.builtin_features
            or method == types.CANCEL_REQUEST
        )

    def _take_answer(self, raw: dict[str, Any]) -> None:
        """An answer to a request of ours. pygls would let a client answer its own requests,
        and wait for ever where it cannot read an answer."""
        msg_id = raw.get("id")
        if not is_id(msg_id) or msg_id not in self._result_types:
            return
        kind = self._result_types.pop(msg_id)
        future = self._request_futures.pop(msg_id, None)
        if future is None or future.done():
            return  # given up in the meantime
        try:
            if "error" in raw:
                found = self._converter.structure(raw["error"], types.ResponseError)
                future.set_exception(JsonRpcException.from_error(found))
            elif kind is None:
                future.set_result(raw.get("result"))
            else:
                future.set_result(self._converter.structure(raw, kind).result)
        except Exception as error:  # cattrs raises what its hooks raise
            text = f"the client's answer cannot be read: {explain(error, raw)}"
            future.set_exception(JsonRpcException(text))

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        """The options of code actions are only for clients that take more than commands."""
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        literals = get_capability(params.capabilities, _LITERALS)
        if result.capabilities.code_action_provider and not literals:
            result.capabilities.code_action_provider = True
        return result

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]
        """pygls raises SystemExit in the middle of the event loop. A client that does not
        wait for the answer to `shutdown` gets it nevertheless."""
        pending = self._request_futures.get(self._shutdown_id)
        if pending is None or pending.done():
            self.on_exit()
        else:
            pending.add_done_callback(lambda _: self.on_exit())

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(
        self, params: types.DidChangeWorkspaceFoldersParams
    ) -> Any:
        """Only our sessions know folders; pygls fails on one that it does not know."""
        yield self.fm.features[types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS], (params,), None

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
        self._shutdown_id = current = self.msg_id
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != current and not future.done():
                future.cancel()
        handler = self.fm.features.get(types.SHUTDOWN)
        if handler is not None:
            yield handler, args, None

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

    def _refuse(self, msg_id: Any, code: int, message: str, *, always: bool = False) -> None:
        """An error answer; none to a notification, unless nothing tells whose answer it is."""
        if msg_id is not None or always:
            self._send_response(msg_id, error=types.ResponseError(code, message))
