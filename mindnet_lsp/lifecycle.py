"""initialize, initialized, shutdown: in this order, and nothing slow in the first."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from mindnet_lsp import uris
from mindnet_lsp.client_facts import ClientFacts
from mindnet_lsp.convert import UTF16, Converter
from mindnet_lsp.handlers import pull_diagnostics, semantic_tokens
from mindnet_lsp.log import LOGGERS, ClientLog
from mindnet_lsp.refresh import Refresher
from mindnet_lsp.session import Session
from mindnet_lsp.settings import SECTION

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer

ANSWER_TIMEOUT = 2.0
"""Seconds to wait for the client's settings before going on without them."""
CLIENT_POLL = 5.0
CORE_SETTINGS = ("prefix", "store", "embedding", "llm", "vault")
"""The settings that a core takes at its start."""

_log = logging.getLogger(__name__)


def register(ls: MindnetServer) -> None:
    ls.feature(types.INITIALIZE)(initialize)
    ls.feature(types.INITIALIZED)(initialized)
    ls.feature(types.SHUTDOWN)(shutdown)


def initialize(ls: MindnetServer, params: types.InitializeParams) -> None:
    """Note what the client is and which folders it has. Reads no folder: the answer must
    not wait for a vault."""
    ls.client_log = ClientLog(ls)
    ls.facts = ClientFacts.from_params(params, ls.system_locale())
    if ls.facts.pulls_diagnostics:
        # never both ways: VS Code and Neovim would show everything twice
        ls.publisher = Refresher(ls)
        pull_diagnostics.register(ls)
    semantic_tokens.offer(ls)
    encoding = ls.workspace.position_encoding or UTF16
    ls.convert = Converter(str(getattr(encoding, "value", encoding)))
    # a client in another container has a number that means nothing here
    if params.process_id and _is_alive(params.process_id):
        ls.client_process = params.process_id
    ls.client_settings.set_options(params.initialization_options)
    settings, warnings = ls.client_settings.read()
    folders = [folder.uri for folder in params.workspace_folders or ()]
    if not folders and (params.root_uri or params.root_path):
        folders = [params.root_uri or uris.to_uri(os.path.abspath(params.root_path or ""))]
    for uri in folders:
        add_folder(ls, uri, settings.vault.root)
    for line in warnings:
        _log.warning("%s", line)


def add_folder(ls: MindnetServer, uri: str, vault_root: str | None = None) -> Session | None:
    """A session for a workspace folder; `vault_root` may name another folder in its place."""
    root = None
    if vault_root:
        base = uris.to_path(uri) or os.curdir
        root = os.path.normpath(os.path.join(base, os.path.expanduser(vault_root)))
    session = ls.sessions.add_folder(uri, root)
    if session is not None:
        session.settings, _ = ls.client_settings.read()
    return session


async def initialized(ls: MindnetServer, params: types.InitializedParams) -> None:
    """Now requests to the client are allowed: settings, watchers, then the index."""
    if not ls.facts.pulls_diagnostics:
        # not offered, but whoever asks gets an answer
        pull_diagnostics.register(ls)
    if ls.client_process is not None:
        ls.scheduler.spawn(_end_with_client(ls, ls.client_process), "watching the client")
    # together: a client that answers neither must not delay the index twice
    await asyncio.gather(ls.watching.register(), pull_settings(ls))
    begin_folders(ls)


async def start_folders(ls: MindnetServer) -> None:
    """Put the client's settings in force, then index and follow each folder that is new."""
    await pull_settings(ls)
    begin_folders(ls)


def begin_folders(ls: MindnetServer) -> None:
    """Index and follow each folder that is new."""
    for session in ls.sessions.folders:
        indexing = ls.indexing[session]
        if indexing.begin():
            ls.watching.follow(session, indexing)
            ls.scheduler.spawn(indexing.load(), f"indexing {session.root_uri}")


async def pull_settings(ls: MindnetServer) -> None:
    """Ask the client for the settings of each folder; what changed takes effect at once."""
    sessions = list(ls.sessions)
    answers: list[Any] = [None] * len(sessions)
    if ls.facts.configuration and sessions:
        items = [
            types.ConfigurationItem(None if session.is_single else session.root_uri, SECTION)
            for session in sessions
        ]
        asked = ls.workspace_configuration_async(types.ConfigurationParams(items))
        try:
            # shielded: a late answer to a cancelled request would be an error in pygls
            found = await asyncio.wait_for(
                asyncio.shield(asyncio.ensure_future(asked)), ANSWER_TIMEOUT
            )
            answers = [*found, *answers][: len(sessions)]
        except (JsonRpcException, TimeoutError) as error:
            _log.warning("the client does not say its settings: %s", type(error).__name__)
    for session, answer in zip(sessions, answers, strict=True):
        settings, warnings = ls.client_settings.read(answer)
        _warn(ls, warnings)
        if settings.vault.root != session.settings.vault.root and not session.is_single:
            session = _moved(ls, session, settings.vault.root) or session
        use_settings(ls, session, settings)


def _moved(ls: MindnetServer, session: Session, vault_root: str | None) -> Session | None:
    """The session that takes the place of another whose vault is now elsewhere."""
    uri = session.folder_uri
    ls.sessions.remove_folder(uri)
    moved = add_folder(ls, uri, vault_root) or add_folder(ls, uri)
    ls.sessions.reroute()
    return moved


def use_settings(ls: MindnetServer, session: Session, settings: Any) -> None:
    """Put settings in force; only what they change is done again."""
    previous, session.settings = session.settings, settings
    for name in LOGGERS:
        logging.getLogger(name).setLevel(ls.log_level or settings.log.level.upper())
    indexing = ls.indexing.get(session)
    if settings.vault.ignore != previous.vault.ignore and indexing and session.is_ready:
        indexing.rescan()
    changed = any(getattr(settings, part) != getattr(previous, part) for part in CORE_SETTINGS)
    if changed and session.core is not None:
        session.core.restart()
    if settings.diagnostics != previous.diagnostics or settings.locale != previous.locale:
        ls.publisher.refresh(session)
    if settings.code_lens != previous.code_lens or settings.locale != previous.locale:
        ls.views.ask("code_lens")
    if settings.inlay_hints != previous.inlay_hints or settings.locale != previous.locale:
        ls.views.ask("inlay_hint")


def _warn(ls: MindnetServer, warnings: list[str]) -> None:
    for line in warnings:
        _log.warning("%s", line)
    if warnings:
        ls.window_show_message(
            types.ShowMessageParams(types.MessageType.Warning, "\n".join(warnings))
        )


async def shutdown(ls: MindnetServer, params: None) -> None:
    """End all work; what is derived is safe on disk already."""
    ls.sessions.end()
    ls.watching.end()
    await ls.scheduler.close()
    if ls.client_log is not None:
        ls.client_log.close()


async def _end_with_client(ls: MindnetServer, pid: int) -> None:
    """End when the client has died without closing our input."""
    while _is_alive(pid):  # noqa: ASYNC110  (no event tells of another process' end)
        await asyncio.sleep(CLIENT_POLL)
    _log.error("the client is gone")
    ls.protocol.on_exit()


def _is_alive(pid: int) -> bool:
    """Whether there is a process of this number. On Windows asking would end it."""
    if os.name == "nt":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
