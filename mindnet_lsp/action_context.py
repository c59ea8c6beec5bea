"""What code actions and new notes need to know of a session, its settings and the client."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.action_context import ActionContext
from core.features.document import Document
from core.features.templates import Moment
from core.vault.index import VaultIndex
from mindnet_lsp.new_files import CONFIG_FILES, is_taken

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session


def context_of(
    ls: MindnetServer,
    session: Session,
    index: VaultIndex,
    document: Document,
    asked: types.CodeActionContext | None = None,
) -> ActionContext:
    """The context of actions for an open document; without `asked`, of a change that is made
    now. Runs in a thread: it may wait until the vault's names are prepared. A light bulb takes
    those that are there.
    """
    config, settings = session.config, session.settings
    only = [getattr(kind, "value", kind) for kind in (asked.only or ())] if asked else []
    kind = asked.trigger_kind if asked else None
    automatic = kind is types.CodeActionTriggerKind.Automatic and not only
    names = ls.mention_names.latest(session)
    if not automatic:
        names = ls.mention_names.fresh(session, index.names, ls.scheduler.stopping)
    return ActionContext(
        index,
        document,
        lambda path: _text(session, path),
        ls.locale(session),
        settings.drafts.folder,
        settings.templates.folder,
        config.relations,
        config.types,
        config.templates,
        moment(),
        names,
        lambda name: not only or any(_is_below(name, wish) for wish in only),
        session.exists if asked else lambda path: is_taken(session, path),
        automatic,
        bool(only),
        ls.suggestions.of(session, index, document),
    )


def moment() -> Moment:
    """The local time now."""
    now = datetime.now()
    return Moment(*now.timetuple()[:6], now.weekday())


def _is_below(kind: str, wanted: str) -> bool:
    return not wanted or kind == wanted or kind.startswith(f"{wanted}.")


def _text(session: Session, path: str) -> str | None:
    """The text of a note, or of the vault's own configuration."""
    if path not in CONFIG_FILES or session.root is None:
        return session.text(path)
    try:
        return (session.root / path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
