"""refactor.rewrite on a link: into an inline field or an edge callout, and back.

In running text the words stay where they are, and the link goes below; on the way back it
returns to the words, where they still stand in the note.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.features.action_context import ActionContext
from core.features.actions_convert import REWRITE, plain_kind
from core.features.edge_callout import appended, links_in
from core.features.link_at import (
    bare,
    continuation,
    in_running_text,
    is_alone,
    link_at,
    mention_of,
    paragraph_end,
    paragraph_start,
    relation_prefix,
    shown_text,
    whole_line,
)
from core.features.linkage import linked
from core.features.prose import prose_of
from core.features.results import CodeAction, TextEdit
from core.model import EDGE_CALLOUT, INLINE_FIELD, INLINE_REL, PLAIN, Field, Link, Span
from core.text import LineIndex

_EDGE = "edge"


def edge_forms(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """The link under the cursor as a field or in an edge callout; one in these as a plain link."""
    link = link_at(context.document, span)
    if link is None or link.embed or not link.target or not context.wanted(REWRITE):
        return
    if link.origin == INLINE_FIELD:
        edits = _out_of_field(context, link)
    elif link.origin == EDGE_CALLOUT:
        edits = _out_of_callout(context, link)
    else:
        yield from _into(context, link)
        return
    if edits:
        title = context.say("Turn into a plain link", "In einen einfachen Link verwandeln")
        yield CodeAction(title, REWRITE, edits)


def _into(context: ActionContext, link: Link) -> Iterator[CodeAction]:
    if link.origin not in (PLAIN, INLINE_REL):
        return
    if link.origin == INLINE_REL and relation_prefix(link) is None:
        return  # the kind stands in front of several links
    found = linked(context.index, link, context.note)
    if found.resolution.attachment or found.resolution.is_external:
        return
    kind = plain_kind(context, link, found)
    shown = shown_text(link, found.resolution)
    if not kind or not shown or "\n" in link.raw or "\r" in link.raw:
        return
    if edits := _field(context, link, kind, shown):
        title = context.say(f"Turn into a field {kind}::", f"In ein Feld {kind}:: verwandeln")
        yield CodeAction(title, REWRITE, edits)
    if edits := _callout(context, link, kind, shown):
        title = context.say(
            f"Move to the edge callout as {kind}", f"In den Kanten-Callout verschieben: {kind}"
        )
        yield CodeAction(title, REWRITE, edits)


def _field(context: ActionContext, link: Link, kind: str, shown: str) -> tuple[TextEdit, ...]:
    document = context.document
    if not in_running_text(document, link):
        return ()
    line = f"{kind}:: {bare(link)}"
    if is_alone(document, link.start, link.end):
        return (context.edit(link.start, link.end, line),)
    end = paragraph_end(document, link.line)
    indent = continuation(document, link.line)
    return (
        context.edit(link.start, link.end, shown),
        context.edit(end, end, f"{context.eol}{indent}{line}"),
    )


def _callout(context: ActionContext, link: Link, kind: str, shown: str) -> tuple[TextEdit, ...]:
    document = context.document
    if not in_running_text(document, link):
        return ()
    if is_alone(document, link.start, link.end):
        span = whole_line(document, link.line)
        taken = context.edit(span.start, span.end, "")
    else:
        taken = context.edit(link.start, link.end, shown)
    edges = [found for found in context.note.callouts if found.type == _EDGE]
    if edges:
        at, text = appended(document, edges[-1], kind, bare(link))
        return (taken, context.edit(at, at, text))
    text, eol = document.text, context.eol
    if text.endswith(("\n", "\r")) and not prose_of(document).holds(len(text) - 1, len(text)):
        return ()  # the note ends within code
    left = text[: taken.start] + taken.new_text + text[taken.end :]
    kept = left.rstrip("\r\n")
    missing = 2 - (len(LineIndex(left[len(kept) :])) - 1) if kept else 0
    new = f"{eol * max(0, missing)}> [!edge]{eol}> {kind}: {bare(link)}{eol}"
    if taken.end == len(text):
        return (taken._replace(new_text=taken.new_text + new),)
    return (taken, context.edit(len(text), len(text), new))


def _shown(context: ActionContext, link: Link) -> str:
    return shown_text(link, context.index.resolve(link, context.path))


def _out_of_field(context: ActionContext, link: Link) -> tuple[TextEdit, ...]:
    document = context.document
    field = _field_of(context, link)
    if field is None or field.value != link.raw:
        return ()  # a field of several links stays one
    start, end = field.start, link.end
    before, after = document.text[start - 1 : start], document.text[end : end + 1]
    if (before, after) in (("(", ")"), ("[", "]")):
        return (context.edit(start - 1, end + 1, link.raw),)
    if not is_alone(document, start, end):
        return ()
    lines = document.lines
    first, line = lines.start(paragraph_start(document, link.line)), lines.start(link.line)
    words = mention_of(document, _shown(context, link), first, line)
    if words is not None:
        gone = context.edit(lines.end(link.line - 1), lines.end(link.line), "")
        return (context.edit(words.start, words.end, link.raw), gone)
    return (context.edit(start, link.start, ""),)


def _field_of(context: ActionContext, link: Link) -> Field | None:
    on_line = [f for f in context.note.fields if f.line == link.line and f.start < link.start]
    return on_line[-1] if on_line else None


def _out_of_callout(context: ActionContext, link: Link) -> tuple[TextEdit, ...]:
    document, lines = context.document, context.document.lines
    callouts = [c for c in context.note.callouts if c.line <= link.line <= c.last_line]
    callout = next((c for c in callouts if c.type == _EDGE), None)
    if callout is None:
        return ()
    every = links_in(document, callout)
    on_line = [found for found in every if found.line == link.line]
    if len(every) == 1:
        start, end = lines.start(callout.line), lines.start(callout.last_line + 1)
        while start and document.text[:start].endswith(context.eol * 2):
            start -= len(context.eol)
        gone = context.edit(start, end, "")
    elif len(on_line) == 1 and link.line > callout.line:
        gone = context.edit(lines.end(link.line - 1), lines.end(link.line), "")
    elif len(on_line) == 1:
        mark = callout.end
        gone = context.edit(mark, link.end, "")
    else:
        start = link.start
        while document.text[start - 1 : start] in (" ", "\t", ","):
            start -= 1
        first = on_line[0] is link
        end = on_line[1].start if first else link.end
        gone = context.edit(link.start if first else start, end, "")
    body, above = context.note.body_start, lines.start(callout.line)
    words = mention_of(document, _shown(context, link), body, above)
    if words is not None:
        return (context.edit(words.start, words.end, link.raw), gone)
    eol = context.eol
    if len(every) == 1:
        return (gone._replace(new_text=f"{'' if not gone.start else eol}{link.raw}{eol}"),)
    return (context.edit(above, above, f"{link.raw}{eol}{eol}"), gone)
