"""textDocument/documentSymbol, workspace/symbol and workspaceSymbol/resolve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.features.document_symbol import document_symbols
from core.features.results import Symbol
from core.features.results_places import VaultSymbol
from core.features.workspace_symbol import workspace_symbols
from mindnet_lsp.convert import Numbers
from mindnet_lsp.heading_tables import HeadingTables
from mindnet_lsp.prepared import Json, prepared, range_of

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View
    from mindnet_lsp.session import Session

Raw = dict[str, Any]

MOST_SYMBOLS = 200
"""The longest list for one query, over all vaults."""

_KINDS = {"heading": types.SymbolKind.String, "relation": types.SymbolKind.Interface}
_VAULT_KINDS = {
    "note": types.SymbolKind.File,
    "alias": types.SymbolKind.File,
    "heading": types.SymbolKind.String,
    "tag": types.SymbolKind.Key,
}


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbol)
    tables = HeadingTables(ls.scheduler)
    options = types.WorkspaceSymbolOptions(resolve_provider=True)

    @ls.feature(types.WORKSPACE_SYMBOL, options)
    async def workspace_symbol(ls: MindnetServer, params: types.WorkspaceSymbolParams) -> Json:
        return await _workspace_symbol(ls, tables, params.query)

    ls.feature(types.WORKSPACE_SYMBOL_RESOLVE)(resolve)


async def document_symbol(
    ls: MindnetServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    view = await ls.view_of_large(params.text_document.uri)
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


async def _workspace_symbol(ls: MindnetServer, tables: HeadingTables, query: str) -> Json:
    """The best of all vaults; each vault is looked through in a thread."""
    found: list[tuple[Session, VaultSymbol]] = []
    sessions = list(ls.sessions)
    for session in sessions:
        index, table = await tables.of(session)
        recent = tuple(reversed(session.documents))
        symbols = await ls.scheduler.in_thread(
            workspace_symbols, index, table, query, MOST_SYMBOLS, recent
        )
        found += [(session, symbol) for symbol in symbols]
    found.sort(key=lambda item: -item[1].score)
    several = len(sessions) > 1
    shown = _symbol if ls.facts.symbol_ranges else _information
    return prepared([shown(ls, *item, several) for item in found[:MOST_SYMBOLS]])


def resolve(ls: MindnetServer, params: types.WorkspaceSymbol) -> types.WorkspaceSymbol:
    """The range of a symbol, which was known when it was found."""
    if isinstance(params.data, dict) and "range" in params.data:
        numbers = [int(number) for number in params.data["range"]]
        where = types.Range(types.Position(*numbers[:2]), types.Position(*numbers[2:]))
        params.location = types.Location(params.location.uri, where)
    return params


def _symbol(ls: MindnetServer, session: Session, symbol: VaultSymbol, several: bool) -> Raw:
    """A `WorkspaceSymbol`; its range comes when it is resolved."""
    return {
        "location": {"uri": session.uri(symbol.path)},
        "name": symbol.name,
        "kind": _vault_kind(ls, symbol.kind),
        "data": {"range": list(_numbers(ls, symbol))},
        **_container(session, symbol, several),
    }


def _information(ls: MindnetServer, session: Session, symbol: VaultSymbol, several: bool) -> Raw:
    """A `SymbolInformation`."""
    return {
        "location": {"uri": session.uri(symbol.path), "range": range_of(_numbers(ls, symbol))},
        "name": symbol.name,
        "kind": _vault_kind(ls, symbol.kind),
        **_container(session, symbol, several),
    }


def _numbers(ls: MindnetServer, symbol: VaultSymbol) -> Numbers:
    return (0, 0, 0, 0) if symbol.place is None else ls.convert.place_numbers(symbol.place)


def _container(session: Session, symbol: VaultSymbol, several: bool) -> Raw:
    """The folder of the note; in front of it the vault, where there are several."""
    folder = symbol.path.rpartition("/")[0]
    name = session.root.name if several and session.root is not None else ""
    shown = "/".join(part for part in (name, folder) if part)
    return {"containerName": shown} if shown else {}


def _vault_kind(ls: MindnetServer, name: str) -> int:
    kind = _VAULT_KINDS[name]
    return (kind if kind.value in ls.facts.symbol_kinds else types.SymbolKind.String).value
