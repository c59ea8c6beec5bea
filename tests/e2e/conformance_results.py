"""What LSP says of each answer: one check per method, on JSON. See `conformance.Client`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.e2e.conformance import Client

Json = Any
OLD_SYMBOLS = set(range(1, 19))
OLD_ITEMS = set(range(1, 19))
"""The kinds that a client knows which lists none."""


def span_of(found: Json) -> tuple[tuple[int, int], tuple[int, int]]:
    start, end = ((found[side]["line"], found[side]["character"]) for side in ("start", "end"))
    assert start <= end, "a range that ends before it starts"
    return start, end


def holds(outer: Json, inner: Json) -> bool:
    (first, last), (start, end) = span_of(outer), span_of(inner)
    return first <= start and end <= last


def _hover(client: Client, found: Json, params: Json) -> None:
    formats = client.has("textDocument.hover.contentFormat") or ["plaintext"]
    assert found["contents"]["kind"] in formats
    assert found["contents"]["value"].strip()
    if "range" in found:
        here = params["position"]
        assert holds(found["range"], {"start": here, "end": here}), "hover beside the cursor"


def _completion(client: Client, found: Json, params: Json) -> None:
    base = "textDocument.completion"
    if isinstance(found, dict):
        allowed = client.lists(f"{base}.completionList.itemDefaults")
        assert set(found.get("itemDefaults") or ()) <= allowed, "itemDefaults"
        assert "applyKind" not in found or client.has(f"{base}.completionList.applyKindSupport")
        found = found["items"]
    for item in found:
        _item(client, item, params)


def _item(client: Client, item: Json, params: Json) -> None:
    base = "textDocument.completion.completionItem"
    needs = {
        "labelDetails": "labelDetailsSupport",
        "commitCharacters": "commitCharactersSupport",
        "preselect": "preselectSupport",
        "insertTextMode": "insertTextModeSupport",
        "deprecated": "deprecatedSupport",
        "tags": "tagSupport",
    }
    for field, capability in needs.items():
        if item.get(field):
            assert client.has(f"{base}.{capability}"), field
    kinds = client.lists("textDocument.completion.completionItemKind.valueSet") or OLD_ITEMS
    assert item.get("kind", 1) in kinds, f"completion item kind {item.get('kind')}"
    if item.get("insertTextFormat", 1) != 1:
        assert client.has(f"{base}.snippetSupport"), "a snippet"
    if "command" in item:
        client.command(item["command"])
    if isinstance(item.get("documentation"), dict):
        formats = client.lists(f"{base}.documentationFormat")
        assert item["documentation"]["kind"] in formats, "documentation format"
    edit = item.get("textEdit")
    if edit is None or "position" not in params:
        return
    ranges = [edit["range"]] if "range" in edit else [edit["insert"], edit["replace"]]
    assert len(ranges) == 1 or client.has(f"{base}.insertReplaceSupport"), "insert and replace"
    here = params["position"]
    for each in ranges:
        assert each["start"]["line"] == each["end"]["line"] == here["line"]
        assert holds(each, {"start": here, "end": here}), "an edit beside the cursor"
    assert ranges[0]["start"] == ranges[-1]["start"]
    assert holds(ranges[-1], ranges[0])


def _resolved_item(client: Client, found: Json, params: Json) -> None:
    _item(client, found, {})
    lazy = client.lists("textDocument.completion.completionItem.resolveSupport.properties")
    _only_lazy(found, params, lazy | {"documentation", "detail"})


def _only_lazy(found: Json, asked: Json, lazy: set[str]) -> None:
    """Resolving fills in what the client asked to have filled in and changes nothing else."""
    for field in {*found, *asked} - lazy:
        assert found.get(field) == asked.get(field), f"resolve changed {field}"


def _locations(client: Client, found: Json, params: Json, name: str) -> None:
    for each in found if isinstance(found, list) else [found]:
        client.location(each, f"textDocument.{name}")


def _references(client: Client, found: Json, params: Json) -> None:
    spans = [(each["uri"], span_of(each["range"])) for each in found]
    assert len(set(spans)) == len(spans), "a reference twice"


def _symbols(client: Client, found: Json, params: Json) -> None:
    base = "textDocument.documentSymbol"
    kinds = client.lists(f"{base}.symbolKind.valueSet") or OLD_SYMBOLS
    for each in found:
        assert each["name"].strip()
        assert each["kind"] in kinds
        assert not each.get("tags") or client.has(f"{base}.tagSupport")
        if "location" in each:
            span_of(each["location"]["range"])
            continue
        assert client.has(f"{base}.hierarchicalDocumentSymbolSupport"), "a symbol tree"
        assert holds(each["range"], each["selectionRange"]), "selectionRange outside range"
        _symbols(client, each.get("children") or [], params)


def _workspace_symbols(client: Client, found: Json, params: Json) -> None:
    kinds = client.lists("workspace.symbol.symbolKind.valueSet") or OLD_SYMBOLS
    for each in found:
        assert each["name"].strip()
        assert each["kind"] in kinds
        assert not each.get("tags") or client.has("workspace.symbol.tagSupport")
        if "range" not in each["location"]:
            lazy = client.lists("workspace.symbol.resolveSupport.properties")
            assert "location.range" in lazy, "a symbol without range"
        if "data" in each:
            assert client.has("workspace.symbol.resolveSupport")


def _actions(client: Client, found: Json, params: Json) -> None:
    for each in found:
        _action(client, each)


def _action(client: Client, found: Json) -> None:
    base = "textDocument.codeAction"
    if isinstance(found.get("command"), str):
        client.command(found)
        return
    assert client.has(f"{base}.codeActionLiteralSupport"), "a code action literal"
    assert found["title"].strip()
    for field, capability in (
        ("isPreferred", "isPreferredSupport"),
        ("disabled", "disabledSupport"),
        ("data", "dataSupport"),
        ("tags", "tagSupport"),
    ):
        if found.get(field) is not None:
            assert client.has(f"{base}.{capability}"), field
    if "edit" in found:
        client.edit(found["edit"])
    elif "command" not in found and "disabled" not in found:
        assert "edit" in client.lists(f"{base}.resolveSupport.properties"), "an edit later"
        assert "data" in found
    if "command" in found:
        client.command(found["command"])
    for each in found.get("diagnostics") or ():
        client.diagnostic(each, "textDocument.diagnostic")


def _resolved_action(client: Client, found: Json, params: Json) -> None:
    _action(client, found)
    _only_lazy(found, params, client.lists("textDocument.codeAction.resolveSupport.properties"))


def _links(client: Client, found: Json, params: Json) -> None:
    for each in found:
        span_of(each["range"])
        assert "target" in each or "data" in each
        assert "tooltip" not in each or client.has("textDocument.documentLink.tooltipSupport")


def _lenses(client: Client, found: Json, params: Json) -> None:
    for each in found if isinstance(found, list) else [found]:
        start, end = span_of(each["range"])
        assert start[0] == end[0], "a lens over several lines"
        assert "command" in each or "data" in each
        if each.get("command", {}).get("command"):
            client.command(each["command"])


def _hints(client: Client, found: Json, params: Json) -> None:
    for each in found if isinstance(found, list) else [found]:
        assert each["label"]
        for part in each["label"] if isinstance(each["label"], list) else ():
            assert part["value"]
            if "command" in part:
                client.command(part["command"])


def _folds(client: Client, found: Json, params: Json) -> None:
    base = "textDocument.foldingRange"
    limit = client.has(f"{base}.rangeLimit")
    assert not limit or len(found) <= limit
    for each in found:
        assert each["startLine"] < each["endLine"]
        if client.has(f"{base}.lineFoldingOnly"):
            assert "startCharacter" not in each
            assert "endCharacter" not in each
        assert "collapsedText" not in each or client.has(f"{base}.foldingRange.collapsedText")
        kinds = client.has(f"{base}.foldingRangeKind.valueSet")
        assert kinds is None or each.get("kind", "region") in kinds


def _selections(client: Client, found: Json, params: Json) -> None:
    assert len(found) == len(params["positions"])
    for each, here in zip(found, params["positions"], strict=True):
        assert holds(each["range"], {"start": here, "end": here})
        while "parent" in each:
            assert holds(each["parent"]["range"], each["range"])
            assert each["parent"]["range"] != each["range"], "the same range twice"
            each = each["parent"]


def _linked(client: Client, found: Json, params: Json) -> None:
    spans = [span_of(each) for each in found["ranges"]]
    assert len({end[1] - start[1] for start, end in spans}) == 1, "ranges of different texts"
    assert all(start[0] == end[0] for start, end in spans)
    here = params["position"]
    assert any(holds(each, {"start": here, "end": here}) for each in found["ranges"])


def _prepared(client: Client, found: Json, params: Json) -> None:
    assert client.has("textDocument.rename.prepareSupport"), "prepareRename"
    if "defaultBehavior" in found:
        assert client.has("textDocument.rename.prepareSupportDefaultBehavior")
        return
    # the brackets around a name are no part of it, but the cursor may be at them
    start, end = span_of(found.get("range", found))
    assert start[0] == end[0] == params["position"]["line"]


def _edit(client: Client, found: Json, params: Json) -> None:
    client.edit(found)


def _tokens(client: Client, found: Json, params: Json) -> None:
    base, legend = "textDocument.semanticTokens", client.server["semanticTokensProvider"]["legend"]
    lists = [found["data"]] if "data" in found else [e.get("data", []) for e in found["edits"]]
    for data in lists:
        assert len(data) % 5 == 0 or "edits" in found
    if "data" not in found:
        return
    last_end = 0
    for at in range(0, len(found["data"]), 5):
        line, char, length, kind, modifiers = found["data"][at : at + 5]
        assert length > 0
        assert kind < len(legend["tokenTypes"])
        assert modifiers < 1 << len(legend["tokenModifiers"])
        if at and not line and not client.has(f"{base}.overlappingTokenSupport"):
            assert char >= last_end, "tokens overlap"
        last_end = length


def _call_items(client: Client, found: Json, params: Json) -> None:
    for each in found:
        assert holds(each["range"], each["selectionRange"])


def _calls(client: Client, found: Json, params: Json) -> None:
    for each in found:
        item = each.get("from") or each["to"]
        assert holds(item["range"], item["selectionRange"])
        assert each["fromRanges"]
        for span in each["fromRanges"]:
            span_of(span)


def _report(client: Client, found: Json, params: Json) -> None:
    reports: Iterable[Json] = found.get("items", ()) if "kind" not in found else [found]
    for each in reports:
        if each["kind"] == "unchanged":
            assert "items" not in each
            continue
        for item in each["items"]:
            client.diagnostic(item, "textDocument.diagnostic")
        if "relatedDocuments" in each:
            assert client.has("textDocument.diagnostic.relatedDocumentSupport")


Check = Callable[["Client", Json, Json], None]

RESULTS: dict[str, Check] = {
    "textDocument/hover": _hover,
    "textDocument/completion": _completion,
    "completionItem/resolve": _resolved_item,
    "textDocument/definition": lambda c, f, p: _locations(c, f, p, "definition"),
    "textDocument/declaration": lambda c, f, p: _locations(c, f, p, "declaration"),
    "textDocument/references": _references,
    "textDocument/documentHighlight": lambda c, f, p: _references(
        c, [{**each, "uri": ""} for each in f], p
    ),
    "textDocument/documentSymbol": _symbols,
    "workspace/symbol": _workspace_symbols,
    "textDocument/codeAction": _actions,
    "codeAction/resolve": _resolved_action,
    "textDocument/documentLink": _links,
    "documentLink/resolve": lambda c, f, p: _links(c, [f], p),
    "textDocument/codeLens": _lenses,
    "codeLens/resolve": _lenses,
    "textDocument/inlayHint": _hints,
    "inlayHint/resolve": _hints,
    "textDocument/foldingRange": _folds,
    "textDocument/selectionRange": _selections,
    "textDocument/linkedEditingRange": _linked,
    "textDocument/prepareRename": _prepared,
    "textDocument/rename": _edit,
    "workspace/willRenameFiles": _edit,
    "textDocument/semanticTokens/full": _tokens,
    "textDocument/semanticTokens/full/delta": _tokens,
    "textDocument/semanticTokens/range": _tokens,
    "textDocument/prepareCallHierarchy": _call_items,
    "callHierarchy/incomingCalls": _calls,
    "callHierarchy/outgoingCalls": _calls,
    "textDocument/diagnostic": _report,
    "workspace/diagnostic": _report,
}
