"""Headings as people read them, and GitHub's anchors of them."""

from __future__ import annotations

import re
import unicodedata

_MARKUP = re.compile(r"[`*_~=\[\]\\<%^]")
_CODE = re.compile(r"(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)")
_COMMENT = re.compile(r"%%[^%]*+%%|<!--(?:[^-]|-(?!->))*+-->")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)|\[[^\[\]\n]*\])")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]+:[^<>\s]*)>")
_EMPHASIS = re.compile(
    r"(?<!\*)(\*{1,3})(?=[^\s*])([^\n]{0,200}?[^\s*])\1(?!\*)|(~~|==)(?=\S)([^\n]{0,200}?\S)\3"
)
_UNDERLINES = re.compile(r"(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HELD = re.compile(r"[\ue100-\uf0ff]")
_NOT_SLUG = re.compile(r"[^\w\- ]")
_BLOCK_ID = re.compile(r"(?<!\s)\s+\^[A-Za-z0-9-]+\Z")
_LONGEST = 1000
"""Headings beyond this length keep their markup: nobody reads them, and some patterns
here are not linear."""


def plain_text(raw: str) -> str:
    """`raw` without inline markup: emphasis, code marks, links, HTML, comments, escapes,
    block ids.

    A link is its alias, or what it names.
    """
    if not _MARKUP.search(raw) or len(raw) > _LONGEST:
        return " ".join(raw.split())
    held: list[str] = []

    def hold(text: str) -> str:
        # code and escaped characters must not be taken for markup later
        held.append(text)
        return chr(0xE100 + len(held) - 1) if len(held) <= 0xFFF else text

    text = _ESCAPE.sub(lambda m: hold(m[1]), raw) if "\\" in raw and "`" not in raw else raw
    if "`" in text:
        text = _CODE.sub(lambda m: hold(m[2].strip()), text)
        text = _ESCAPE.sub(lambda m: hold(m[1]), text)
    text = _COMMENT.sub("", _BLOCK_ID.sub("", text))
    text = _WIKILINK.sub(lambda m: m[2] or m[1].replace("#", " ").strip(), text)
    for _ in range(2):
        # an image may be the text of a link
        text = _LINK.sub(r"\1", text)
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    for _ in range(3):
        # strong within emphasis within a highlight
        text = _EMPHASIS.sub(lambda m: m[2] or m[4], text)
    text = _UNDERLINES.sub("", text)
    text = _HELD.sub(lambda m: _release(held, m[0]), text)
    return " ".join(text.split())


def _release(held: list[str], mark: str) -> str:
    at = ord(mark) - 0xE100
    return held[at] if at < len(held) else mark


class Slugs:
    """GitHub's heading anchors of one note, `-1`, `-2`, ... behind repeated ones."""

    __slots__ = ("_used",)

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def of(self, text: str) -> str:
        """The next anchor for a heading with this text."""
        base = slug(text)
        used = self._used
        if base not in used:
            used[base] = 0
            return base
        while True:
            used[base] += 1
            anchor = f"{base}-{used[base]}"
            if anchor not in used:
                used[anchor] = 0
                return anchor


def slug(text: str) -> str:
    """GitHub's anchor: lower case, punctuation dropped, each blank a `-`."""
    lowered = text.lower()
    if lowered.isascii():
        return _NOT_SLUG.sub("", lowered).replace(" ", "-")
    kept = [
        char
        for char in lowered
        if char.isalnum() or char in "_- " or unicodedata.category(char)[0] == "M"
    ]
    return "".join(kept).replace(" ", "-")
