"""Tags: what may follow `#`, and tags in frontmatter values."""

from __future__ import annotations

import re

NAME = r"[^\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\\s]+"
"""Obsidian's rule: a tag ends at blanks and at ASCII punctuation other than `_ - /`."""

BEFORE = r"\s(\[{,;|>*~_\u2018\u201a\u201c\u201e\u00ab\u00bb"
"""What may stand in front of `#`, besides the start of the text."""

_PART = re.compile(r"[^,\s]+")
_NAME = re.compile(NAME)


def is_tag(name: str) -> bool:
    """Whether `name` (without `#`) is one: digits alone are an issue's number."""
    return not name.isdigit() and bool(name.strip("/"))


def listed_tags(value: str) -> list[tuple[int, str, str]]:
    """The tags in one frontmatter value, as `(offset, raw, name)`.

    They are separated by commas or blanks, each may have a `#` in front.
    """
    found: list[tuple[int, str, str]] = []
    for match in _PART.finditer(value):
        raw = match[0]
        name = raw.lstrip("#")
        inner = _NAME.match(name)
        if inner is None:
            continue
        name = inner[0].rstrip("/")
        if is_tag(name):
            at = match.start() + len(raw) - len(raw.lstrip("#"))
            found.append((at, name, name))
    return found
