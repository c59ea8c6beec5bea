"""What somebody is in the middle of writing: the form, and what of it stands there already."""

from __future__ import annotations

from typing import Literal, NamedTuple

from core.model import Span

TypedKind = Literal[
    "note", "heading", "block", "alias", "relation", "path", "slug", "tag", "field", "callout",
    "key", "value",
]  # fmt: skip


class Typed(NamedTuple):
    """An open construct with the cursor in it.

    `query` is what is typed so far, from `start` to `cursor`; `end` is where the typed part
    ends, maybe behind the cursor. `opening` and `closing` are what is missing in front of and
    behind it: `[[`, `]]`, `)`, a colon, a quote, or nothing. `target` and `anchor` are what
    stands before a heading, block or alias; of a frontmatter value `target` is its key.
    `has_tail` says that a heading or an alias follows. `relation` is the kind that the link
    will state, `quote` the quotation mark around a frontmatter value.
    """

    kind: TypedKind
    query: str
    start: int
    cursor: int
    end: int
    closing: str = ""
    target: str = ""
    anchor: str = ""
    has_tail: bool = False
    in_table: bool = False
    in_angles: bool = False
    embed: bool = False
    opening: str = ""
    relation: str = ""
    quote: str = ""

    @property
    def insert(self) -> Span:
        """The range to replace that leaves what follows the cursor alone."""
        return Span(self.start, self.cursor)

    @property
    def replace(self) -> Span:
        """The range to replace together with the rest of the typed part."""
        return Span(self.start, self.end)
