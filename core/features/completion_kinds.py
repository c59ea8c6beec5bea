"""Completion of words that state something: relation kinds, inline fields, callouts, tags."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nsmallest
from typing import NamedTuple

from core.features.callout_types import described_callout, known_callouts
from core.features.completion_context import CompletionContext
from core.features.ranking import filter_text, fit, sort_text
from core.features.results import CompletionItem, CompletionKind, Completions
from core.features.typed import Typed
from core.parse.callouts import EDGE
from core.text import fold


class Word(NamedTuple):
    """A word to offer. Of equal fits those with more `uses` go first, then by `name`."""

    fit: int
    uses: int
    name: str
    label: str = ""
    detail: str = ""
    text: str = ""
    shown: str = ""


def complete_kinds(context: CompletionContext, typed: Typed) -> Completions:
    """Known kinds and those that the vault uses, most used first among equal fits."""
    words = []
    for kind, count, label in _kinds(context):
        score = max(fit(typed.query, kind), fit(typed.query, label))
        if score:
            words.append(Word(score, count, kind, detail=label, text=f"{kind}{typed.closing}"))
    return listed(context, typed, "relation", words, again=True)


def complete_fields(context: CompletionContext, typed: Typed) -> Completions:
    """Kinds as inline fields, where a word at the begin of a line is the begin of one.

    Most lines begin with words that are none: so only from two letters on, and without a
    colon only in small letters.
    """
    query = typed.query.rstrip(":")
    if len(query) < 2 or (query == typed.query and not query.islower()):
        return Completions()
    key = fold(query).replace("-", "_")
    words = []
    for kind, count, label in _kinds(context):
        if kind.startswith(key) or fold(label).startswith(fold(query)):
            shown = f"{kind}::"
            words.append(Word(3, count, kind, shown, label, f"{kind}::{typed.closing}", shown))
    return listed(context, typed, "relation", words, again=True)


def complete_callouts(context: CompletionContext, typed: Typed) -> Completions:
    """Types of callouts: Obsidian's, the one for relations, and those that the vault uses."""
    used = context.index.callouts
    query = typed.query.lstrip("[!")
    others = context.say("relations of this note", "Beziehungen dieser Notiz")
    words = []
    for name in dict.fromkeys((EDGE, *known_callouts(), *used)):
        if score := fit(query, name):
            described = described_callout(name, context.locale)
            detail = others if name == EDGE else described[0] if described else ""
            mark = f"[!{name}]"
            text = f"{typed.opening}{mark}{typed.closing}"
            words.append(Word(score, used.get(name, 0), name, mark, detail, text, mark))
    return listed(context, typed, "callout", words)


def complete_tags(context: CompletionContext, typed: Typed) -> Completions:
    """Tags of the vault, nested ones whole; in frontmatter without `#`."""
    own, mark = fold(typed.query), "#" if typed.kind == "tag" else ""
    words = []
    for tag, count in context.index.tags.items():
        score = fit(typed.query.removeprefix("#"), tag)
        # what is being typed is in the index as well, as a tag of this note alone
        if score and not (count == 1 and fold(tag) == own):
            text = f"{typed.opening}{tag}{typed.closing}"
            words.append(Word(score, count, tag, f"{mark}{tag}", text=text))
    return listed(context, typed, "tag", words)


def listed(
    context: CompletionContext, typed: Typed, kind: CompletionKind, words: Iterable[Word],
    *, again: bool = False, counted: bool = True,
) -> Completions:  # fmt: skip
    """Words as items, best first."""
    words = list(words)
    chosen = nsmallest(context.limit, words, key=lambda word: (-word.fit, -word.uses, word.name))
    items = tuple(
        CompletionItem(
            word.label or word.name,
            kind,
            word.text,
            typed.insert,
            typed.replace,
            filter_text(word.shown or word.name, typed.query),
            sort_text(at),
            word.detail,
            context.uses(word.uses) if counted else "",
            name=word.name,
            again=again,
        )
        for at, word in enumerate(chosen)
    )
    return Completions(items, len(words) > context.limit)


def _kinds(context: CompletionContext) -> list[tuple[str, int, str]]:
    """Every kind that can be written, how often it is, and its label."""
    used, relations = context.index.kinds, context.relations
    kinds = {*relations.names(), *used}
    return [(kind, used.get(kind, 0), relations.label(kind, context.locale)) for kind in kinds]
