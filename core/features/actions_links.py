"""Fixes that let a link mean another note or heading."""

from __future__ import annotations

from collections.abc import Iterator

from core.features.action_context import ActionContext, fix
from core.features.linkage import anchor_span, linked
from core.features.linktext import (
    ESCAPED_PIPE,
    PIPE,
    alias_text,
    heading_anchors,
    heading_from_anchor,
    searched_name,
    target_like,
    wikilink_target,
    yaml_inside,
)
from core.features.results import CodeAction, Diagnostic
from core.features.surroundings import in_table
from core.model import REFERENCE, TEXTLINK, WIKILINK, Link
from core.text import fold
from core.vault.targets import MARKDOWN_FORMS

_NEAREST = 3
_SURE = 85.0
"""Similarity (0-100) of names from which a replacement is the preferred fix."""


def replace_by_nearest(
    context: ActionContext, link: Link, diagnostic: Diagnostic
) -> Iterator[CodeAction]:
    """The notes that a broken link may have meant, best first."""
    if link.form == REFERENCE:
        return
    yield from _hash_in_name(context, link, diagnostic)
    hits = context.index.names.nearest(searched_name(diagnostic.data["target"]), _NEAREST)
    names = [hit.name for hit in hits]
    for number, hit in enumerate(hits):
        shown = hit.path if names.count(hit.name) > 1 else hit.name
        sure = number == 0 and hit.score >= _SURE
        yield _retarget(context, link, diagnostic, hit.path, shown, preferred=sure)


def disambiguate(
    context: ActionContext, link: Link, diagnostic: Diagnostic
) -> Iterator[CodeAction]:
    """One fix per note that an ambiguous link fits; each writes a path that only it has."""
    for path in context.index.resolve(link, context.document.path).candidates:
        yield _retarget(context, link, diagnostic, path, path)


def nearest_headings(
    context: ActionContext, link: Link, diagnostic: Diagnostic
) -> Iterator[CodeAction]:
    """The headings that a link to a missing one may have meant, best first."""
    from rapidfuzz import fuzz, process

    meant = linked(context.index, link, context.document.note)
    note = meant.note
    if note is None:
        return
    named = [
        (heading.text, heading.slug if link.form in MARKDOWN_FORMS else anchor)
        for heading, anchor in heading_anchors(note)
    ]
    wanted = fold(heading_from_anchor(link, diagnostic.data.get("anchor", "")))
    texts = [fold(text) for text, _ in named]
    found = process.extract(wanted, texts, scorer=fuzz.ratio, limit=_NEAREST, score_cutoff=60)
    start, end = anchor_span(link, meant.resolution)
    for _, _, at in found:
        text, written = named[at]
        title = context.say(f"Link to heading “{text}”", f"Auf Überschrift „{text}“ verweisen")
        change = context.edit(link.start + start, link.start + end, written)
        yield fix(title, diagnostic, change)


def _hash_in_name(
    context: ActionContext, link: Link, diagnostic: Diagnostic
) -> Iterator[CodeAction]:
    """`[[Talk #24]]` means a heading `24` of `Talk`; where a note of the whole name is there, a
    link by its id means that."""
    if link.form != WIKILINK or not link.heading or link.target_at < 0 or link.anchor_at < 0:
        return
    whole = link.raw[link.target_at : link.anchor_end]
    for hit in context.index.names.nearest(searched_name(whole), 1):
        if hit.score >= _SURE and "#" in hit.path:
            target = wikilink_target(context.index, hit.path, context.document.path)
            shown = alias_text(whole.rpartition("/")[2])
            if link.alias is None and shown:
                table = in_table(context.document.lines, link.line)
                target += f"{ESCAPED_PIPE if table else PIPE}{shown}"
            start, end = link.start + link.target_at, link.start + link.anchor_end
            title = context.say(f"Link to “{hit.name}”", f"Auf „{hit.name}“ verweisen")
            yield fix(title, diagnostic, context.edit(start, end, target), preferred=True)


def _retarget(
    context: ActionContext,
    link: Link,
    diagnostic: Diagnostic,
    path: str,
    name: str,
    *,
    preferred: bool = False,
) -> CodeAction:
    start, end = diagnostic.start, diagnostic.end
    target = target_like(context.index, link, path, context.document.path)
    if link.form == TEXTLINK:
        target = yaml_inside(target, context.document.text[link.start - 1 : link.start])
    title = context.say(f"Link to “{name}”", f"Auf „{name}“ verweisen")
    change = context.edit(link.start + start, link.start + end, target)
    return fix(title, diagnostic, change, preferred=preferred)
