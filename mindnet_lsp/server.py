"""The language server object: what handlers share, put together."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from core.features.document import Document
from core.locale import Locale, locale_of
from core.model import Span
from core.vault.index import VaultIndex
from core.version import __version__
from mindnet_lsp import lifecycle
from mindnet_lsp.client_facts import ClientFacts
from mindnet_lsp.convert import Converter
from mindnet_lsp.errors import where
from mindnet_lsp.findings import Findings
from mindnet_lsp.handlers import (
    actions,
    call_hierarchy,
    chat,
    code_lens,
    commands,
    completion,
    configuration,
    document_link,
    drafting,
    drafts,
    feedback,
    file_operations,
    files,
    folding,
    highlight,
    hover,
    inlay_hint,
    links_commands,
    navigation,
    new_note,
    rename,
    suggestions,
    symbols,
    text_sync,
)
from mindnet_lsp.indexing import Indexing
from mindnet_lsp.log import ClientLog
from mindnet_lsp.mention_cache import MentionCache
from mindnet_lsp.messages import strict_converter
from mindnet_lsp.model import ask_of
from mindnet_lsp.overlay import parse_safely
from mindnet_lsp.protocol import MindnetProtocol
from mindnet_lsp.publish import Publisher, Teller
from mindnet_lsp.saved_drafts import SavedDrafts
from mindnet_lsp.schedule import Scheduler
from mindnet_lsp.session import Session, State
from mindnet_lsp.sessions import Sessions
from mindnet_lsp.settings import ClientSettings
from mindnet_lsp.smart_links import SmartLinks
from mindnet_lsp.status import STATUS_METHOD, status_of
from mindnet_lsp.suggestions import Suggestions
from mindnet_lsp.token_results import TokenResults
from mindnet_lsp.view_refresh import ViewRefresh
from mindnet_lsp.watch import Watching

if TYPE_CHECKING:
    from core.chat.ports import Ask

LARGE = 100_000
"""Characters from which a document is parsed off the event loop."""

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class View:
    """What a request about one document works on: a snapshot that does not change."""

    session: Session
    index: VaultIndex
    document: Document
    convert: Converter

    def offset(self, position: types.Position) -> int:
        """The offset of a position in the document."""
        return self.convert.offset(self.document.lines, position)

    def range(self, span: Span) -> types.Range:
        """The range of a span of the document."""
        return self.convert.range(self.document.lines, span)


class MindnetServer(LanguageServer):
    """One connection to one editor window."""

    protocol: MindnetProtocol

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        super().__init__(
            "mindnet-lsp",
            __version__,
            # not Full: VS Code's client sends a whole text late, with letters that were typed
            # after the request that it is meant for. We apply changes ourselves (text_sync),
            # as pygls corrupts texts with U+2028
            text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
            protocol_cls=MindnetProtocol,
            converter_factory=strict_converter,
        )
        self.environ: Mapping[str, str] = os.environ if environ is None else environ
        self.facts = ClientFacts()
        self.log_level: str | None = None
        """The level of the command line, which goes before the setting."""
        self.convert = Converter()
        self.client_log: ClientLog | None = None
        self.client_process: int | None = None
        """The client's process, if it can be seen from here."""
        self.scheduler = Scheduler()
        self.sessions = Sessions()
        self.mention_names = MentionCache()
        self.saved_drafts = SavedDrafts()
        self.asks: Callable[[Session], Ask | None] = partial(ask_of, self)
        """The language model that writes drafts of a vault, None where none is wanted."""
        self.client_settings = ClientSettings(self.environ)
        self.publisher: Teller = Publisher(self)
        self.findings: dict[Session, Findings] = {}
        """For clients that ask for diagnostics."""
        self.views = ViewRefresh(self)
        self.suggestions = Suggestions(self)
        self.smart_links = SmartLinks(self)
        self.token_results = TokenResults()
        self.watching = Watching(self)
        self.indexing: dict[Session, Indexing] = {}
        self._reported: set[str] = set()
        self.sessions.on_open.insert(0, self._opened)

    def view(self, uri: str) -> View | None:
        """The document of a request with everything typed so far in it; None for one that is
        neither open nor a readable note of a vault."""
        found = self.sessions.find(uri)
        if found is None:
            return None
        session, path = found
        index, document = session.snapshot(), session.document(path)
        if document is None:
            return None
        return View(session, index, document, self.convert)

    async def view_of_large(self, uri: str) -> View | None:
        """As `view`; large documents are parsed off the event loop."""
        found = self.sessions.find(uri)
        if found is not None:
            await self.parse_large(found[0], found[0].documents)
        return self.view(uri)

    async def off_loop(self, view: View, work: Callable[..., _T], *args: Any) -> _T:
        """Call `work`, in a worker thread where the document of `view` is large."""
        if len(view.document.text) > LARGE:
            return await self.scheduler.in_thread(work, *args)
        return work(*args)

    async def parse_large(self, session: Session, paths: Iterable[str]) -> None:
        """Parse the large ones of these open documents off the event loop."""
        for path in list(paths):
            opened = session.documents.get(path)
            if opened is not None and not opened.is_parsed and len(opened.text) > LARGE:
                text = opened.text
                note = await self.scheduler.in_thread(parse_safely, path, text)
                opened.accept(Document.of(note, text))

    def locale(self, session: Session) -> Locale:
        """The language to speak: the setting, else the editor's, else the system's."""
        wanted = session.settings.locale
        return self.facts.locale if wanted == "auto" else wanted

    def system_locale(self) -> Locale:
        """The language that the environment names."""
        names = ("LC_ALL", "LC_MESSAGES", "LANG")
        return locale_of(next((self.environ[name] for name in names if self.environ.get(name)), ""))

    def set_state(self, session: Session, state: State, error: str | None = None) -> None:
        """A session's index is in another state; the client hears of it."""
        session.state, session.last_error = state, error
        self.notify_status(session)

    def notify_status(self, session: Session) -> None:
        """Send `mindnet/status`; call it when any part of the status changed."""
        self.protocol.notify(STATUS_METHOD, status_of(session))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log a kind of error once, without its text. pygls shows a popup each time, and logs
        parameters, which hold text of notes."""
        # pygls wraps what happened without keeping it as the cause
        line = where(sys.exc_info()[1] or error)
        if line not in self._reported:
            self._reported.add(line)
            _log.error("internal error: %s", line)

    def _opened(self, session: Session) -> None:
        self.findings[session] = Findings(self, session)
        session.hooks.append(self.findings[session].on_change)
        session.hooks.append(self.publisher.on_change)
        session.hooks.append(self.views.on_change)
        session.closers.append(lambda: self.publisher.forget(session))
        session.closers.append(lambda: self.findings.pop(session, None))
        if not session.is_single:
            self.indexing[session] = Indexing(self, session)
            session.closers.append(lambda: self.indexing.pop(session, None))


def create_server(environ: Mapping[str, str] | None = None) -> MindnetServer:
    """A server with all its features, not yet connected to anything."""
    server = MindnetServer(environ)
    for module in (
        lifecycle,
        text_sync,
        completion,
        hover,
        navigation,
        rename,
        symbols,
        highlight,
        document_link,
        links_commands,
        code_lens,
        inlay_hint,
        folding,
        call_hierarchy,
        actions,
        new_note,
        drafts,
        drafting,
        chat,
        files,
        file_operations,
        configuration,
        commands,
        suggestions,
        feedback,
    ):
        module.register(server)
    return server
