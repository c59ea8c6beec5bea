"""Completion in frontmatter: keys, and the values of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from core.features.completion_context import CompletionContext
from core.features.completion_kinds import Word, complete_tags, listed
from core.features.completion_targets import Rank, Targets
from core.features.frontmatter_keys import KEYS, known_key
from core.features.kinds import kinds_like
from core.features.linktext import alias_text, wikilink_target, yaml_inside, yaml_quoted, yaml_value
from core.features.ranking import filter_text, fit, sort_text
from core.features.results import CompletionItem, Completions
from core.features.typed import Typed
from core.model import FRONTMATTER, TEXTLINK, Note
from core.parse.kinds import normal_kind
from core.parse.properties import TEXT_LINK_KEYS
from core.text import fold
from core.vault.late_names import FILE, MISSING
from core.vault.names import ALIAS

_RECOMMENDED = ("title", "id", "type", "status", "created", "tags", "aliases")
"""Offered first where the vault says nothing of itself."""
_DEPRECATED = ("links",)
_OTHER_NAMES = {"tag": "tags", "alias": "aliases"}
_DATES = ("created", "updated", "date", "due", "modified")
_OWN_WORDS = ("aliases", "alias", "title", "id", "summary", "description")
"""Keys whose values nobody but the writer knows."""
_VALUES = {"priority": ("1", "2", "3", "4", "5"), "lang": ("de", "en")}
_YES_NO = ("true", "false")
_LOOKED_AT = 20
_ID, _PLAIN_NAME = "id", "name"
_PLAIN = re.compile(r"\w(?:[\w .+/-]*\w)?")


def complete_keys(context: CompletionContext, typed: Typed) -> Completions:
    """Keys that the note has not yet: those that mindnet knows, those that the vault uses,
    relation kinds."""
    index, relations, locale = context.index, context.relations, context.locale
    block = context.document.note.frontmatter
    own = {
        _main_name(prop.key)
        for prop in (block.properties if block else ())
        if not prop.start <= typed.start <= prop.end
    }
    used: Counter[str] = Counter()
    for name, count in index.keys.items():
        # what is being typed is in the index as well
        used[name] += count - (name == typed.query + typed.closing.strip(": "))
    details = {kind: relations.label(kind, locale) for kind in relations.names()}
    details |= {key: known.says(locale) for key, known in KEYS.items() if key not in _DEPRECATED}
    words = []
    for name in {*details, *(name for name, count in used.items() if count > 0)}:
        score = max(fit(typed.query, name), min(2, fit(typed.query, relations.label(name, locale))))
        if score and _main_name(name) not in own:
            first = len(_RECOMMENDED) - _RECOMMENDED.index(name) if name in _RECOMMENDED else 0
            place = 4 * score + (2 if first or used[name] else 1 if name in KEYS else 0)
            text = f"{name}{typed.closing}"
            words.append((place, used[name], first, name, details.get(name, ""), text))
    words.sort(key=lambda word: (-word[0], -word[1], -word[2], word[3]))
    items = tuple(
        CompletionItem(
            name, "key", text, typed.insert, typed.replace, filter_text(name, typed.query),
            sort_text(at), _first_sentence(detail), context.uses(count) if count else "",
            name=name, again=True,
        )
        for at, (_, count, _, name, detail, text) in enumerate(words[: context.limit])
    )  # fmt: skip
    return Completions(items, len(words) > context.limit)


def complete_values(context: CompletionContext, typed: Typed) -> Completions:
    """Values of the key in front: what it may hold, what others have, notes for relations."""
    key = _main_name(typed.target)
    if key == "tags":
        return complete_tags(context, typed)
    if key in _OWN_WORDS:
        return Completions()
    if _names_notes(context, typed.target):
        return _notes(context, typed)
    used = context.index.values(typed.target)
    counts = {value: count for value, count in used.items() if count > (value == typed.query)}
    known = known_key(typed.target)
    fixed = [*(known.values if known else ()), *_VALUES.get(key, ())]
    if key == "type":
        fixed += context.types.names()
    elif key in _DATES:
        fixed += [context.today] if context.today else []
    elif counts and {fold(value) for value in counts} <= set(_YES_NO):
        fixed += _YES_NO
    folded = {fold(value) for value in counts}
    words = []
    for value in (*counts, *(value for value in dict.fromkeys(fixed) if value not in folded)):
        if score := fit(typed.query, value):
            text = f"{typed.opening}{_written(value, typed)}"
            detail = context.say("today", "heute") if value == context.today else ""
            place = fixed.index(value) if value in fixed else 0
            words.append(Word(score, counts.get(value, 0), value, place, "", detail, text))
    return listed(context, typed, "type" if key == "type" else "value", words)


def _names_notes(context: CompletionContext, key: str) -> bool:
    """Whether the values of a key are notes: a relation kind, or a key that holds links."""
    kind = normal_kind(key)
    known = known_key(key)
    if known is not None and kind not in TEXT_LINK_KEYS:
        return False
    return kind in TEXT_LINK_KEYS or context.relations.known(kind) or kind in context.index.kinds


def _notes(context: CompletionContext, typed: Typed) -> Completions:
    """Notes as values, written like the other values of the key: as links or as plain names."""
    style = _style(context, typed)
    wanted = typed._replace(kind="note", relation=typed.target, closing="", opening="")
    ranks = [rank for rank in Targets(context, wanted).ranked() if rank.kind != FILE]
    items = []
    for at, rank in enumerate(ranks[: context.limit]):
        missing, path = rank.kind == MISSING, rank.path
        note = None if missing else context.index.notes[path]
        text = _target(context, rank, style)
        detail = context.say("not written yet", "noch nicht geschrieben")
        if note is not None:
            detail = " · ".join(part for part in (context.type_of(note), note.folder) if part)
        items.append(
            CompletionItem(
                path if missing else rank.name,
                "missing" if missing else "note",
                f"{typed.opening}{_written(text, typed)}",
                typed.insert,
                typed.replace,
                filter_text(rank.name, typed.query),
                sort_text(at),
                detail,
                note.title if note and note.title != rank.name else "",
                "" if missing else path,
                name=path,
            )
        )
    return Completions(tuple(items), len(ranks) > context.limit)


def _target(context: CompletionContext, rank: Rank, style: str) -> str:
    """The note as a value: its id, its plain name, or a link to it."""
    if rank.kind == MISSING:
        return rank.path if style else f"[[{rank.path}]]"
    if style == _ID:
        return context.index.note_id(rank.path)
    target = wikilink_target(context.index, rank.path, context.document.path)
    if style:
        return target
    shown = alias_text(rank.name) if rank.kind == ALIAS else ""
    return f"[[{target}|{shown}]]" if shown else f"[[{target}]]"


def _style(context: CompletionContext, typed: Typed) -> str:
    """How the key's other values name notes: by id, by plain names, or ("") by links. Told by
    the first in this note, else by most of those in some other notes."""
    kind, index, document = normal_kind(typed.target), context.index, context.document

    def styles(note: Note) -> Iterator[str]:
        for link in note.links:
            if link.origin != FRONTMATTER or normal_kind(link.key or "") != kind:
                continue
            if note is document.note and link.start <= typed.start <= link.end:
                continue
            if link.form != TEXTLINK:
                yield ""
            else:
                yield _ID if index.resolve(link, note.path).way == "id" else _PLAIN_NAME

    own = next(styles(document.note), None)
    if own is not None:
        return own
    names = kinds_like(index, kind, context.relations)
    counts: Counter[str] = Counter()
    for path in islice((path for name in names for path in index.kind_users(name)), _LOOKED_AT):
        if path != document.path:
            counts.update(styles(index.notes[path]))
    return counts.most_common(1)[0][0] if counts else ""


def _written(value: str, typed: Typed) -> str:
    """A value as it must stand in YAML, with the quotes that it has or needs."""
    if typed.quote:
        return yaml_inside(value, typed.quote) + typed.closing
    if value.startswith("[["):
        return yaml_quoted(value)
    # `true`, `5` and dates are meant as what they are, so no quotes
    return value if _PLAIN.fullmatch(value) else yaml_value(value)


def _main_name(key: str) -> str:
    name = fold(key)
    return _OTHER_NAMES.get(name, name)


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].partition(": ")[0].rstrip(".")
