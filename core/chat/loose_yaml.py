"""Frontmatter as models write it, read as far as it can be understood. Never raises."""

from __future__ import annotations

import re
import textwrap
from typing import NamedTuple

from core.model import Property
from core.parse import parse_note
from core.parse.frontmatter import is_null
from core.text import fold

_BULLET = re.compile(r"^[ \t]*[-*•+][ \t]+(?=(?:\*\*|__)?[^\W\d_][\w -]{0,40}(?:\*\*|__)?[ \t]*:)")
_BOLD = re.compile(r"^(\s*)(?:\*\*|__)([^*:\n]+?)[ \t]*(?::(?:\*\*|__)|(?:\*\*|__)[ \t]*:)")
_WIDE_COLON = re.compile(r"^([^\W\d_][\w -]{0,40})[ \t]*：[ \t]*")
_TIGHT = re.compile(r"^([^\W\d_][\w-]{0,40}):(?=[^\s:/])")
_SPACED = re.compile(r"^([^\W\d_][\w -]{0,40}?)[ \t]+:(?=\s|$)")
_TABS = re.compile(r"^[ \t]*\t[ \t]*")
_STAR_ITEM = re.compile(r"^([ \t]*)[*•][ \t]+")
_PAIRS = (("“", "”"), ("„", "“"), ("”", "”"), ("«", "»"), ("»", "«"), ("`", "`"), ("**", "**"))
_KNOWN_WORDS = """
title type id status created updated area project tags depends_on assigned_to aliases priority
effort_min due lang source
"""
KNOWN = frozenset(_KNOWN_WORDS.split())
"""Keys by which frontmatter is known to be one."""


class Entry(NamedTuple):
    """A key with its values. `raw` is what was written where it is more than one or several
    plain values: a mapping, a text of many lines."""

    key: str
    values: tuple[str, ...] = ()
    is_list: bool = False
    raw: str = ""


class Loose(NamedTuple):
    """`stray` are lines that belong to no key; `broken` says that it is no YAML as written."""

    entries: tuple[Entry, ...] = ()
    stray: tuple[str, ...] = ()
    broken: bool = False


def read_loose(lines: list[str]) -> Loose:
    """Read the lines between two fences."""
    mended = mend(lines)
    text = "---\n" + "\n".join(mended) + "\n---\n"
    note = parse_note("draft.md", text)
    if note.frontmatter is None:
        return Loose((), tuple(line.strip() for line in mended if line.strip()), bool(mended))
    own = text.split("\n")
    covered: set[int] = set()
    entries = []
    for prop in note.frontmatter.properties:
        covered.update(range(prop.line, max(prop.last_line, prop.line) + 1))
        entry = _entry(prop, own)
        if entry is not None:
            entries.append(entry)
    stray = tuple(
        line.strip().lstrip("#").strip()
        for number, line in enumerate(own[1 : note.frontmatter.end_line], 1)
        if number not in covered and line.strip(" \t#")
    )
    broken = bool(note.problems) or not note.frontmatter.valid or mended != lines
    return Loose(tuple(entries), stray, broken)


def mend(lines: list[str]) -> list[str]:
    """Lines with what YAML does not know put right: tabs, bullets before keys, bold keys,
    `key:value`."""
    indents = [line for line in lines if _BULLET.match(line)]
    bulleted = len(indents) > 0 and all(
        _BULLET.match(line) or not line.strip() or line[:1] in " \t" for line in lines
    )
    found: list[str] = []
    whole = [line for line in lines if line.strip()]
    if whole and all(line[0] in " \t" for line in whole):
        lines = textwrap.dedent("\n".join(lines).expandtabs(2)).split("\n")
    for line in lines:
        line = _TABS.sub(lambda tabs: tabs[0].replace("\t", "  "), line.rstrip())
        bullet = _BULLET.match(line)
        if bullet and (bulleted or _key_of(line[bullet.end() :]) in KNOWN):
            line = line[bullet.end() :]
        line = _BOLD.sub(r"\1\2:", line)
        line = _WIDE_COLON.sub(r"\1: ", line)
        line = _SPACED.sub(r"\1:", line)
        if (tight := _TIGHT.match(line)) and fold(tight[1]) in KNOWN:
            line = f"{tight[1]}: {line[tight.end() :]}"
        found.append(_STAR_ITEM.sub(r"\1- ", line))
    return found


def _key_of(line: str) -> str:
    return fold(line.partition(":")[0].strip("*_ \"'"))


def _entry(prop: Property, lines: list[str]) -> Entry | None:
    key = prop.key.strip().strip("*_\"'").strip()
    if not key:
        return None
    written = lines[prop.line].partition(":")[2].strip()
    if prop.nested:
        below = lines[prop.line + 1 : prop.last_line + 1]
        return Entry(
            key, raw="\n".join([written, *below]).strip("\n") if written else _dedent(below)
        )
    values = [_plain(value.text) for value in prop.values if not is_null(value)]
    if not prop.is_list and written.startswith("#") and not values:
        return Entry(key, tuple(_plain(word) for word in written.split() if word.strip("#")), True)
    if not prop.is_list and len(values) == 1:
        (value,) = values
        if written[:1] not in "\"'|>" and fold(key) == "title" and " #" in written:
            value = _plain(written)  # a `#` in a title is no comment
        if value.startswith("[") and not value.startswith("[[") and "]" not in value:
            items = [_plain(item) for item in value[1:].split(",")]
            return Entry(key, tuple(item for item in items if item), True)
        if "\n" in value.strip():
            return Entry(key, raw=value.strip("\n"))
        return Entry(key, (value,))
    return Entry(key, tuple(value for value in values if value), prop.is_list)


def _dedent(lines: list[str]) -> str:
    return textwrap.dedent("\n".join(lines)).strip("\n")


def _plain(text: str) -> str:
    """A value without quotes that were opened or closed only once, or are typographic."""
    text = text.strip()
    for mark in "\"'":
        if text.startswith(mark) and text.count(mark) == 1:
            text = text[1:].strip()
        elif text.endswith(mark) and text.count(mark) == 1 and mark == '"':
            text = text[:-1].strip()
    for left, right in _PAIRS:
        inner = text[len(left) : len(text) - len(right)]
        wide = len(text) > len(left) + len(right)
        if wide and text.startswith(left) and text.endswith(right) and left not in inner:
            return inner.strip()
    return text
