"""What is wrong with one frontmatter entry that YAML refuses, and what it means anyway."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

UNQUOTED_COLON = "unquoted-colon"
RESERVED_CHARACTER = "reserved-character"
UNQUOTED_LINK = "unquoted-link"
TAB_INDENT = "tab-indent"
YAML_SYNTAX = "yaml-syntax"

_LINE = re.compile(r"[^\r\n]+")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?=\S)")
_TAB = re.compile(r"[ ]*\t[ \t]*(?=\S)")
_RESERVED = "@`%*&!>|,?]}"
_COLON = re.compile(r":(?=[ \t]|\Z)")
_COMMENT = re.compile(r"(?<![ \t])[ \t]+#[^\r\n]*\Z")


class Fault(NamedTuple):
    """A problem at offsets of the block; `other` is the offset of a related place."""

    start: int
    end: int
    reason: str
    detail: str = ""
    other: int = -1

    def moved(self, by: int) -> Fault:
        """The same fault in a text that has `by` more characters in front."""
        return self._replace(start=self.start + by, end=self.end + by)


def find_faults(
    chunk: str, value_at: int, error: Any
) -> tuple[list[Fault], list[tuple[int, int, str]], bool]:
    """Faults of the entry `chunk`, whose value begins at `value_at`; `error` is YAML's.

    Also the values as `(start, end, text)` that can be read all the same, and whether
    they are a list.
    """
    faults: list[Fault] = []
    values: list[tuple[int, int, str]] = []
    is_list = False
    for match in _LINE.finditer(chunk):
        start = match.start()
        on_key_line = start < value_at
        if not on_key_line:
            if _TAB.match(match[0]):
                faults.append(Fault(start, start + len(match[0].rstrip()), TAB_INDENT, ""))
            item = _ITEM.match(match[0])
            if item is None:
                continue
            start, is_list = start + item.end(), True
        else:
            start = value_at
        start, end = _bounds(chunk, start, match.end())
        if start == end:
            continue
        raw = chunk[start:end]
        if fault := _fault_of(raw, start):
            faults.append(fault)
        if on_key_line and raw[0] == "[" and raw[-1] == "]" and not raw.startswith("[["):
            values += _flow_items(raw, start)
            is_list = True
        else:
            values.append((start, end, _unquoted(raw)))
    if not faults:
        mark = getattr(error, "problem_mark", None)
        offset = min(mark.index if mark else 0, len(chunk))
        lines = [m for m in _LINE.finditer(chunk) if m[0].strip() and m.start() <= offset]
        line = lines[-1]
        start = line.start() + len(line[0]) - len(line[0].lstrip())
        detail = str(getattr(error, "problem", "") or "")
        faults.append(Fault(start, line.start() + len(line[0].rstrip()), YAML_SYNTAX, detail))
    return faults, values, is_list


def _fault_of(raw: str, start: int) -> Fault | None:
    """The fault of one value, None if the line alone does not show it."""
    end = start + len(raw)
    if raw[0] in _RESERVED:
        return Fault(start, end, RESERVED_CHARACTER, raw[0])
    if raw[0] in "\"'[{":
        if raw.startswith("[["):
            return Fault(start, end, UNQUOTED_LINK, raw)
        return None
    if _COLON.search(raw):
        return Fault(start, end, UNQUOTED_COLON, raw)
    return None


def _bounds(chunk: str, start: int, end: int) -> tuple[int, int]:
    """The value between two offsets of a line, without blanks and comment."""
    part = chunk[start:end]
    lead = len(part) - len(part.lstrip())
    if part.lstrip()[:1] not in ("'", '"'):
        part = _COMMENT.sub("", part)
    if part.lstrip().startswith("#"):
        return start + lead, start + lead
    return start + lead, max(start + lead, start + len(part.rstrip()))


def _flow_items(raw: str, start: int) -> list[tuple[int, int, str]]:
    """The parts of a flow list that YAML cannot read, split at each comma."""
    found = []
    at = start + 1
    for part in raw[1:-1].split(","):
        text = part.strip()
        if text:
            begin = at + len(part) - len(part.lstrip())
            found.append((begin, begin + len(text), _unquoted(text)))
        at += len(part) + 1
    return found


def _unquoted(raw: str) -> str:
    if len(raw) > 1 and raw[0] in "\"'" and raw[-1] == raw[0]:
        return raw[1:-1]
    return raw
