"""textDocument/codeLens and codeLens/resolve, and the command behind a lens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from lsprotocol import types

from core.features.code_lens import code_lenses, lens_references, lens_title
from core.features.references import references
from core.features.view_results import Lens, LensKind
from core.model import Span
from mindnet_lsp.handlers.arguments import Arguments

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View

SHOW_REFERENCES = "mindnet.showReferences"
"""Ours, so that every editor can run it: the server answers with the places."""
KINDS: dict[str, LensKind] = {kind: kind for kind in get_args(LensKind)}
NEEDS_VAULT = ("backlinks", "unresolved", "suggestions")

HUB = 1000
"""Backlinks from which they are counted off the event loop."""


def register(ls: MindnetServer) -> None:
    options = types.CodeLensOptions(resolve_provider=True)
    ls.feature(types.TEXT_DOCUMENT_CODE_LENS, options)(code_lens)
    ls.feature(types.CODE_LENS_RESOLVE)(resolve)

    async def show(given: dict[str, Any]) -> dict[str, Any]:
        return show_references(ls, Arguments(given))

    ls.command(SHOW_REFERENCES)(show)


async def code_lens(ls: MindnetServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """Ranges and numbers; the words come when a lens is shown."""
    view = await ls.view_of_large(params.text_document.uri)
    if view is None:
        return None
    session = view.session
    if not session.settings.code_lens.enabled or not session.is_ready:
        return []
    note = view.document.note
    suggested = len(ls.suggestions.of(session, view.index, view.document))
    if view.index.backlink_count(note.path) > HUB:
        found = await ls.scheduler.in_thread(code_lenses, view.index, note, suggested)
    else:
        found = code_lenses(view.index, note, suggested)
    return [
        _lens(view, params.text_document.uri, lens)
        for lens in found
        if not (session.is_single and lens.kind in NEEDS_VAULT)
    ]


def resolve(ls: MindnetServer, lens: types.CodeLens) -> types.CodeLens:
    """The words of a lens. It keeps no text, so one of an older version is worded too."""
    data = lens.data if isinstance(lens.data, dict) else {}
    kind, count, uri = data.get("kind"), data.get("count"), data.get("uri")
    if not isinstance(uri, str) or not isinstance(kind, str) or not isinstance(count, int):
        return lens
    if kind not in KINDS:
        return lens
    found = ls.sessions.find(uri)
    locale = ls.locale(found[0]) if found else ls.facts.locale
    arguments = {"uri": uri, "position": data.get("position"), "kind": kind}
    title = lens_title(KINDS[kind], count, locale)
    lens.command = types.Command(title=title, command=SHOW_REFERENCES, arguments=[arguments])
    return lens


def show_references(ls: MindnetServer, arguments: Arguments) -> dict[str, Any]:
    """`mindnet.showReferences`: `{uri, position}` and maybe `kind` → the places of the links to
    what stands there: `{uri, position, locations}`; for `suggestions` where they come from, and
    `suggestions`."""
    uri = arguments.text("uri")
    position = arguments.position("position") or types.Position(0, 0)
    kind = arguments.choice("kind", tuple(KINDS), "heading")
    view = ls.view(uri)
    locations: list[types.Location] = []
    suggested: list[dict[str, Any]] = []
    if view is not None and kind == "suggestions":
        locations, suggested = _suggested(ls, view)
    elif view is not None:
        note = view.document.note
        if kind == "heading":
            offset, relations = view.offset(position), view.session.config.relations
            found = references(view.index, view.document, offset, relations)
        else:
            found = lens_references(view.index, note, kind) if view.index.get(note.path) else ()
        for use in found:
            shown = view.convert.place_range(use.place, use.start, use.end)
            locations.append(types.Location(view.session.uri(use.path), shown))
    answer = {"uri": uri, "position": position, "locations": locations}
    if kind == "suggestions":
        answer["suggestions"] = suggested
    plain: dict[str, Any] = ls.protocol._converter.unstructure(answer)
    return plain


def _suggested(ls: MindnetServer, view: View) -> tuple[list[types.Location], list[dict[str, Any]]]:
    """Where in the note each suggestion comes from (its first line for the whole note), and the
    suggestions themselves."""
    session, document = view.session, view.document
    uri, found = session.uri(document.path), ls.suggestions.of(session, view.index, document)
    places = [view.range(one.about or Span(0, 0)) for one in found]
    shown = [
        {
            "target_note_id": one.note_id,
            "title": one.title,
            "uri": session.uri(one.path),
            "kind": one.kind,
            "score": one.score,
            "reasons": list(one.reasons),
        }
        for one in found
    ]
    return [types.Location(uri, place) for place in places], shown


def _lens(view: View, uri: str, lens: Lens) -> types.CodeLens:
    place = lens.place
    # a heading may go over two lines, a lens may not
    first = place.raw.splitlines()[0] if place and place.raw else ""
    shown = view.convert.place_range(place, 0, len(first)) if place else view.convert.line_range(0)
    position = {"line": shown.start.line, "character": shown.start.character}
    data = {"uri": uri, "kind": lens.kind, "count": lens.number, "position": position}
    return types.CodeLens(shown, data=data)
