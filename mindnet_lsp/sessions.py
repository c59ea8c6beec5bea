"""Which vault a document belongs to: one session per folder, the longest enclosing one wins."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from core.vault.scan import is_note_path, is_too_broad
from mindnet_lsp import uris
from mindnet_lsp.session import Session

_log = logging.getLogger(__name__)

Opened = Callable[[Session], None]


class Sessions:
    """The sessions of all folders, and of files that are in none of them."""

    def __init__(self) -> None:
        self._folders: dict[str, Session] = {}
        self._singles: dict[str, Session] = {}
        self._open: dict[str, tuple[Session, str]] = {}
        self.on_open: list[Opened] = []
        """Called with every new session, before anything is in it."""

    def __iter__(self) -> Iterator[Session]:
        yield from self._folders.values()
        yield from self._singles.values()

    @property
    def folders(self) -> list[Session]:
        """The sessions that are folders, by path."""
        return [self._folders[root] for root in sorted(self._folders)]

    def add_folder(self, uri: str, root: str | None = None) -> Session | None:
        """A session for a workspace folder, or for `root` in its place; None where it is no
        folder of this machine, is there already, or is too broad to be meant as a vault."""
        path = root or uris.to_path(uri)
        if path is None or path in self._folders:
            return None
        if not os.path.isdir(path):
            _log.warning("%s is not a folder; it is left out", path)
            return None
        if is_too_broad(Path(path)):
            _log.warning(
                "%s is too broad for a vault and is not read; "
                "open a folder in it, or put an empty folder .mindnet into it",
                path,
            )
            return None
        # as the client spells it, so that what we send is what it knows
        session = Session(Path(path), uri if root is None else uris.to_uri(path))
        session.folder_uri = uri
        self._folders[path] = session
        self._announce(session)
        return session

    def remove_folder(self, uri: str) -> Session | None:
        """End the session of a folder; its open documents are found a new place by the caller."""
        key = uris.key_of(uri)
        for path, session in list(self._folders.items()):
            if uris.key_of(session.folder_uri) == key:
                del self._folders[path]
                session.end()
                return session
        return None

    def find(self, uri: str) -> tuple[Session, str] | None:
        """The session and vault path of a document; None where it is neither open nor a note
        in a folder."""
        key = uris.key_of(uri)
        return self._open.get(key) or self._enclosing(key)

    def folder_of(self, uri: str) -> tuple[Session, str] | None:
        """The folder session that holds a file or folder of any kind, with its vault path."""
        path = uris.to_path(uri)
        return None if path is None else self._in_folder(path)

    def open(self, uri: str, version: int, text: str) -> tuple[Session, str]:
        """A document was opened."""
        key = uris.key_of(uri)
        found = self._enclosing(key)
        if found is None:
            single = Session(None, uri.rpartition("/")[0])
            single.state = "ready"
            self._singles[key] = single
            self._announce(single)
            found = single, uris.name_of(uri)
        session, path = found
        session.open(uri, path, version, text)
        self._open[key] = found
        return found

    def close(self, uri: str) -> tuple[Session, str] | None:
        """A document was closed; None where it was not open."""
        key = uris.key_of(uri)
        found = self._open.pop(key, None)
        if found is None:
            return None
        session, path = found
        session.close(path)
        if self._singles.pop(key, None) is not None:
            session.end()
        return found

    def find_open(self, uri: str) -> tuple[Session, str] | None:
        """The session and vault path of an open document; None where it is not open."""
        return self._open.get(uris.key_of(uri))

    def reroute(self) -> None:
        """Find every open document its session anew, after folders came or went."""
        for key, (session, path) in list(self._open.items()):
            document = session.documents[path]
            target = self._enclosing(key)
            if target is not None and target[0] is session:
                continue
            if target is None and session.is_single:
                continue
            self.close(document.uri)
            self.open(document.uri, document.version, document.raw)

    def end(self) -> None:
        """End all sessions."""
        for session in self:
            session.end()

    def _announce(self, session: Session) -> None:
        for opened in self.on_open:
            opened(session)

    def _enclosing(self, path: str) -> tuple[Session, str] | None:
        found = self._in_folder(path)
        if found is None or not is_note_path(found[1]):
            return None
        try:
            found[1].encode()
        except UnicodeEncodeError:  # a name that is no text; a scan leaves it out, too
            return None
        return found

    def _in_folder(self, path: str) -> tuple[Session, str] | None:
        if not os.path.isabs(path):
            return None
        for spelling, resolve in ((path, False), (os.path.realpath(path), True)):
            for root in sorted(self._folders, key=len, reverse=True):
                base = os.path.realpath(root) if resolve else root
                relative = uris.below(base, spelling)
                if relative:
                    return self._folders[root], relative
        return None
