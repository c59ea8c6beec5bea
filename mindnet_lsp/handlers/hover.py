"""textDocument/hover."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from core.features import hover as feature
from core.features.document import Document
from core.features.hover_context import HoverContext, SmartSource
from core.features.results import Markup
from core.vault.index import VaultIndex

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_HOVER)(hover)


async def hover(ls: MindnetServer, params: types.HoverParams) -> types.Hover | None:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    markup: Markup = "markdown" if ls.facts.markdown_hover else "plaintext"
    context = hover_context(ls, view.session, view.index, view.document, markup)
    found = feature.hover(context, view.offset(params.position))
    if found is None:
        return None
    content = types.MarkupContent(types.MarkupKind(context.markup), found.text)
    return types.Hover(content, view.range(found.span))


def hover_context(
    ls: MindnetServer, session: Session, index: VaultIndex, document: Document, markup: Markup
) -> HoverContext:
    """What a text about something in the vault is written from."""

    def size_of(path: str) -> int | None:
        if session.root is None:
            return None
        try:
            return Path(session.root, path).stat().st_size
        except OSError:
            return None

    return HoverContext(
        index,
        document,
        session.settings.hover,
        session.config.relations,
        session.config.types,
        ls.locale(session),
        session.text,
        markup,
        size_of,
        session.uri if ls.facts.hover_images else lambda path: None,
        lambda: ls.suggestions.of(session, index, document),
        lambda path: [
            SmartSource(link["path"], link["kind"], link["confidence"])
            for link in ls.smart_links.known(session, path)
        ],
    )
