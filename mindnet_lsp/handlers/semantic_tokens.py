"""textDocument/semanticTokens/{full,full/delta,range}."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.semantic_tokens import semantic_tokens
from core.features.view_results import TokenType
from core.model import Span
from mindnet_lsp.client_facts import TokenFacts
from mindnet_lsp.token_results import edits

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View

NAMES: dict[TokenType, tuple[str, ...]] = {
    "note": ("class", "type", "namespace", "variable"),
    # dim, as what is not there yet; struck out, as `deprecated` often is, it would look deleted
    "missing": ("comment", "string"),
    "file": ("namespace", "string", "class"),
    "heading": ("property", "variable"),
    "block": ("label", "enumMember", "variable"),
    "alias": ("string", "parameter"),
    "relation": ("keyword", "operator", "modifier", "type"),
    "field": ("property", "variable"),
    "tag": ("decorator", "macro", "function"),
    "callout": ("macro", "keyword", "type"),
    "title": ("class", "type", "keyword"),
    "key": ("property", "variable"),
    "value": ("string",),
    "code": ("string", "macro"),
    "comment": ("comment",),
}
"""For each type of ours the standard names that themes colour, best first."""

DEFINES = ("definition", "declaration")


class Legend:
    """The numbers of types and modifiers for one client; only names that it knows are used."""

    def __init__(self, facts: TokenFacts) -> None:
        best = {
            own: next((name for name in names if name in facts.types), None)
            for own, names in NAMES.items()
        }
        self.names = [name for name in dict.fromkeys(best.values()) if name is not None]
        self.modifiers = [name for name in DEFINES if name in facts.modifiers][:1]
        self.numbers = {
            own: self.names.index(name) for own, name in best.items() if name is not None
        }


def offer(ls: MindnetServer) -> None:
    """Offer those requests that the client makes, with the names that it knows. Not known
    before `initialize`, so `lifecycle` calls this."""
    facts = ls.facts.tokens
    if facts is None or not (legend := Legend(facts)).names:
        return
    known = types.SemanticTokensLegend(legend.names, legend.modifiers)
    if facts.full:
        ls.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, known)(full)
    if facts.full and facts.delta:
        ls.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, known)(delta)
    if facts.range:
        ls.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, known)(in_range)


async def full(
    ls: MindnetServer, params: types.SemanticTokensParams
) -> types.SemanticTokens | None:
    uri = params.text_document.uri
    data = await _data(ls, uri)
    if data is None:
        return None
    return types.SemanticTokens(data, ls.token_results.keep(uri, data))


async def delta(
    ls: MindnetServer, params: types.SemanticTokensDeltaParams
) -> types.SemanticTokens | types.SemanticTokensDelta | None:
    """What changed since a result; all of it where that one is not known any more."""
    uri = params.text_document.uri
    data = await _data(ls, uri)
    if data is None:
        return None
    previous = ls.token_results.get(uri, params.previous_result_id)
    result_id = ls.token_results.keep(uri, data)
    if previous is None:
        return types.SemanticTokens(data, result_id)
    changed = [
        types.SemanticTokensEdit(start, count, new) for start, count, new in edits(previous, data)
    ]
    return types.SemanticTokensDelta(changed, result_id)


async def in_range(
    ls: MindnetServer, params: types.SemanticTokensRangeParams
) -> types.SemanticTokens | None:
    data = await _data(ls, params.text_document.uri, params.range)
    return None if data is None else types.SemanticTokens(data)


async def _data(ls: MindnetServer, uri: str, wanted: types.Range | None = None) -> list[int] | None:
    view = await ls.view_of_large(uri)
    if view is None or ls.facts.tokens is None:
        return None
    legend = Legend(ls.facts.tokens)
    within = None if wanted is None else view.convert.span(view.document.lines, wanted)
    return await ls.off_loop(view, _encoded, view, legend, within, ls.facts.tokens.alone)


def _encoded(view: View, legend: Legend, within: Span | None, whole: bool) -> list[int]:
    """May run in a thread. Until the vault is read, no link is known to lead nowhere."""
    numbers, session = dict(legend.numbers), view.session
    if session.is_single or not session.is_ready:
        numbers.pop("missing", None)
        if "note" in numbers:
            numbers["missing"] = numbers["note"]
    found = semantic_tokens(view.index, view.document, within, whole=whole)
    defines = 1 if legend.modifiers else 0
    return view.convert.token_data(
        view.document.lines,
        (
            (token.start, token.end, numbers[token.type], defines if token.defines else 0)
            for token in found
            if token.type in numbers
        ),
    )
