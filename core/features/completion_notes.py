"""Completion of what a link leads to: behind `[[`, behind a relation kind, as a Markdown path."""

from __future__ import annotations

from core.features.completion_context import CompletionContext
from core.features.completion_targets import Rank, Targets
from core.features.linktext import ESCAPED_PIPE, PIPE, alias_text, markdown_target, wikilink_target
from core.features.ranking import filter_text, sort_text
from core.features.results import CompletionItem, CompletionKind, Completions
from core.features.typed import Typed
from core.model import strip_note_suffix
from core.text import fold
from core.vault.index import VaultIndex
from core.vault.late_names import FILE, MISSING
from core.vault.names import ALIAS, STEM, TITLE

_MOST_NEAR = 5
"""Notes that are offered because of their meaning."""
_FILES_SHARE = 3
"""One in so many items of an embed may be a file, however many notes there are."""


def complete_notes(context: CompletionContext, typed: Typed) -> Completions:
    """What fits: notes by title, alias or file name, also fuzzily; files; missing notes.

    Each fitting name is an item of its own, so that editors can narrow the list by what they
    see.
    """
    near = _near(context, typed)
    limit, ranks = context.limit - len(near), Targets(context, typed).ranked()
    if near:
        meant = {rank.path for rank in near}
        ranks = [rank for rank in ranks if rank.path not in meant]
    chosen = ranks[:limit]
    if typed.embed and len(ranks) > limit:
        files = [rank for rank in ranks if rank.kind == FILE][: limit // _FILES_SHARE]
        others = [rank for rank in ranks if rank.kind != FILE][: limit - len(files)]
        chosen = sorted([*others, *files])
    items = [_marked(context, _item(context, typed, rank, at)) for at, rank in enumerate(near)]
    items += (_item(context, typed, rank, at) for at, rank in enumerate(chosen, len(near)))
    return Completions(tuple(items), len(ranks) > limit)


def _near(context: CompletionContext, typed: Typed) -> list[Rank]:
    """Notes near in meaning to the paragraph, where nothing is typed yet in a plain link."""
    if typed.kind != "note" or typed.query or typed.embed or typed.relation or typed.target:
        return []
    index, own = context.index, context.document.path
    linked = set(index.targets(own))
    paths = [p for p in context.near if p != own and p not in linked and p in index.notes]
    return [
        Rank(0.0, 0, 0, False, 0, 0, 0, 0, index.notes[path].stem, path, STEM)
        for path in paths[: min(_MOST_NEAR, context.limit)]
    ]


def _marked(context: CompletionContext, item: CompletionItem) -> CompletionItem:
    mark = context.say("≈ like this paragraph", "≈ wie dieser Absatz")
    described = f"{mark} · {item.description}" if item.description else mark
    return item._replace(description=described)


def _item(context: CompletionContext, typed: Typed, rank: Rank, at: int) -> CompletionItem:
    kind: CompletionKind = "note"
    name, note_path, detail, description = rank.name, rank.path, "", ""
    if rank.kind == MISSING:
        kind, note_path = "missing", ""
        detail = context.say("not written yet", "noch nicht geschrieben")
        description = context.uses(-rank.links)
        target = rank.path
    else:
        if rank.kind == FILE:
            kind, note_path = "file", ""
            detail = rank.path.rpartition("/")[0]
        else:
            note = context.index.notes[rank.path]
            detail = " · ".join(part for part in (context.type_of(note), note.folder) if part)
            if rank.kind == ALIAS or note.title != rank.name:
                description = note.title
        target = _target(context, typed, rank)
    if typed.kind == "path":
        shown = target if "/" in typed.query else name
    else:
        stem = strip_note_suffix(typed.query)
        shown = rank.path if kind == "missing" else name + typed.query[len(stem) :]
    return CompletionItem(
        rank.path if kind == "missing" else name,
        kind,
        f"{typed.opening}{target}{typed.closing}",
        typed.insert,
        typed.replace,
        filter_text(shown, typed.query),
        sort_text(at),
        detail,
        description,
        note_path,
        name=rank.path,
    )


def _target(context: CompletionContext, typed: Typed, rank: Rank) -> str:
    index, source = context.index, context.document.path
    if typed.kind == "path":
        return markdown_target(rank.path, source, in_angles=typed.in_angles)
    if rank.kind == FILE:
        return _file_target(index, rank.path, source)
    target = wikilink_target(index, rank.path, source)
    return target + _alias(typed, rank, target)


def _file_target(index: VaultIndex, path: str, source: str) -> str:
    """The file name where it means this file alone, else the whole path."""
    name = path.rpartition("/")[2]
    found = index.resolve_name(name, source)
    return name if found.attachment == path and len(found.candidates) == 1 else path


def _alias(typed: Typed, rank: Rank, target: str) -> str:
    """`|name` where the picked name is none that the link shows by itself."""
    by_id = rank.kind == STEM and target.rpartition("/")[2] != rank.name
    if typed.has_tail or typed.embed or not (by_id or rank.kind in (TITLE, ALIAS)):
        return ""
    text = alias_text(rank.name)
    if not text or fold(text) == fold(target):
        return ""
    return (ESCAPED_PIPE if typed.in_table else PIPE) + text
