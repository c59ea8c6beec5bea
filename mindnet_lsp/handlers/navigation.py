"""textDocument/definition, declaration and references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from core.features.definition import definition as find_definition
from core.features.references import references as find_references
from core.features.results import Target

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View


def register(ls: MindnetServer) -> None:
    ls.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)
    ls.feature(types.TEXT_DOCUMENT_DECLARATION)(definition)
    ls.feature(types.TEXT_DOCUMENT_REFERENCES)(references)


def definition(
    ls: MindnetServer, params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    found = find_definition(view.index, view.document, view.offset(params.position))
    if not found:
        return None
    if ls.facts.location_links:
        return [_link(view, target) for target in found]
    return [_location(view, target) for target in found]


def references(ls: MindnetServer, params: types.ReferenceParams) -> list[types.Location] | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    found = find_references(
        view.index,
        view.document,
        view.offset(params.position),
        declaration=params.context.include_declaration,
    )
    return [
        types.Location(
            view.session.uri(use.path), view.convert.place_range(use.place, use.start, use.end)
        )
        for use in found
    ]


def _range(view: View, target: Target) -> types.Range:
    """The name of the target, or where its line begins: a block is entered at its top."""
    if target.place is not None and target.place.line == target.line:
        return view.convert.place_range(target.place)
    return view.convert.line_range(target.line)


def _location(view: View, target: Target) -> types.Location:
    return types.Location(view.session.uri(target.path), _range(view, target))


def _link(view: View, target: Target) -> types.LocationLink:
    shown = _range(view, target)
    return types.LocationLink(
        view.session.uri(target.path), shown, shown, view.range(target.origin)
    )
