"""Wikilinks and Markdown links: what their text means, and where its parts are.

Everything here works on the text of one link; the scanner finds them.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

from core.model import INLINE_REL, MDLINK, PLAIN, WIKILINK
from core.parse.kinds import normal_kind


class LinkParts(NamedTuple):
    """A link before its place is known: `start` and `end` are offsets in the note, the
    other fields are those of `model.Link`, in its order."""

    start: int
    end: int
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


_EXTERNAL_NAME = re.compile(r"(?!dendron:)[A-Za-z][A-Za-z0-9+.-]+://|mailto:")
_EXTERNAL_PATH = re.compile(r"(?!dendron:)[A-Za-z][A-Za-z0-9+.-]+:|//")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_REL = re.compile(r"[ \t]*rel:[ \t]*(?:([^\W\d][\w-]*)|\Z)")
_SIMPLE = re.compile(r"[^|#:\s][^|#:]*(?<!\s)")

_PLAIN_PAREN = r"[^\s()\\]++|\\."
_PARENS = rf"\((?:{_PLAIN_PAREN})*+\)"
for _ in range(5):
    _PARENS = rf"\((?:{_PLAIN_PAREN}|{_PARENS})*+\)"
_GAP = r"[ \t]*(?:\n[ \t]*)?"
_TITLE = r'(?:"(?:[^"\\\n]|\\.)*+"|\'(?:[^\'\\\n]|\\.)*+\'|\((?:[^()\\\n]|\\.)*+\))'
DESTINATION = re.compile(
    rf"\({_GAP}(?:<((?:[^<>\\\n]|\\.)*)>|((?![<(])(?:{_PLAIN_PAREN}|{_PARENS})++|\((?:{_PLAIN_PAREN}|{_PARENS})*+\)))"
    rf"(?:[ \t\n]{_GAP}{_TITLE})?{_GAP}\)"
)
"""What follows `[text]`: group 1 is a destination in angle brackets, 2 a bare one."""

DEFINITION_LINE = re.compile(
    r" {0,3}\[(?!\^)((?:[^\[\]\\\n]|\\.)+)\]:[ \t]*(?:<([^<>\n]*)>|([^\s<]\S*))"
    rf"(?:[ \t]+{_TITLE})?[ \t]*(?=\n|\Z)"
)
"""`[label]: destination "title"`."""


class Wikilink(NamedTuple):
    """The result for one `[[...]]`: its link (None where it has no target), and the
    relation kind in it as `(offset, raw)`."""

    link: LinkParts | None
    kind: tuple[int, str] | None = None


def wikilink(start: int, end: int, content: str, embed: bool) -> Wikilink:
    """Read `content`, the text between the brackets of a link at `start`..`end`."""
    at = 3 if embed else 2
    if _SIMPLE.fullmatch(content):
        stop = at + len(content)
        return Wikilink(
            LinkParts(start, end, WIKILINK, content, None, None, None, embed,
                      PLAIN, None, None, at, stop)
        )  # fmt: skip
    origin, relation, kind = PLAIN, None, None
    name, bar, alias = content.partition("|")
    alias_at = alias_end = -1
    shown: str | None = None
    if bar:
        alias_at = at + len(name) + 1
        alias_at, alias_end, shown = _trimmed(alias, alias_at)
        if name.endswith("\\"):
            # in a table the bar is escaped; the backslash belongs to it
            name = name[:-1]
    if match := _REL.match(name):
        if match[1] is None:
            return Wikilink(None)
        rest = name[match.end() :]
        kind = (start + at + match.start(1), match[1])
        if not rest[:1].isspace() or not rest.strip():
            return Wikilink(None, kind)
        origin, relation = INLINE_REL, normal_kind(match[1])
        at += match.end()
        name = rest
    elif _EXTERNAL_NAME.match(name.lstrip()):
        return Wikilink(None)
    name, hash_, anchor = name.partition("#")
    heading = block = None
    anchor_at = anchor_end = -1
    if hash_:
        anchor_at, anchor_end, heading = _trimmed(anchor, at + len(name) + 1)
        heading, block = _heading_or_block(heading)
    target_at, target_end, target = _trimmed(name, at)
    if target is None and heading is None and block is None:
        return Wikilink(None, kind)
    return Wikilink(
        LinkParts(
            start, end, WIKILINK, target or "", heading, block, shown, embed, origin,
            relation, None, target_at, target_end, anchor_at, anchor_end, alias_at, alias_end,
        ),
        kind,
    )  # fmt: skip


def _trimmed(part: str, at: int) -> tuple[int, int, str | None]:
    """`part`, which begins at `at`, without outer blanks: `(start, end, text)`."""
    text = part.strip()
    if not text:
        return -1, -1, None
    start = at + len(part) - len(part.lstrip())
    return start, start + len(text), text


def _heading_or_block(anchor: str | None) -> tuple[str | None, str | None]:
    if anchor is None:
        return None, None
    _, caret, block = anchor.rpartition("#^")
    if anchor.startswith("^"):
        return None, anchor[1:] or None
    if caret:
        return None, block or None
    return anchor, None


def markdown_link(
    start: int, end: int, text_at: int, text: str, destination: str, at: int, embed: bool,
    form: str = MDLINK,
) -> LinkParts | None:  # fmt: skip
    """A link to `destination` (as written, at offset `at` of the note); None if external.

    `text_at` is the offset of the link's text in the note, -1 for a definition.
    """
    if not destination or _EXTERNAL_PATH.match(destination):
        return None
    path, hash_, anchor = destination.partition("#")
    target = _decoded(path)
    heading, block = _heading_or_block(_decoded(anchor).strip() or None)
    if not target and heading is None and block is None:
        return None
    target_at = at - start if path else -1
    anchor_at = at + len(path) + 1 - start if hash_ and anchor else -1
    shown = " ".join(text.split()) or None
    return LinkParts(
        start, end, form, target, heading, block, shown, embed, PLAIN, None, None,
        target_at, target_at + len(path) if path else -1,
        anchor_at, anchor_at + len(anchor) if anchor_at >= 0 else -1,
        text_at - start if shown else -1, text_at - start + len(text) if shown else -1,
    )  # fmt: skip


def reference_link(
    start: int, end: int, text_at: int, text: str, definition: LinkParts, form: str, embed: bool
) -> LinkParts:
    """`[text][label]` with what its definition says; it has no target span of its own."""
    shown = " ".join(text.split()) or None
    return LinkParts(
        start, end, form, definition.target, definition.heading, definition.block, shown, embed,
        alias_at=text_at - start if shown else -1,
        alias_end=text_at - start + len(text) if shown else -1,
    )  # fmt: skip


def label_key(label: str) -> str:
    """How labels of reference links are compared."""
    return " ".join(label.split()).casefold()


def _decoded(part: str) -> str:
    """Backslash escapes undone, then percent-decoded once; what is not UTF-8 stays."""
    if "\\" in part:
        part = _ESCAPE.sub(r"\1", part)
    if "%" in part:
        try:
            return unquote(part, errors="strict")
        except UnicodeDecodeError:
            return part
    return part
