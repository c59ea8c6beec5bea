"""textDocument/hover: what the thing under the cursor is."""

from __future__ import annotations

from core.features.context import FrontmatterBlock, LinkPart
from core.features.hover_context import HoverContext
from core.features.hover_link import backlinks, hover_link, hover_place
from core.features.hover_suggested import suggestions
from core.features.hover_words import (
    hover_callout,
    hover_footnote,
    hover_key,
    hover_kind,
    hover_tag,
    hover_type,
)
from core.features.pointed import Value, pointed_at
from core.features.references import title_heading
from core.features.results import Hover
from core.features.written import Footnote, Label
from core.model import Block, Callout, Heading, KindMention, Span, Tag


def hover(context: HoverContext, offset: int) -> Hover | None:
    """What to show for a cursor at `offset`; None where nothing stands.

    On a link the note, section, block or file that it means and who links there, by
    relation kind; where it leads nowhere the nearest titles. On a heading or block its links
    and those of the note, in the frontmatter what a key or a type means, elsewhere the
    note's backlinks; with the title and the frontmatter the edges that are suggested too. On
    kinds, tags, callouts and footnotes what they are.
    """
    pointed = pointed_at(context.document, offset)
    match pointed:
        case LinkPart(link, _, _) | Label(_, _, link):
            hover_link(context, link)
            span = link.span
        case KindMention():
            hover_kind(context, pointed.kind)
            span = pointed.span
        case Tag():
            hover_tag(context, pointed)
            span = pointed.span
        case Heading() | Block():
            hover_place(context, pointed)
            if pointed is title_heading(context.document.note):
                suggestions(context)
            span = pointed.span
        case FrontmatterBlock(_, named) if named is not None:
            hover_key(context, named)
            span = named.span
        case Value() if pointed.key == "type" and pointed.scalar.text.strip():
            hover_type(context, pointed.scalar.text)
            span = pointed.scalar.span
        case FrontmatterBlock() | Value():
            backlinks(context, context.document.note)
            suggestions(context)
            span = _span(pointed)
        case Callout():
            hover_callout(context, pointed)
            span = pointed.span
        case Footnote():
            hover_footnote(context, pointed)
            span = pointed.whole
        case _:
            return None
    text = context.writer.text()
    return Hover(text, span) if text else None


def _span(pointed: FrontmatterBlock | Value) -> Span:
    return pointed.scalar.span if isinstance(pointed, Value) else pointed.span
