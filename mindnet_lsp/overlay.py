"""Open documents: their text as the editor has it, parsed once per version."""

from __future__ import annotations

import logging
import re

from core.features.document import Document
from core.model import Note, strip_note_suffix
from core.parse import parse_note
from mindnet_lsp.errors import where

_HALF = re.compile("[\ud800-\udfff]")
_log = logging.getLogger(__name__)


def parse_safely(path: str, text: str) -> Note:
    """The parsed note; a bare one where the parser fails, so that the server lives on."""
    try:
        return parse_note(path, text)
    except Exception as error:  # a defect of ours must not take the editor's features down
        _log.error("the parser failed on %s: %s", path, where(error))
        return Note(path, strip_note_suffix(path.rpartition("/")[2]))


class OpenDocument:
    """A document between `didOpen` and `didClose`. `path` is its vault path.

    Parsing waits until somebody asks, so a burst of changes is parsed once.
    """

    __slots__ = ("_parsed", "path", "raw", "text", "uri", "version")

    def __init__(self, uri: str, path: str, version: int, text: str) -> None:
        self.uri, self.path, self.version = uri, path, version
        self.raw = text
        """As the client has it. `text` is what all else works on: no half of a surrogate pair
        is in it, which could be written nowhere; positions are the same."""
        self.text = _writable(text)
        self._parsed: Document | None = None

    def change(self, version: int, text: str) -> None:
        """The editor's next version."""
        self.version = version
        if text != self.raw:
            self.raw, self.text = text, _writable(text)
            self._parsed = None

    @property
    def is_parsed(self) -> bool:
        return self._parsed is not None

    @property
    def document(self) -> Document:
        """The text with its lines and its note; of this very version."""
        if self._parsed is None:
            self._parsed = Document.of(parse_safely(self.path, self.text), self.text)
        return self._parsed

    def accept(self, document: Document) -> bool:
        """Take a parse that was made elsewhere; refused if the text has changed since."""
        if document.text != self.text:
            return False
        self._parsed = document
        return True


def _writable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return _HALF.sub("\ufffd", text)
    return text
