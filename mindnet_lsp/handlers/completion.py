"""textDocument/completion and completionItem/resolve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.features import completion as feature
from core.features.results import CompletionItem, Markup

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View

_KINDS = {
    "note": types.CompletionItemKind.File,
    "alias": types.CompletionItemKind.Reference,
    "heading": types.CompletionItemKind.Module,
    "block": types.CompletionItemKind.Reference,
    "relation": types.CompletionItemKind.Interface,
    "tag": types.CompletionItemKind.Keyword,
}


def register(ls: MindnetServer) -> None:
    options = types.CompletionOptions(
        trigger_characters=list(feature.TRIGGERS), resolve_provider=True
    )
    ls.feature(types.TEXT_DOCUMENT_COMPLETION, options)(completion)
    ls.feature(types.COMPLETION_ITEM_RESOLVE)(resolve)


def completion(ls: MindnetServer, params: types.CompletionParams) -> types.CompletionList | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    session = view.session
    found = feature.complete(
        view.index,
        view.document,
        view.offset(params.position),
        session.settings.completion,
        session.config.relations,
        ls.locale(session),
        session.text,
    )
    # an index that still grows may have more to offer at the next letter
    incomplete = found.incomplete or not session.is_ready
    return types.CompletionList(incomplete, [_item(ls, view, item) for item in found.items])


def resolve(ls: MindnetServer, item: types.CompletionItem) -> types.CompletionItem:
    """Add what only the item that is looked at needs: the text of its note."""
    data: Any = item.data
    found = ls.sessions.find(data["uri"]) if isinstance(data, dict) and "uri" in data else None
    if found is None:
        return item
    session, _ = found
    markup: Markup = "markdown" if ls.facts.markdown_completion else "plaintext"
    text = feature.documentation(
        session.snapshot(),
        str(data.get("path", "")),
        str(data.get("anchor", "")),
        session.text,
        markup,
    )
    if not text:
        return item
    item.documentation = text
    if ls.facts.markdown_completion or ls.facts.plaintext_completion:
        item.documentation = types.MarkupContent(types.MarkupKind(markup), text)
    return item


def _item(ls: MindnetServer, view: View, item: CompletionItem) -> types.CompletionItem:
    facts = ls.facts
    insert, replace = view.range(item.insert), view.range(item.replace)
    edit: types.TextEdit | types.InsertReplaceEdit
    if facts.insert_replace and insert != replace:
        edit = types.InsertReplaceEdit(item.new_text, insert, replace)
    else:
        edit = types.TextEdit(replace, item.new_text)
    details = None
    if facts.label_details and (item.detail or item.description):
        details = types.CompletionItemLabelDetails(
            f" {item.detail}" if item.detail else None, item.description or None
        )
    plain = " · ".join(part for part in (item.detail, item.description) if part)
    data = {"uri": view.session.uri(view.document.path), "path": item.path, "anchor": item.anchor}
    return types.CompletionItem(
        item.label,
        details,
        _KINDS[item.kind],
        detail=None if details else plain or None,
        sort_text=item.sort_text,
        filter_text=item.filter_text,
        text_edit=edit,
        data=data if item.path else None,
    )
