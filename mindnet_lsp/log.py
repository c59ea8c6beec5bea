"""Log lines for the editor: window/logMessage, at the level of the loggers."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

LOGGERS = ("mindnet_lsp", "core")


class ClientLog(logging.Handler):
    """Sends records to the client, from any thread, until it is closed."""

    def __init__(self, ls: MindnetServer) -> None:
        super().__init__()
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        for name in LOGGERS:
            logging.getLogger(name).addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        message = types.LogMessageParams(_type(record.levelno), record.getMessage())
        if threading.get_ident() == self._thread:
            self._ls.window_log_message(message)
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ls.window_log_message, message)

    def close(self) -> None:
        for name in LOGGERS:
            logging.getLogger(name).removeHandler(self)
        super().close()


def _type(level: int) -> types.MessageType:
    if level >= logging.ERROR:
        return types.MessageType.Error
    if level >= logging.WARNING:
        return types.MessageType.Warning
    return types.MessageType.Info if level >= logging.INFO else types.MessageType.Log
