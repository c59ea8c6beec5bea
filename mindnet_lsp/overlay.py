"""Open documents: their text as the editor has it, parsed once per version."""

from __future__ import annotations

import logging

from core.features.document import Document
from core.model import Note, strip_note_suffix
from core.parse import parse_note
from mindnet_lsp.errors import where

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

    __slots__ = ("_parsed", "path", "text", "uri", "version")

    def __init__(self, uri: str, path: str, version: int, text: str) -> None:
        self.uri, self.path, self.version, self.text = uri, path, version, text
        self._parsed: Document | None = None

    def change(self, version: int, text: str) -> None:
        """The editor's next version."""
        self.version = version
        if text != self.text:
            self.text = text
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
