"""textDocument/definition, declaration and references."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from core.config.places import described_at
from core.features.definition import definition as find_definition
from core.features.references import references as find_references
from core.features.results import Target
from mindnet_lsp.prepared import Json, locations

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View

Found = list[types.Location] | list[types.LocationLink] | None


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)
    ls.feature(types.TEXT_DOCUMENT_DECLARATION)(declaration)
    ls.feature(types.TEXT_DOCUMENT_REFERENCES)(references)


async def definition(ls: MindnetServer, params: types.DefinitionParams) -> Found:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    return _answer(view, _targets(view, params.position), ls.facts.location_links)


async def declaration(ls: MindnetServer, params: types.DeclarationParams) -> Found:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    found = _targets(view, params.position, declaration=True)
    return _answer(view, found, ls.facts.declaration_links)


async def references(ls: MindnetServer, params: types.ReferenceParams) -> Json | None:
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    found = find_references(
        view.index,
        view.document,
        view.offset(params.position),
        view.session.config.relations,
        declaration=params.context.include_declaration,
    )
    uri, numbers = view.session.uri, view.convert.place_numbers
    return locations((uri(use.path), numbers(use.place, use.start, use.end)) for use in found)


def _targets(
    view: View, position: types.Position, *, declaration: bool = False
) -> tuple[Target, ...]:
    root = view.session.root
    return find_definition(
        view.index,
        view.document,
        view.offset(position),
        view.session.config.relations,
        partial(described_at, root) if root is not None else lambda what, name: None,
        declaration=declaration,
    )


def _answer(view: View, found: tuple[Target, ...], links: bool) -> Found:
    if not found:
        return None
    if links:
        return [_link(view, target) for target in found]
    return [types.Location(view.session.uri(t.path), _range(view, t)) for t in found]


def _range(view: View, target: Target) -> types.Range:
    """The name of the target, or where its line begins: a block is entered at its top."""
    if target.place is not None and target.place.line == target.line:
        return view.convert.place_range(target.place)
    return view.convert.line_range(target.line)


def _link(view: View, target: Target) -> types.LocationLink:
    named = _range(view, target)
    start = types.Position(target.line, 0)
    end = max(
        types.Position(max(target.end_line, target.line), 0),
        named.end,
        key=lambda at: (at.line, at.character),
    )
    return types.LocationLink(
        view.session.uri(target.path), types.Range(start, end), named, view.range(target.origin)
    )
