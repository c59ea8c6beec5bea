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
from core.parse.kinds import normal_kind
from core.text import fold


class Word(NamedTuple):
    """A word to offer. Of equal fits those with more `uses` go first, then by `place` and
    `name`."""

    fit: int
    uses: int
    name: str
    place: int = 0
    label: str = ""
    detail: str = ""
    text: str = ""
    shown: str = ""


def complete_kinds(context: CompletionContext, typed: Typed) -> Completions:
    """Known kinds and those that the vault uses, most used first among equal fits."""
    words = []
    for place, (kind, count, label) in enumerate(_kinds(context)):
        score = max(fit(typed.query, kind), fit(typed.query, label))
        own = count == 1 and kind == normal_kind(typed.query)
        if score and (context.relations.known(kind) or not own):
            text = f"{kind}{typed.closing}"
            words.append(Word(score, count, kind, place, detail=label, text=text))
    return listed(context, typed, "relation", words, again=True, unused=True)


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
    for place, (kind, count, label) in enumerate(_kinds(context)):
        if kind.startswith(key) or fold(label).startswith(fold(query)):
            shown = f"{kind}::"
            words.append(
                Word(3, count, kind, place, shown, label, f"{kind}::{typed.closing}", shown)
            )
    return listed(context, typed, "relation", words, again=True, unused=True)


def complete_callouts(context: CompletionContext, typed: Typed) -> Completions:
    """Types of callouts: Obsidian's, the one for relations, and those that the vault uses."""
    used = context.index.callouts
    query = typed.query.lstrip("[!")
    others = context.say("relations of this note", "Beziehungen dieser Notiz")
    words = []
    for place, name in enumerate(dict.fromkeys((EDGE, *known_callouts(), *used))):
        # what is being typed is in the index as well
        own = used.get(name) == 1 and name == fold(query) and not described_callout(name, "en")
        if (score := fit(query, name)) and (name == EDGE or not own):
            described = described_callout(name, context.locale)
            detail = others if name == EDGE else described[0] if described else ""
            mark = f"[!{name}]"
            text = f"{typed.opening}{mark}{typed.closing}"
            words.append(Word(score, used.get(name, 0), name, place, mark, detail, text, mark))
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
            words.append(Word(score, count, tag, label=f"{mark}{tag}", text=text))
    return listed(context, typed, "tag", words)


def listed(
    context: CompletionContext, typed: Typed, kind: CompletionKind, words: Iterable[Word],
    *, again: bool = False, unused: bool = False,
) -> Completions:  # fmt: skip
    """Words as items, best first; `unused` tells whether to say so of those without uses."""
    words = list(words)
    chosen = nsmallest(context.limit, words, key=_order)
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
            context.uses(word.uses) if word.uses or unused else "",
            name=word.name,
            again=again,
        )
        for at, word in enumerate(chosen)
    )
    return Completions(items, len(words) > context.limit)


def _order(word: Word) -> tuple[int, int, int, str]:
    return (-word.fit, -word.uses, word.place, word.name)


def _kinds(context: CompletionContext) -> list[tuple[str, int, str]]:
    """Every kind that can be written, how often it is, and its label; known ones as they are
    configured, the more usual ones first."""
    used, relations = context.index.kinds, context.relations
    known = [kind for kind, relation in relations.relations.items() if not relation.structural]
    kinds = dict.fromkeys((*known, *used))
    return [(kind, used.get(kind, 0), relations.label(kind, context.locale)) for kind in kinds]
