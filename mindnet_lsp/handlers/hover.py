"""textDocument/hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from core.features import hover as feature
from core.features.results import Markup

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_HOVER)(hover)


def hover(ls: MindnetServer, params: types.HoverParams) -> types.Hover | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    session = view.session
    markup: Markup = "markdown" if ls.facts.markdown_hover else "plaintext"
    found = feature.hover(
        view.index,
        view.document,
        view.offset(params.position),
        session.settings.hover,
        session.config.relations,
        ls.locale(session),
        session.text,
        markup,
    )
    if found is None:
        return None
    content = types.MarkupContent(types.MarkupKind(markup), found.text)
    return types.Hover(content, view.range(found.span))
