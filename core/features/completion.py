"""textDocument/completion: what can be written where the cursor is."""

from __future__ import annotations

from heapq import nsmallest

from core.config.relations import RelationsConfig
from core.features.completion_anchors import complete_alias, complete_blocks, complete_headings
from core.features.completion_notes import complete_notes
from core.features.describe import describe_note
from core.features.document import Document, TextSource
from core.features.linkage import place_of
from core.features.markup import Writer
from core.features.ranking import filter_text, fit, sort_text
from core.features.results import CompletionItem, Completions, Markup
from core.features.typed import Typed, typed_at
from core.locale import Locale, say
from core.model import MDLINK
from core.settings import CompletionSettings
from core.text import fold
from core.vault.index import VaultIndex

TRIGGERS = ("[", "#", "^", ":", "|", "(", "/")
"""Characters that open one of the forms."""


def complete(
    index: VaultIndex,
    document: Document,
    offset: int,
    settings: CompletionSettings,
    relations: RelationsConfig,
    locale: Locale,
    text_of: TextSource,
) -> Completions:
    """Completions for a cursor at `offset` of `document`; none in plain text and in code.

    The order of the items is final and the same every time; it is also in `sort_text`. At
    most `settings.max_items`.
    """
    typed = typed_at(document, offset)
    if typed is None:
        return Completions()
    limit = settings.max_items
    match typed.kind:
        case "note" | "path":
            return complete_notes(index, document, typed, limit)
        case "heading" | "slug":
            return complete_headings(index, document, typed, limit)
        case "block":
            return complete_blocks(index, document, typed, limit, text_of)
        case "alias":
            return complete_alias(index, document, typed)
        case "relation":
            return _relations(index, typed, limit, relations, locale)
        case "tag":
            return _tags(index, typed, limit, locale)


def documentation(
    index: VaultIndex, path: str, anchor: str, text_of: TextSource, markup: Markup
) -> str:
    """What an item stands for, by its `path` and `anchor`: facts and text of the note, or of
    the section or block in it. "" where there is nothing to say."""
    note = index.get(path)
    if note is None:
        return ""
    writer = Writer(markup)
    describe_note(writer, note, text_of, place_of(note, anchor, MDLINK) if anchor else None)
    return writer.text()


def _relations(
    index: VaultIndex, typed: Typed, limit: int, relations: RelationsConfig, locale: Locale
) -> Completions:
    """Known kinds and those that the vault uses, most used first among equal fits."""
    used = index.kinds
    ranked = []
    for kind in {*relations.names(), *used}:
        label = relations.label(kind, locale)
        score = max(fit(typed.query, kind), fit(typed.query, label))
        if score:
            ranked.append((-score, -used.get(kind, 0), kind, label))
    items = tuple(
        CompletionItem(
            kind,
            "relation",
            f"{kind} ",
            typed.insert,
            typed.replace,
            filter_text(kind, typed.query),
            sort_text(at),
            label,
            _uses(-count, locale),
        )
        for at, (_, count, kind, label) in enumerate(nsmallest(limit, ranked))
    )
    return Completions(items, len(ranked) > limit)


def _tags(index: VaultIndex, typed: Typed, limit: int, locale: Locale) -> Completions:
    own = fold(typed.query)
    ranked = []
    for tag, count in index.tags.items():
        score = fit(typed.query, tag)
        # what is being typed is in the index as well, as a tag of this note alone
        if score and not (count == 1 and fold(tag) == own):
            ranked.append((-score, -count, tag))
    items = tuple(
        CompletionItem(
            f"#{tag}", "tag", tag, typed.insert, typed.replace, filter_text(tag, typed.query),
            sort_text(at), description=_uses(-count, locale),
        )
        for at, (_, count, tag) in enumerate(nsmallest(limit, ranked))
    )  # fmt: skip
    return Completions(items, len(ranked) > limit)


def _uses(count: int, locale: Locale) -> str:
    return f"{count} ×" if count else say(locale, "unused", "unbenutzt")
