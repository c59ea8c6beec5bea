"""refactor.rewrite on a link: typed and plain, wikilink and Markdown link, embedded or not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.features.action_context import ActionContext
from core.features.link_at import link_at, relation_prefix, shown_text
from core.features.linkage import Linked, linked
from core.features.linktext import (
    ESCAPED_PIPE,
    PIPE,
    alias_text,
    heading_anchors,
    markdown_target,
    wikilink_target,
)
from core.features.results import CodeAction
from core.features.surroundings import in_table
from core.features.usual import usual_kinds
from core.model import INLINE_REL, PLAIN, WIKILINK, Block, Heading, Link, Span

REWRITE = "refactor.rewrite"
_KINDS = 4
"""Kinds offered besides those that the note's type means by default."""
_BRACKETS = re.compile(r"(?<!\\)([\[\]])")


def conversions(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """Other forms for the link under the cursor. Alias, heading and block stay."""
    link = link_at(context.document, span)
    if link is None or not context.wanted(REWRITE):
        return
    found = linked(context.index, link, context.note)
    if link.form == WIKILINK:
        yield from _typed(context, link, found)
        yield from _embedded(context, link, found)
    if link.origin == PLAIN and not link.embed and found.note is not None:
        yield from _other_form(context, link, found)


def plain_kind(context: ActionContext, link: Link, found: Linked) -> str:
    """The kind that an untyped link most likely would have, "" where nothing tells."""
    if link.relation:
        return link.relation
    return next(iter(usual_kinds(context, found.note, 1)), "")


def _typed(context: ActionContext, link: Link, found: Linked) -> Iterator[CodeAction]:
    if link.origin == INLINE_REL and (prefix := relation_prefix(link)):
        title = context.say("Turn into a plain link", "In einen einfachen Link verwandeln")
        change = context.edit(link.start + prefix[0], link.start + prefix[1], "")
        yield CodeAction(title, REWRITE, (change,))
    if link.origin != PLAIN or link.embed or not link.target or found.attachment:
        return
    if found.resolution.is_external or found.resolution.is_attachment:
        return
    for kind in usual_kinds(context, found.note, _KINDS):
        label = context.relations.label(kind, context.locale)
        title = context.say(
            f"Turn into a relation: {label} ({kind})",
            f"In eine Beziehung verwandeln: {label} ({kind})",
        )
        at = link.start + 2
        yield CodeAction(title, REWRITE, (context.edit(at, at, f"rel:{kind} "),))


def _embedded(context: ActionContext, link: Link, found: Linked) -> Iterator[CodeAction]:
    if link.origin != PLAIN or found.note is None or not link.target:
        return
    if link.embed:
        title = context.say("Turn the embed into a link", "Einbettung in einen Link verwandeln")
        yield CodeAction(title, REWRITE, (context.edit(link.start, link.start + 1, ""),))
    else:
        title = context.say("Embed what is linked", "Verlinktes einbetten")
        yield CodeAction(title, REWRITE, (context.edit(link.start, link.start, "!"),))


def _other_form(context: ActionContext, link: Link, found: Linked) -> Iterator[CodeAction]:
    wiki = link.form == WIKILINK
    text = _as_markdown(context, link, found) if wiki else _as_wikilink(context, link, found)
    if text is None:
        return
    if wiki:
        title = context.say("Turn into a Markdown link", "In einen Markdown-Link verwandeln")
    else:
        title = context.say("Turn into a wikilink", "In einen Wikilink verwandeln")
    yield CodeAction(title, REWRITE, (context.edit(link.start, link.end, text),))


def _as_markdown(context: ActionContext, link: Link, found: Linked) -> str | None:
    if found.note is None or found.resolution.is_reversed or (found.anchor and not found.place):
        return None
    shown = shown_text(link, found.resolution).replace(ESCAPED_PIPE, PIPE)
    if not shown or (PIPE in shown and in_table(context.document.lines, link.line)):
        return None
    destination = markdown_target(found.note.path, context.path) if link.target else ""
    if isinstance(found.place, Heading):
        destination += f"#{found.place.slug}"
    elif isinstance(found.place, Block):
        destination += f"#^{found.place.id}"
    shown = _BRACKETS.sub(r"\\\1", shown)
    return f"[{shown}]({destination})" if destination else None


def _as_wikilink(context: ActionContext, link: Link, found: Linked) -> str | None:
    if found.note is None or (found.anchor and not found.place):
        return None
    end = max(link.target_end, link.anchor_end)
    if link.raw[end:].lstrip(">").strip() != ")":
        return None  # it has a title, which a wikilink cannot hold
    target = wikilink_target(context.index, found.note.path, context.path) if link.target else ""
    if isinstance(found.place, Heading):
        anchors = {id(heading): anchor for heading, anchor in heading_anchors(found.note)}
        anchor = anchors.get(id(found.place))
        if not anchor:
            return None
        target += f"#{anchor}"
    elif isinstance(found.place, Block):
        target += f"#^{found.place.id}"
    raw = link.raw[link.alias_at : link.alias_end] if link.alias_at >= 0 else ""
    shown = alias_text(raw.replace("\\[", "[").replace("\\]", "]"))
    if raw.strip() and not shown:
        return None
    if not shown or shown == target:
        return f"[[{target}]]"
    pipe = ESCAPED_PIPE if in_table(context.document.lines, link.line) else PIPE
    return f"[[{target}{pipe}{shown}]]"
