"""What features answer with. Offsets are code points; no LSP type appears here.

A range is given in one of two ways: as `Span` into the text of the document that was
asked about, or as a `Place` with offsets into its `raw`, which needs no text at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.model import Place, Span
from core.settings import Severity

Markup = Literal["markdown", "plaintext"]


class Hover(NamedTuple):
    """`text` is written in the markup that was asked for; `span` is what it explains."""

    text: str
    span: Span


class Target(NamedTuple):
    """Where a definition is. `place` is what is named there, None for the file as a whole
    (then an attachment, or a note from its first line). `line` is where to go: for a block
    the first line of its paragraph. `end_line` is the line behind all that belongs to it (a
    section, a note). `origin` is what was asked about."""

    path: str
    origin: Span
    place: Place | None = None
    line: int = 0
    end_line: int = 0


class Reference(NamedTuple):
    """A use, in the note at `path`: `place.raw[start:end]`."""

    path: str
    place: Place
    start: int
    end: int


class Symbol(NamedTuple):
    """An entry of the outline. `place` names it; `span` is all that belongs to it."""

    name: str
    kind: Literal["heading", "relation"]
    detail: str
    place: Place
    span: Span
    children: tuple[Symbol, ...] = ()


class Related(NamedTuple):
    """A place that explains a diagnostic; without `place` the note as a whole."""

    path: str
    message: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding at `place.raw[start:end]`. `data` is JSON-safe and says what a fix needs.
    `deprecated` has what is marked struck through."""

    code: str
    severity: Severity
    place: Place
    start: int
    end: int
    message: str
    related: tuple[Related, ...] = ()
    data: Mapping[str, str] = field(default_factory=dict)
    deprecated: bool = False

    @property
    def span(self) -> Span:
        """The range in the note's text."""
        return Span(self.place.start + self.start, self.place.start + self.end)


class TextEdit(NamedTuple):
    """Replaces `start` to `end` of the text of the note at `path`."""

    path: str
    start: int
    end: int
    new_text: str


class PlaceEdit(NamedTuple):
    """Replaces `place.raw[start:end]` in the note at `path`. Needs no text of the note, so a
    thousand of them are cheap."""

    path: str
    place: Place
    start: int
    end: int
    new_text: str


class CreateFile(NamedTuple):
    """A new file. Must never overwrite: its path was free when it was proposed."""

    path: str
    text: str


class RenameFile(NamedTuple):
    """A file gets another path. Must never overwrite. Edits to it address the old path."""

    path: str
    new_path: str


@dataclass(frozen=True, slots=True)
class VaultEdit:
    """Everything that one action changes. Edits of one note do not overlap; they apply to the
    notes as they are, before any file is renamed."""

    edits: tuple[TextEdit | PlaceEdit, ...] = ()
    creates: tuple[CreateFile, ...] = ()
    renames: tuple[RenameFile, ...] = ()


class Deferred(NamedTuple):
    """A change that is worked out when its action is chosen: `name` says by which function,
    `arguments` is JSON-safe. `creates` and `edits` say what the change will consist of."""

    name: str
    arguments: Mapping[str, str | int]
    creates: bool = False
    edits: bool = True


class Run(NamedTuple):
    """A command of the server to run for the open note; `arguments` is JSON-safe, its URI is
    added."""

    command: str
    arguments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CodeAction:
    """A change to offer, `edits` and `creates`, a `deferred` one, or a command to `run`. `kind`
    is a code action kind of the protocol. `diagnostic` is what it fixes, if anything. `disabled`
    says why it cannot be done now, "" where it can."""

    title: str
    kind: str
    edits: tuple[TextEdit | PlaceEdit, ...] = ()
    creates: tuple[CreateFile, ...] = ()
    diagnostic: Diagnostic | None = None
    preferred: bool = False
    deferred: Deferred | None = None
    disabled: str = ""
    run: Run | None = None


CompletionKind = Literal[
    "note", "heading", "block", "relation", "tag", "alias", "file", "missing", "callout", "key",
    "value", "type",
]  # fmt: skip


class CompletionItem(NamedTuple):
    """`new_text` replaces `insert` or `replace`, as the user's editor has it.

    `path` and `anchor`, or `name` where it is no note, say what the item stands for, for its
    documentation. `edits` are made elsewhere when it is accepted, maybe in another note.
    `again` says that something is to be chosen right behind it.
    """

    label: str
    kind: CompletionKind
    new_text: str
    insert: Span
    replace: Span
    filter_text: str
    sort_text: str
    detail: str = ""
    description: str = ""
    path: str = ""
    anchor: str = ""
    name: str = ""
    edits: tuple[TextEdit, ...] = ()
    again: bool = False


class Completions(NamedTuple):
    """`incomplete` says that more would fit, so that the client asks again."""

    items: tuple[CompletionItem, ...] = ()
    incomplete: bool = False
