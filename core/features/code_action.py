"""textDocument/codeAction: what can be done where the cursor is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from core.features.action_context import ActionContext, fix
from core.features.actions_config import describe_kind, describe_type
from core.features.actions_convert import conversions
from core.features.actions_create import CREATE, add_heading, create_note, created
from core.features.actions_edges import edge_forms
from core.features.actions_extract import EXTRACT, extracted, extractions
from core.features.actions_fix_all import FIX_ALL, all_fixed, fix_all
from core.features.actions_frontmatter import (
    add_frontmatter,
    fix_problem,
    missing_fields,
    new_id,
    quote_wikilinks,
    rename_field,
)
from core.features.actions_inline import INLINE, inlined, inlinings
from core.features.actions_links import disambiguate, nearest_headings, replace_by_nearest
from core.features.actions_mentions import (
    LINK_ALL,
    SELECTION,
    link_mentions,
    link_selection,
    linked_mentions,
    note_of_selection,
)
from core.features.actions_suggested import INSERT, inserted, suggested_edges
from core.features.results import CodeAction, Diagnostic, VaultEdit
from core.model import Link, Span

QUICK_FIX = "quickfix"
KINDS = (
    QUICK_FIX,
    "refactor",
    "refactor.extract",
    "refactor.inline",
    "refactor.rewrite",
    "source",
    "source.fixAll",
)
"""Kinds of the actions that there are, as the protocol names them."""


def code_actions(
    context: ActionContext, span: Span, found: Sequence[Diagnostic]
) -> tuple[CodeAction, ...]:
    """What can be done at `span` of the open note: fixes for those of the `found` diagnostics
    whose place touches it, other forms for what stands there, and actions for the whole note.

    Every edit keeps all that it does not have to change: alias, heading, embed mark, quotes. A
    file is only created where there is none.
    """
    actions: list[CodeAction] = []
    if context.wanted(QUICK_FIX):
        for diagnostic in found:
            # a link as a whole, not just the part of it that is marked
            own = diagnostic.place
            if own.start <= span.end and span.start <= own.end:
                actions += _one_preferred(_fixes(context, diagnostic))
        actions += quote_wikilinks(context, span)
    if span.start == span.end:
        actions += conversions(context, span)
        actions += edge_forms(context, span)
        actions += link_mentions(context, span)
        actions += suggested_edges(context, span, tuple(actions))
        actions += inlinings(context, span)
    else:
        actions += link_selection(context, span)
    actions += extractions(context, span)
    actions += add_frontmatter(context, span)
    actions += fix_all(context, found)
    return tuple(action for action in actions if context.wanted(action.kind))


def complete_action(
    context: ActionContext, name: str, arguments: Mapping[str, object], found: Sequence[Diagnostic]
) -> VaultEdit | None:
    """The change of a `Deferred` action; None where there is nothing to change any more, or the
    name of a new note is taken by now. `found` are the note's findings."""
    if name == FIX_ALL:
        return all_fixed(context, found)
    work = _COMPLETED.get(name)
    return work(context, arguments) if work is not None else None


_COMPLETED: dict[str, Callable[[ActionContext, Mapping[str, object]], VaultEdit | None]] = {
    CREATE: created,
    LINK_ALL: linked_mentions,
    SELECTION: note_of_selection,
    EXTRACT: extracted,
    INLINE: inlined,
    INSERT: inserted,
}


def _one_preferred(actions: Iterator[CodeAction]) -> Iterator[CodeAction]:
    """An editor does the preferred fix of a finding without asking, so there is one at most."""
    taken = False
    for action in actions:
        yield replace(action, preferred=False) if taken and action.preferred else action
        taken = taken or action.preferred


def _fixes(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    place = diagnostic.place
    match diagnostic.code:
        case "unresolved-link" if isinstance(place, Link):
            if not context.automatic:  # looks through all names
                yield from replace_by_nearest(context, place, diagnostic)
            yield from create_note(context, place, diagnostic)
        case "ambiguous-link" if isinstance(place, Link):
            yield from disambiguate(context, place, diagnostic)
        case "unresolved-heading" if isinstance(place, Link):
            yield from nearest_headings(context, place, diagnostic)
            yield from add_heading(context, place, diagnostic)
        case "unknown-relation" | "unknown-type":
            if nearest := diagnostic.data.get("nearest"):
                title = context.say(f"Replace by “{nearest}”", f"Durch „{nearest}“ ersetzen")
                start, end = diagnostic.span.start, diagnostic.span.end
                yield fix(title, diagnostic, context.edit(start, end, nearest), preferred=True)
            describe = describe_kind if diagnostic.code == "unknown-relation" else describe_type
            yield from describe(context, diagnostic)
        case "duplicate-id":
            yield from new_id(context, diagnostic)
        case "missing-field":
            yield from missing_fields(context, diagnostic)
        case "deprecated-field":
            yield from rename_field(context, diagnostic)
        case "invalid-frontmatter":
            yield from fix_problem(context, diagnostic)
