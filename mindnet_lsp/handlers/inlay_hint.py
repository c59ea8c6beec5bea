"""textDocument/inlayHint and inlayHint/resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.inlay_hint import inlay_hints, kind_tooltip, title_tooltip
from core.features.results import Markup
from core.features.view_results import Hint

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View


def register(ls: MindnetServer) -> None:
    options = types.InlayHintOptions(resolve_provider=True)
    ls.feature(types.TEXT_DOCUMENT_INLAY_HINT, options)(inlay_hint)
    ls.feature(types.INLAY_HINT_RESOLVE)(resolve)


async def inlay_hint(
    ls: MindnetServer, params: types.InlayHintParams
) -> list[types.InlayHint] | None:
    uri = params.text_document.uri
    view = await ls.view_of_large(uri)
    if view is None:
        return None
    if not view.session.settings.inlay_hints.enabled:
        return []
    config = view.session.config
    span = view.convert.span(view.document.lines, params.range)
    hints = inlay_hints(view.index, view.document, span, config.types, config.relations)
    return [_hint(ls, view, uri, hint) for hint in hints]


def resolve(ls: MindnetServer, hint: types.InlayHint) -> types.InlayHint:
    """The tooltip, which may need the text of another note."""
    data = hint.data if isinstance(hint.data, dict) else {}
    view = ls.view(str(data.get("uri", "")))
    if view is not None:
        path, relation = str(data.get("path", "")), str(data.get("relation", ""))
        hint.tooltip = _tooltip(ls, view, path, relation, read=True)
    return hint


def _hint(ls: MindnetServer, view: View, uri: str, hint: Hint) -> types.InlayHint:
    lines, data, tooltip = view.document.lines, None, None
    if ls.facts.resolves_hints:
        data = {"uri": uri, "path": hint.path, "relation": hint.relation}
    else:
        tooltip = _tooltip(ls, view, hint.path, hint.relation, read=False)
    edits = None
    if hint.alias:
        at = view.convert.position(lines, hint.alias_at)
        edits = [types.TextEdit(types.Range(at, at), hint.alias)]
    return types.InlayHint(
        view.convert.position(lines, hint.at),
        hint.label,
        types.InlayHintKind.Type if hint.relation else None,
        edits,
        tooltip,
        padding_left=True,
        data=data,
    )


def _tooltip(
    ls: MindnetServer, view: View, path: str, relation: str, *, read: bool
) -> types.MarkupContent | str | None:
    """`read` allows a look at the file of another note."""
    session, config = view.session, view.session.config
    if relation:
        note, locale = view.document.note, ls.locale(session)
        return kind_tooltip(note, relation, config.types, config.relations, locale)
    target = view.index.get(path)
    if target is None:
        return None
    markup: Markup = "markdown" if ls.facts.markdown_hover else "plaintext"
    text = title_tooltip(target, session.text if read else lambda _: None, markup)
    if markup == "plaintext":
        return text
    return types.MarkupContent(types.MarkupKind.Markdown, text)
