"""textDocument/semanticTokens: what the links, kinds, tags and marks of a note are.

Only what the parser knows and a syntax file cannot: whether a link leads somewhere, which part
names a heading, which word is a relation kind. Where the client shows nothing but these
tokens, headings, frontmatter, code and comments are told as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.features.document import Document
from core.features.linkage import anchor_of, anchor_span, place_of, target_span
from core.features.structure import region_kind
from core.features.view_results import Token, TokenType
from core.model import REFERENCE, Link, Note, Place, Span
from core.parse.places import flatten
from core.parse.scan import Body
from core.vault.index import VaultIndex
from core.vault.resolve import UNRESOLVED, Resolution
from core.vault.targets import DENDRON, is_identifier


def semantic_tokens(
    index: VaultIndex, document: Document, within: Span | None = None, *, whole: bool = False
) -> tuple[Token, ...]:
    """The tokens of a note, of which at least a part lies in `within`, in the order of the text.

    They do not overlap; one may go over several lines. `whole` adds what a syntax file tells.
    """
    note = document.note
    found = [*_Links(index, note, within).tokens(), *_marks(note, within)]
    if whole:
        found += _syntax(document, within)
    return tuple(_apart(found))


class _Links:
    """Looks each target and each place in it up once: a note names few of them often."""

    def __init__(self, index: VaultIndex, note: Note, within: Span | None) -> None:
        self._index, self._note, self._within = index, note, within
        self._resolved: dict[tuple[str, str | None, str], Resolution] = {}
        self._places: dict[tuple[str, str, str], bool] = {}
        # what the index knows of the links already, if it is of this very text
        known = index.get(note.path) is note
        self._targets = index.targets(note.path) if known else (None,) * len(note.links)
        missing = index.unresolved_in(note.path) if known else ()
        self._missing = {link.start for link in missing}

    def tokens(self) -> Iterator[Token]:
        for link, target in zip(self._note.links, self._targets, strict=True):
            if _meets(link.start, link.end, self._within):
                yield from self._link(link, self._meaning(link, target))

    def _meaning(self, link: Link, target: str | None) -> Resolution:
        """As `index.resolve`, which is asked only where the index has no simpler answer."""
        if link.start in self._missing:
            return UNRESOLVED
        alias = link.alias
        if target and not (alias and (is_identifier(alias) or alias.startswith(DENDRON))):
            return Resolution(target)
        return self._resolve(link)

    def _link(self, link: Link, found: Resolution) -> Iterator[Token]:
        start, end = target_span(link, found)
        has_target = link.target_at >= 0 or found.is_reversed
        if has_target and end > start:
            yield _token(link, start, end, _type_of(found))
        anchor = anchor_of(link, found)
        if anchor and (link.anchor_at >= 0 or found.is_reversed):
            start, end = anchor_span(link, found)
            name: TokenType = "block" if anchor.startswith("^") else "heading"
            there = self._has_place(link, found, anchor)
            yield _token(link, start, end, name if there else "missing")
        if found.is_reversed:
            yield _token(link, link.target_at, link.target_end, "alias")
        elif link.alias_at >= 0:
            # of `[text][label]` only the text shows where it leads
            name = _type_of(found) if link.form == REFERENCE else "alias"
            yield _token(link, link.alias_at, link.alias_end, name)

    def _resolve(self, link: Link) -> Resolution:
        key = link.target, link.alias, link.form
        found = self._resolved.get(key)
        if found is None:
            found = self._index.resolve(link, self._note.path)
            self._resolved[key] = found
        return found

    def _has_place(self, link: Link, found: Resolution, anchor: str) -> bool:
        """Whether the heading or block is there; where the note is missing that is told."""
        if found.path is None:
            return not found.is_unresolved
        key = found.path, anchor, link.form
        there = self._places.get(key)
        if there is None:
            note = self._note if found.path == self._note.path else self._index.get(found.path)
            there = note is not None and place_of(note, anchor, link.form) is not None
            self._places[key] = there
        return there


def _type_of(found: Resolution) -> TokenType:
    if found.path is not None:
        return "note"
    return "file" if found.attachment or found.is_external else "missing"


def _marks(note: Note, within: Span | None) -> Iterator[Token]:
    """Everything that is not a link."""
    kinds = {mention.start for mention in note.kinds}
    places: tuple[tuple[TokenType, Iterable[Place]], ...] = (
        ("relation", note.kinds),
        ("field", (field for field in note.fields if field.start not in kinds)),
        ("tag", note.tags),
        ("callout", note.callouts),
        ("block", note.blocks),
    )
    for name, those in places:
        for place in those:
            if _meets(place.start, place.end, within):
                yield Token(place.start, place.end, name, name == "block")


def _syntax(document: Document, within: Span | None) -> Iterator[Token]:
    """What clients otherwise know from a syntax file."""
    note, text = document.note, document.text
    for heading in note.headings:
        if _meets(heading.start, heading.end, within):
            yield Token(heading.start, heading.end, "title")
    for prop in note.frontmatter.properties if note.frontmatter else ():
        if _meets(prop.start, prop.end, within):
            yield Token(prop.start, prop.end, "key")
        for value in prop.values:
            if _meets(value.start, value.end, within):
                yield Token(value.start, value.end, "value")
    for start, end in Body(flatten(text), note.body_start).regions.dead:
        if _meets(start, end, within):
            kind = region_kind(text, start)
            yield Token(start, end, "comment" if kind == "comment" else "code")


def _token(link: Link, start: int, end: int, name: TokenType) -> Token:
    return Token(link.start + start, link.start + end, name)


def _meets(start: int, end: int, within: Span | None) -> bool:
    return within is None or (start < within.end and within.start < end)


def _apart(found: list[Token]) -> Iterator[Token]:
    """The tokens in order; where one lies within another, only the inner one is told of it."""
    stack: list[Token] = []
    at = 0
    for token in sorted(found, key=lambda token: (token.start, -token.end)):
        while stack and stack[-1].end <= token.start:
            outer = stack.pop()
            if outer.end > max(at, outer.start):
                yield outer._replace(start=max(at, outer.start))
                at = outer.end
        if stack and stack[-1].start < token.start and token.start > at:
            outer = stack[-1]
            yield outer._replace(start=max(at, outer.start), end=token.start)
            at = token.start
        stack.append(token)
    while stack:
        outer = stack.pop()
        if outer.end > max(at, outer.start):
            yield outer._replace(start=max(at, outer.start))
            at = outer.end
