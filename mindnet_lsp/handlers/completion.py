"""textDocument/completion and completionItem/resolve."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.features import completion as feature
from core.features.completion_context import CompletionContext
from core.features.completion_resolve import documentation
from core.features.document import Document
from core.features.results import CompletionItem, Markup, VaultEdit
from core.model import Note
from mindnet_lsp.handlers.actions import APPLY
from mindnet_lsp.handlers.hover import hover_context
from mindnet_lsp.workspace_edit import text_edits, workspace_edit

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View

_KINDS = {
    "note": types.CompletionItemKind.File,
    "file": types.CompletionItemKind.File,
    "missing": types.CompletionItemKind.Event,
    "alias": types.CompletionItemKind.Reference,
    "heading": types.CompletionItemKind.Module,
    "block": types.CompletionItemKind.Reference,
    "relation": types.CompletionItemKind.Interface,
    "tag": types.CompletionItemKind.Keyword,
    "callout": types.CompletionItemKind.Struct,
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
    "type": types.CompletionItemKind.EnumMember,
}
_FIRST_KINDS = {
    "missing": types.CompletionItemKind.File,
    "callout": types.CompletionItemKind.Class,
    "type": types.CompletionItemKind.Value,
}
"""For clients that know only the kinds of the protocol's first version."""
_BLANK = re.compile(r"\s")
_SPECIAL = re.compile(r"[\\$}]")
"""Characters that mean something in a snippet."""
SUGGEST = "editor.action.triggerSuggest"
"""VS Code's own command; it never comes to the server."""


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
    session, offset = view.session, view.offset(params.position)
    context = CompletionContext(
        view.index,
        view.document,
        session.settings.completion,
        session.config.relations,
        session.config.types,
        ls.locale(session),
        session.text,
        tuple(path for path in session.recent() if path != view.document.path),
        date.today().isoformat(),
        ls.facts.runs_item_commands,
        ls.suggestions.near(session, view.document, offset) if _opens(view, offset) else (),
    )
    found = feature.complete(context, offset)
    # an index that still grows may have more to offer at the next letter
    incomplete = found.incomplete or not session.is_ready
    if ls.facts.filters_by_prefix and found.items:
        incomplete = True
    return types.CompletionList(incomplete, [_item(ls, view, item) for item in found.items])


def resolve(ls: MindnetServer, item: types.CompletionItem) -> types.CompletionItem:
    """Add what only the item that is looked at needs: what it stands for."""
    data: Any = item.data
    found = ls.sessions.find(data["uri"]) if isinstance(data, dict) and "uri" in data else None
    if found is None:
        return item
    session, path = found
    markup: Markup = "markdown" if ls.facts.markdown_completion else "plaintext"
    nowhere = Document.of(Note(path, ""), "")
    context = hover_context(ls, session, session.snapshot(), nowhere, markup)
    kind, name, target, anchor = (
        str(data.get(part, "")) for part in ("kind", "name", "path", "anchor")
    )
    text = documentation(context, kind, name, target, anchor)
    if not text:
        return item
    item.documentation = text
    if ls.facts.markdown_completion or ls.facts.plaintext_completion:
        item.documentation = types.MarkupContent(types.MarkupKind(markup), text)
    return item


def _opens(view: View, offset: int) -> bool:
    """Whether a link was just opened: only then a meaning is looked for."""
    return view.document.text[max(0, offset - 2) : offset] == "[["


def _item(ls: MindnetServer, view: View, item: CompletionItem) -> types.CompletionItem:
    facts = ls.facts
    insert, replace = view.range(item.insert), view.range(item.replace)
    edit: types.TextEdit | types.InsertReplaceEdit
    text, is_snippet = item.new_text, False
    if facts.cuts_at_blanks and _BLANK.search(text):
        text, is_snippet = _SPECIAL.sub(r"\\\g<0>", text), True
    if facts.insert_replace and insert != replace:
        edit = types.InsertReplaceEdit(text, insert, replace)
    else:
        edit = types.TextEdit(replace, text)
    typed = view.document.text[item.insert.start : item.insert.end]
    passes = not facts.filters_by_prefix or item.filter_text.startswith(typed)
    details = None
    if facts.label_details and (item.detail or item.description):
        details = types.CompletionItemLabelDetails(
            f" {item.detail}" if item.detail else None, item.description or None
        )
    plain = " · ".join(part for part in (item.detail, item.description) if part)
    data = {"uri": view.session.uri(view.document.path), "kind": item.kind}
    data |= {"name": item.name} if item.name and not item.path else {}
    data |= {"path": item.path, "anchor": item.anchor} if item.path else {}
    here, command = _elsewhere(ls, view, item)
    return types.CompletionItem(
        item.label,
        details,
        _kind(ls, item.kind),
        detail=None if details else plain or None,
        sort_text=item.sort_text,
        filter_text=item.filter_text if passes else None,
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else None,
        text_edit=edit,
        additional_text_edits=here,
        command=command,
        data=data,
    )


def _elsewhere(
    ls: MindnetServer, view: View, item: CompletionItem
) -> tuple[list[types.TextEdit] | None, types.Command | None]:
    """What accepting the item changes besides: in this note as edits, in another by a command,
    as the protocol has additional edits for one document only."""
    if item.edits:
        own = view.document.path
        if all(edit.path == own for edit in item.edits):
            return text_edits(ls, view.session, item.edits)[own], None
        edit = workspace_edit(ls, view.session, VaultEdit(item.edits))
        arguments = {"edit": ls.protocol._converter.unstructure(edit)}
        return None, types.Command(item.label, APPLY, arguments=[arguments])
    if item.again and ls.facts.suggests_again:
        return None, types.Command(item.label, SUGGEST)
    return None, None


def _kind(ls: MindnetServer, name: str) -> types.CompletionItemKind:
    kind = _KINDS[name]
    return kind if kind.value in ls.facts.item_kinds else _FIRST_KINDS[name]
