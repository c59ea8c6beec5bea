"""Another name for a relation kind, in every form in which relations are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.errors import AlreadyExists, InvalidArguments
from core.features.keeping import kept
from core.features.linktext import yaml_quoted
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale, say
from core.model import FRONTMATTER, TEXTLINK, KindMention, Note, Span
from core.parse.kinds import normal_kind
from core.parse.properties import TEXT_LINK_KEYS
from core.vault.index import VaultIndex

_KIND = re.compile(r"[^\W\d_](?:\w*[^\W_])?")
_LONGEST = 60
_TAKEN = frozenset(("rel", "title", "id", "type", "alias", "aliases", "tag", "tags"))
"""What means something else in a line or in the frontmatter."""
_NOT_IN_WIKILINK = re.compile(r"[\[\]|#^\\\"]")


def kind_span(mention: KindMention) -> Span:
    """Where the kind stands: a quoted frontmatter key without its quotes."""
    quoted = mention.origin == FRONTMATTER and mention.raw[:1] in ("'", '"')
    return Span(mention.start + quoted, mention.end - quoted)


def rename_kind(index: VaultIndex, kind: str, new_name: str, locale: Locale = "en") -> VaultEdit:
    """The edits that call a relation kind `new_name`, in snake_case, wherever it is written.

    Spellings of one kind (`Depends on`, `depends-on`) are one, as in `core.parse.kinds`;
    another word that `relations.yaml` calls its alias is another word. The kind may be one that
    is used already. Configuration files are not changed. Under a key whose plain values are
    no links (all but `depends_on` and `assigned_to`) they become `"[[links]]"`.

    Raises InvalidArguments for what is no kind, AlreadyExists where a frontmatter has such a
    key already.
    """
    name = normal_kind(new_name)
    if not _KIND.fullmatch(name) or len(name) > _LONGEST or name in _TAKEN:
        raise InvalidArguments(
            say(
                locale,
                f"“{name}” cannot be a relation kind",
                f"„{name}“ kann keine Relationsart sein",
            ),
            say(
                locale,
                "A kind is letters, digits and _, as in depends_on",
                "Eine Relationsart besteht aus Buchstaben, Ziffern und _, wie depends_on",
            ),
        )
    edits: list[PlaceEdit] = []
    keyed: dict[str, int] = {}
    for path, mention in index.kind_mentions(kind):
        span = kind_span(mention)
        start, end = span.start - mention.start, span.end - mention.start
        if mention.raw[start:end] != name:
            edits.append(PlaceEdit(path, mention, start, end, name))
        if mention.origin == FRONTMATTER:
            keyed[path] = keyed.get(path, 0) + 1
    for path, count in keyed.items():
        note = index.notes[path]
        if count > 1 or _has_other_key(note, kind, name):
            raise AlreadyExists(
                say(
                    locale,
                    f"The frontmatter of “{path}” has {name} already",
                    f"Das Frontmatter von „{path}“ hat {name} schon",
                ),
                say(locale, "Join the two by hand first", "Beide erst von Hand zusammenführen"),
            )
        if name not in TEXT_LINK_KEYS:
            edits += _bracketed(note, kind, locale)
    return kept(index, edits, {}, locale)


def _has_other_key(note: Note, kind: str, name: str) -> bool:
    properties = note.frontmatter.properties if note.frontmatter else ()
    return name != kind and any(normal_kind(found.key) == name for found in properties)


def _bracketed(note: Note, kind: str, locale: Locale) -> Iterator[PlaceEdit]:
    """Plain values that name notes, as links that stay links under any key."""
    for link in note.links:
        if link.form == TEXTLINK and link.relation == kind:
            if _NOT_IN_WIKILINK.search(link.target):
                raise AlreadyExists(
                    say(
                        locale,
                        f"A value in the frontmatter of “{note.path}” would be no link any more",
                        f"Ein Wert im Frontmatter von „{note.path}“ wäre kein Link mehr",
                    )
                )
            yield PlaceEdit(note.path, link, 0, len(link.raw), yaml_quoted(f"[[{link.target}]]"))
