"""What a parsed note is: frozen, compact, and without any LSP or store in it.

Everything that stands somewhere in a note derives from `Place`: it carries its
code-point offset *and* what is needed to give its position in UTF-8, UTF-16 or
UTF-32 without the note's text. So references, backlinks and edits into closed
notes need no file to be read.

All structs are `array_like`, which makes the link cache small and fast to read;
adding, removing or reordering a field therefore needs a new
`core.parse.PARSER_VERSION`.
"""

from __future__ import annotations

import msgspec

NOTE_SUFFIXES = (".md", ".markdown")
"""File name endings of notes, lower case."""


class Span(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A half-open range of code-point offsets into a note's text."""

    start: int
    end: int

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def touches(self, offset: int) -> bool:
        """Whether a cursor at `offset` is inside or at either edge."""
        return self.start <= offset <= self.end


class Place(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Something written at one place of a note.

    `start` is the code-point offset of `raw` in the text, `line` is 0-based,
    `col` counts code points from the start of that line. `wide8` and `wide16` say
    how many *more* units the line's text before `col` has in UTF-8 and UTF-16.
    `raw` is the source text itself, unchanged.
    """

    start: int
    line: int
    col: int
    raw: str
    wide8: int = 0
    wide16: int = 0

    @property
    def end(self) -> int:
        return self.start + len(self.raw)

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + len(self.raw))

    def touches(self, offset: int) -> bool:
        """Whether a cursor at `offset` is inside or at either edge."""
        return self.start <= offset <= self.start + len(self.raw)


WIKILINK = "wikilink"
"""`[[target#heading|alias]]`, also with `!` in front (then `embed` is set)."""
MDLINK = "mdlink"
"""`[text](path.md#slug)`, also as image."""
DEFINITION = "definition"
"""`[label]: path.md`, the definition of a reference link."""
REFERENCE = "reference"
"""`[text][label]` or `[label]` defined in the same note; has no target span of its own."""
TEXTLINK = "text"
"""A plain frontmatter value that names a note (`depends_on: [Some note]`)."""

PLAIN = "plain"
INLINE_REL = "rel"
INLINE_FIELD = "field"
EDGE_CALLOUT = "callout"
FRONTMATTER = "frontmatter"


class Link(Place, frozen=True, array_like=True, gc=False):
    """A link from this note to something in the vault. External addresses are none.

    `raw` is the whole link as written (`![[A#H|x]]`, `[t](a.md#s)`). The `*_at` and
    `*_end` fields are offsets *into raw* of its parts, -1 where the part is missing.

    `form` says how it is written (WIKILINK, MDLINK, ...), `origin` in which
    construct it stands (PLAIN, INLINE_REL, INLINE_FIELD, EDGE_CALLOUT, FRONTMATTER).
    `relation` is the normalised kind for every origin but PLAIN; `key` is the
    frontmatter key as written. `target` has escapes undone and, in Markdown links,
    percent-decoding done once; it is "" for a link into the same note.
    `heading` is the text behind `#` as written (`H1#H2` for a path; a decoded slug in
    Markdown links), `block` the id behind `#^`.
    """

    form: str = WIKILINK
    target: str = ""
    heading: str | None = None
    block: str | None = None
    alias: str | None = None
    embed: bool = False
    origin: str = PLAIN
    relation: str | None = None
    key: str | None = None
    target_at: int = -1
    target_end: int = -1
    anchor_at: int = -1
    anchor_end: int = -1
    alias_at: int = -1
    alias_end: int = -1


class Heading(Place, frozen=True, array_like=True, gc=False):
    """A heading. `raw` is its content without the marks; `text` has inline markup
    removed; `slug` is GitHub's anchor, with `-1`, `-2`, ... for repeated ones."""

    level: int = 1
    text: str = ""
    slug: str = ""


class Block(Place, frozen=True, array_like=True, gc=False):
    """A block id. `raw` is `^id`, `id` the name without `^`. `first_line` is where the
    paragraph, list item or table that carries it begins."""

    id: str = ""
    first_line: int = 0


class Tag(Place, frozen=True, array_like=True, gc=False):
    """A tag. `raw` is as written (with `#` in the body), `name` without `#`."""

    name: str = ""
    in_frontmatter: bool = False


class KindMention(Place, frozen=True, array_like=True, gc=False):
    """A relation kind as written (`raw`); `kind` is its normalised snake_case form,
    `origin` the construct, as in `Link`."""

    kind: str = ""
    origin: str = INLINE_REL


class Field(Place, frozen=True, array_like=True, gc=False):
    """An inline field `key:: value`. `raw` is the key as written."""

    key: str = ""
    value: str = ""


class Callout(Place, frozen=True, array_like=True, gc=False):
    """A callout. `raw` is `[!type]`, `type` lower case; it ends with `last_line`."""

    type: str = ""
    title: str = ""
    last_line: int = 0


class Scalar(Place, frozen=True, array_like=True, gc=False):
    """A frontmatter value: `raw` as in the source (quotes included), `text` as meant,
    always a string."""

    text: str = ""


class Property(Place, frozen=True, array_like=True, gc=False):
    """A top-level frontmatter key (`raw`) with its values. `is_list` says whether it was
    written as a list; a nested mapping has no values and `nested` set."""

    key: str = ""
    values: tuple[Scalar, ...] = ()
    is_list: bool = False
    nested: bool = False
    last_line: int = 0


class Frontmatter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The YAML block at the top. Offsets cover both fences; `valid` is false where it had
    to be read line by line because it is not YAML."""

    start: int
    end: int
    end_line: int
    properties: tuple[Property, ...] = ()
    valid: bool = True


class Problem(Place, frozen=True, array_like=True, gc=False):
    """Something wrong in the source, at `raw`. `code` is the diagnostic's code,
    `reason` a stable key for its message, `detail` the variable part of it.
    `other_line` points to a related line, -1 for none."""

    code: str = ""
    reason: str = ""
    detail: str = ""
    other_line: int = -1


class Note(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One parsed note. `path` is relative to the vault, with `/`, as on disk."""

    path: str
    title: str
    note_id: str | None = None
    type: str | None = None
    aliases: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    tags: tuple[Tag, ...] = ()
    links: tuple[Link, ...] = ()
    kinds: tuple[KindMention, ...] = ()
    fields: tuple[Field, ...] = ()
    callouts: tuple[Callout, ...] = ()
    frontmatter: Frontmatter | None = None
    problems: tuple[Problem, ...] = ()
    line_count: int = 1
    body_start: int = 0
    body_line: int = 0

    @property
    def stem(self) -> str:
        """File name without a note suffix."""
        name = self.path.rpartition("/")[2]
        return strip_note_suffix(name)

    @property
    def folder(self) -> str:
        """Folder below the vault root, "" for the root."""
        return self.path.rpartition("/")[0]


def strip_note_suffix(name: str) -> str:
    """`name` without `.md` or `.markdown`; any other dot stays."""
    dot = name.rfind(".")
    return name[:dot] if dot > 0 and name[dot:].lower() in NOTE_SUFFIXES else name
