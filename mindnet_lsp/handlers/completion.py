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
from core.model import Note, Span
from mindnet_lsp.handlers.actions import APPLY
from mindnet_lsp.handlers.hover import hover_context
from mindnet_lsp.prepared import Json, prepared, range_of
from mindnet_lsp.workspace_edit import text_edits, workspace_edit

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View

Raw = dict[str, Any]

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


def completion(ls: MindnetServer, params: types.CompletionParams) -> Json | None:
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
    ranges: dict[Span, Raw] = {}  # mostly the same two
    items = [_item(ls, view, item, ranges) for item in found.items]
    return prepared({"isIncomplete": incomplete, "items": items})


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


def _item(ls: MindnetServer, view: View, item: CompletionItem, ranges: dict[Span, Raw]) -> Raw:
    """A `CompletionItem`."""
    facts = ls.facts
    for span in (item.insert, item.replace):
        if span not in ranges:
            ranges[span] = range_of(view.convert.numbers(view.document.lines, span))
    insert, replace = ranges[item.insert], ranges[item.replace]
    text, is_snippet = item.new_text, False
    if facts.cuts_at_blanks and _BLANK.search(text):
        text, is_snippet = _SPECIAL.sub(r"\\\g<0>", text), True
    edit: Raw = {"range": replace, "newText": text}
    if facts.insert_replace and insert != replace:
        edit = {"newText": text, "insert": insert, "replace": replace}
    typed = view.document.text[item.insert.start : item.insert.end]
    passes = not facts.filters_by_prefix or item.filter_text.startswith(typed)
    shown: Raw = {"label": item.label}
    if facts.label_details and (item.detail or item.description):
        details = shown["labelDetails"] = {}
        if item.detail:
            details["detail"] = f" {item.detail}"
        if item.description:
            details["description"] = item.description
    shown["kind"] = _kind(ls, item.kind).value
    plain = " · ".join(part for part in (item.detail, item.description) if part)
    if plain and "labelDetails" not in shown:
        shown["detail"] = plain
    shown["sortText"] = item.sort_text
    if passes:
        shown["filterText"] = item.filter_text
    if is_snippet:
        shown["insertTextFormat"] = types.InsertTextFormat.Snippet.value
    shown["textEdit"] = edit
    here, command = _elsewhere(ls, view, item)
    if here is not None:
        shown["additionalTextEdits"] = ls.protocol._converter.unstructure(here)
    if command is not None:
        shown["command"] = ls.protocol._converter.unstructure(command)
    data = {"uri": view.session.uri(view.document.path), "kind": item.kind}
    data |= {"name": item.name} if item.name and not item.path else {}
    data |= {"path": item.path, "anchor": item.anchor} if item.path else {}
    shown["data"] = data
    return shown


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
