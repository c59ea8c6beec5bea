"""textDocument/documentSymbol."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.document_symbol import document_symbols
from core.features.results import Symbol

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View

_KINDS = {"heading": types.SymbolKind.String, "relation": types.SymbolKind.Interface}


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbol)


def document_symbol(
    ls: MindnetServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    relations = view.session.config.relations
    found = document_symbols(view.document, relations, ls.locale(view.session))
    if ls.facts.hierarchical_symbols:
        return [_tree(view, symbol) for symbol in found]
    return list(_flat(view, found, params.text_document.uri, None))


def _tree(view: View, symbol: Symbol) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        symbol.name,
        _KINDS[symbol.kind],
        view.range(symbol.span),
        view.convert.place_range(symbol.place),
        symbol.detail or None,
        children=[_tree(view, child) for child in symbol.children],
    )


def _flat(
    view: View, symbols: Iterable[Symbol], uri: str, parent: str | None
) -> Iterable[types.SymbolInformation]:
    for symbol in symbols:
        location = types.Location(uri, view.range(symbol.span))
        yield types.SymbolInformation(
            location, symbol.name, _KINDS[symbol.kind], container_name=parent
        )
        yield from _flat(view, symbol.children, uri, symbol.name)
