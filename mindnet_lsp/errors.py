"""What goes wrong at the edge: codes for our errors, and log lines without note text."""

from __future__ import annotations

import traceback

from pygls.exceptions import JsonRpcException

from core.errors import Cancelled, InvalidArguments, MindnetError

PARSE_ERROR = -32700
SERVER_NOT_INITIALIZED = -32002
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REQUEST_CANCELLED = -32800
CONTENT_MODIFIED = -32801
REQUEST_FAILED = -32803


def to_rpc(error: MindnetError) -> JsonRpcException:
    """The JSON-RPC error of an expected failure."""
    if isinstance(error, InvalidArguments):
        code = INVALID_PARAMS
    elif isinstance(error, Cancelled):
        code = REQUEST_CANCELLED
    else:
        code = REQUEST_FAILED
    message = f"{error.message}. {error.hint}" if error.hint else error.message
    return JsonRpcException(message, code, data={"code": error.code})


def where(error: BaseException) -> str:
    """Type and place of an error. Not its message, and no arguments: both may hold text of
    a note."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    last = frames[-1]
    return f"{type(error).__name__} in {last.name} ({last.filename}:{last.lineno})"
