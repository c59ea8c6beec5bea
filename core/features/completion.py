"""textDocument/completion: what can be written where the cursor is."""

from __future__ import annotations

from core.features.completion_anchors import complete_alias, complete_headings
from core.features.completion_blocks import complete_blocks
from core.features.completion_context import CompletionContext
from core.features.completion_frontmatter import complete_keys, complete_values
from core.features.completion_kinds import (
    complete_callouts,
    complete_fields,
    complete_kinds,
    complete_tags,
)
from core.features.completion_notes import complete_notes
from core.features.results import Completions
from core.features.typed import Typed, typed_at
from core.parse.kinds import normal_kind

__all__ = ["TRIGGERS", "CompletionContext", "complete"]

TRIGGERS = ("[", "#", "^", ":", "|", "(", ">", "/")
"""Characters that open one of the forms."""

_COMPLETERS = {
    "path": complete_notes,
    "heading": complete_headings,
    "slug": complete_headings,
    "block": complete_blocks,
    "alias": complete_alias,
    "relation": complete_kinds,
    "field": complete_fields,
    "callout": complete_callouts,
    "tag": complete_tags,
    "key": complete_keys,
    "value": complete_values,
}


def complete(context: CompletionContext, offset: int) -> Completions:
    """Completions for a cursor at `offset`; none in plain text, in code and in comments.

    The order of the items is final and the same every time; it is also in `sort_text`. At
    most `context.limit`.
    """
    typed = typed_at(context.document, offset)
    if typed is None:
        return Completions()
    if typed.kind == "note":
        if typed.target == "field" and not _is_relation(context, typed):
            return Completions()
        return complete_notes(context, typed)
    return _COMPLETERS[typed.kind](context, typed)


def _is_relation(context: CompletionContext, typed: Typed) -> bool:
    """Whether an inline field states a relation: most fields hold words and numbers."""
    kind = normal_kind(typed.relation)
    return context.relations.known(kind) or kind in context.index.kinds
