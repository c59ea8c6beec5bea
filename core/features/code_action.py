"""textDocument/codeAction: fixes for what is wrong where the cursor is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.features.action_context import ActionContext, fix
from core.features.actions_create import add_heading, create_note
from core.features.actions_frontmatter import fix_problem, quote_wikilinks
from core.features.actions_links import disambiguate, nearest_headings, replace_by_nearest
from core.features.results import CodeAction, Diagnostic
from core.model import Link, Span


def code_actions(
    context: ActionContext, span: Span, found: Sequence[Diagnostic]
) -> tuple[CodeAction, ...]:
    """Fixes for those of the `found` diagnostics of the open note whose place touches `span`.

    Every edit keeps all that it does not have to change: alias, heading, embed mark, quotes. A
    file is only created where there is none.
    """
    actions: list[CodeAction] = []
    for diagnostic in found:
        # a link as a whole, not just the part of it that is marked
        own = diagnostic.place
        if own.start <= span.end and span.start <= own.end:
            actions += _fixes(context, diagnostic)
    actions += quote_wikilinks(context, span)
    return tuple(actions)


def _fixes(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    place = diagnostic.place
    match diagnostic.code:
        case "unresolved-link" if isinstance(place, Link):
            yield from replace_by_nearest(context, place, diagnostic)
            yield from create_note(context, place, diagnostic)
        case "ambiguous-link" if isinstance(place, Link):
            yield from disambiguate(context, place, diagnostic)
        case "unresolved-heading" if isinstance(place, Link):
            yield from nearest_headings(context, place, diagnostic)
            yield from add_heading(context, place, diagnostic)
        case "unknown-relation" | "unknown-type" if nearest := diagnostic.data.get("nearest"):
            title = context.say(f"Replace by “{nearest}”", f"Durch „{nearest}“ ersetzen")
            start, end = diagnostic.span.start, diagnostic.span.end
            yield fix(title, diagnostic, context.edit(start, end, nearest), preferred=True)
        case "invalid-frontmatter":
            yield from fix_problem(context, diagnostic)
