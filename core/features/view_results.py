"""What the features that show more of a note answer with. Offsets are code points."""

from __future__ import annotations

from typing import Literal, NamedTuple

from core.model import Place

LensKind = Literal["backlinks", "unresolved", "suggestions", "heading"]
FoldKind = Literal["comment", "imports", "region"]
TokenType = Literal[
    "note", "missing", "file", "heading", "block", "alias", "relation", "field", "tag", "callout",
    "title", "key", "value", "code", "comment",
]  # fmt: skip


class Lens(NamedTuple):
    """A count above the line of `place` (None: above the first line)."""

    kind: LensKind
    number: int
    place: Place | None = None


class Hint(NamedTuple):
    """`label` is shown at offset `at`, behind what it explains. `path` is the note that a title
    belongs to, `relation` the kind that a default edge has; exactly one of them is set.
    `alias` is what to write at `alias_at` to have the title in the note itself."""

    at: int
    label: str
    path: str = ""
    relation: str = ""
    alias: str = ""
    alias_at: int = -1


class Token(NamedTuple):
    """A range of the text and what it is; `defines` says that it is named here, not used."""

    start: int
    end: int
    type: TokenType
    defines: bool = False


class Fold(NamedTuple):
    """Lines that can be folded; the first one stays visible. `rank` is small for what matters
    more, where not everything may be sent."""

    first: int
    last: int
    kind: FoldKind | None = None
    rank: int = 0


class Call(NamedTuple):
    """A neighbour in the graph of typed links. `labels` say how the two are related, read from
    the note that was asked about; `places` are where the caller says so, in its text."""

    path: str
    labels: tuple[str, ...]
    places: tuple[Place | None, ...]
