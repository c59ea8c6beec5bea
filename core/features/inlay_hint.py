"""textDocument/inlayHint: the title behind an id, and the kinds that a note's type adds to a link.

Quiet where there is nothing new to tell: a title stands behind a link only where the shown text
looks like an id or a file name and has no word of the title; a kind only where the note itself
or its folder names the type, at the first link to each note, and where it is not written anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.config.note_types import TypesConfig
from core.config.relations import RelationsConfig
from core.edges.edge import REFERENCES
from core.features.describe import describe_note
from core.features.document import Document, TextSource
from core.features.linktext import ESCAPED_PIPE, PIPE, alias_text
from core.features.markup import Writer
from core.features.results import Markup
from core.features.surroundings import in_table
from core.features.view_results import Hint
from core.locale import Locale, say
from core.model import DEFINITION, FRONTMATTER, PLAIN, WIKILINK, Link, Note, Span, strip_note_suffix
from core.text import fold
from core.vault.index import VaultIndex
from core.vault.targets import MARKDOWN_FORMS, is_identifier

_WORD = re.compile(r"[^\W\d_]{3,}")
_LETTERS = re.compile(r"[\W_]+")


def inlay_hints(
    index: VaultIndex,
    document: Document,
    within: Span,
    types: TypesConfig,
    relations: RelationsConfig,
) -> tuple[Hint, ...]:
    """The hints of the links that `within` touches, in the order of the text."""
    note = document.note
    kinds = _default_kinds(index, note, types, relations)
    found: list[Hint] = []
    for at, link in enumerate(note.links):
        if link.end < within.start or link.start > within.end:
            continue
        found += _title(index, document, link)
        if at in kinds:
            name = ", ".join(kinds[at])
            found.append(Hint(link.end, f"→ {name}", relation=kinds[at][0]))
    return tuple(sorted(found, key=lambda hint: hint.at))


def title_tooltip(note: Note, text_of: TextSource, markup: Markup) -> str:
    """What a title stands for: the note's facts, and how it begins."""
    writer = Writer(markup)
    describe_note(writer, note, text_of)
    return writer.text()


def kind_tooltip(
    note: Note, kind: str, types: TypesConfig, relations: RelationsConfig, locale: Locale
) -> str:
    """Why a link has a kind that is not written at it."""
    name = types.effective(note).name
    label = relations.label(kind, locale)
    return say(
        locale,
        f"“{label}”: each link in a note of type {name} also means this. "
        f"[[rel:kind Note]] says something else.",
        f"„{label}“: das bedeutet jeder Link in einer Notiz vom Typ {name}. "
        f"[[rel:art Notiz]] sagt etwas anderes.",
    )


def _title(index: VaultIndex, document: Document, link: Link) -> Iterator[Hint]:
    """The title of the note behind a link that shows an id."""
    if link.alias or link.form in MARKDOWN_FORMS or not link.target:
        return
    shown = strip_note_suffix(link.target.rpartition("/")[2])
    found = index.resolve(link, document.path)
    if found.path is None or not (found.way == "id" or is_identifier(shown)):
        return
    target = index.get(found.path)
    if target is None or not _says_little(shown, target.title):
        return
    alias, alias_at = "", -1
    if link.form == WIKILINK and link.origin != FRONTMATTER and not link.embed:
        pipe = ESCAPED_PIPE if in_table(document.lines, link.line) else PIPE
        if text := alias_text(target.title):
            alias, alias_at = f"{pipe}{text}", link.end - len("]]")
    yield Hint(link.end, target.title, found.path, "", alias, alias_at)


def _says_little(shown: str, title: str) -> bool:
    """Whether a title tells more than the shown text: they share no word."""
    folded, wanted = fold(shown), fold(title)
    if not wanted or _LETTERS.sub("", folded) == _LETTERS.sub("", wanted):
        return False
    return not set(_WORD.findall(folded)) & set(_WORD.findall(wanted))


def _default_kinds(
    index: VaultIndex, note: Note, types: TypesConfig, relations: RelationsConfig
) -> dict[int, tuple[str, ...]]:
    """The kinds that the note's type adds, by the position of the link among `note.links`."""
    own = types.effective(note)
    quiet = own.source == "default" or not own.known or own.name == fold(types.default_type)
    kinds = [relations.canonical(kind) for kind in own.edge_defaults]
    kinds = [kind for kind in dict.fromkeys(kinds) if kind != REFERENCES]
    if quiet or not kinds or index.get(note.path) is None:
        return {}
    stated: dict[str, set[str]] = {}
    first: dict[str, int] = {}
    if index.get(note.path) is note:
        targets: Sequence[str | None] = index.targets(note.path)
    else:
        targets = [index.resolve(link, note.path).path for link in note.links]
    for at, (link, target) in enumerate(zip(note.links, targets, strict=True)):
        if target is None or target == note.path or link.form == DEFINITION:
            continue
        if link.relation:
            stated.setdefault(target, set()).add(relations.canonical(link.relation))
        elif link.origin == PLAIN:
            first.setdefault(target, at)
    added = {
        at: tuple(kind for kind in kinds if kind not in stated.get(target, ()))
        for target, at in first.items()
    }
    return {at: left for at, left in added.items() if left}
