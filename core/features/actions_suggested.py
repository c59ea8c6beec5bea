"""Suggested edges where the cursor is: inserted in the form that fits, in others, or dismissed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.features.action_context import ActionContext
from core.features.actions_convert import REWRITE
from core.features.references import title_heading
from core.features.results import CodeAction, Deferred, Run, VaultEdit
from core.features.suggested import FORMS, Suggested, SuggestedForm, usual_form, write
from core.model import Span

INSERT = "suggested"
"""Name of the deferred change."""
DISMISS = "mindnet.dismissSuggestion"
_MOST, _MOST_OF_NOTE = 3, 5


def suggested_edges(
    context: ActionContext, span: Span, offered: Sequence[CodeAction]
) -> Iterator[CodeAction]:
    """What is suggested for the words or the passage under the cursor; on the title and in the
    frontmatter all that is. `offered` are actions that are there already: what one of them does
    is not offered again. Other forms of the first, and dismissing, only where somebody asked."""
    if not context.suggested or not context.wanted(REWRITE):
        return
    of_note = _is_of_note(context, span)
    here = [one for one in context.suggested if of_note or _is_here(one, span)]
    here = here[: _MOST_OF_NOTE if of_note else _MOST]
    done = {(edit.start, edit.end) for action in offered for edit in action.edits}
    for at, one in enumerate(here):
        usual = usual_form(context.document, one)
        linked = one.about is not None and (one.about.start, one.about.end) in done
        if not (linked and usual == "wikilink"):
            yield _insert(context, one, usual)
        if context.automatic:
            continue
        if at == 0:
            yield from (_insert(context, one, form) for form in FORMS if form != usual)
        title = context.say(
            f"Dismiss the suggestion “{one.title}”", f"Vorschlag „{one.title}“ verwerfen"
        )
        yield CodeAction(title, REWRITE, run=Run(DISMISS, {"target_note_id": one.note_id}))


def inserted(context: ActionContext, arguments: Mapping[str, object]) -> VaultEdit | None:
    """The edit of a deferred `INSERT`."""
    form = next((form for form in FORMS if form == arguments.get("form")), None)
    for one in context.suggested:
        if one.path == arguments.get("path") and form is not None:
            found = write(context.index, context.document, one, form)
            return VaultEdit((context.edit(found.start, found.end, found.new_text),))
    return None


def _insert(context: ActionContext, one: Suggested, form: SuggestedForm) -> CodeAction:
    words = {
        "wikilink": context.say(
            f"Suggested: link to “{one.title}”", f"Vorschlag: auf „{one.title}“ verlinken"
        ),
        "relation": context.say(
            f"Suggested: {one.kind} → “{one.title}”", f"Vorschlag: {one.kind} → „{one.title}“"
        ),
        "field": context.say(
            f"Suggested: field {one.kind}:: “{one.title}”",
            f"Vorschlag: Feld {one.kind}:: „{one.title}“",
        ),
        "callout": context.say(
            f"Suggested: “{one.title}” in the edge callout as {one.kind}",
            f"Vorschlag: „{one.title}“ in den Kanten-Callout als {one.kind}",
        ),
    }
    return CodeAction(
        words[form], REWRITE, deferred=Deferred(INSERT, {"path": one.path, "form": form})
    )


def _is_here(one: Suggested, span: Span) -> bool:
    return one.about is not None and one.about.start <= span.start and span.end <= one.about.end


def _is_of_note(context: ActionContext, span: Span) -> bool:
    if context.document.in_frontmatter(span.start):
        return True
    title = title_heading(context.note)
    lines = context.document.lines
    return title is not None and lines.line_at(span.start) == title.line
