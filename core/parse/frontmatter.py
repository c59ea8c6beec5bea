"""Frontmatter with source ranges: each key and value at its place, every value a string.

PyYAML composes the nodes, it never constructs values: `NO`, `0123`, `12:30` and dates stay
as they are written. A block that is not YAML is read key by key, so that one bad value
costs only itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import yaml

from core.model import Frontmatter, Problem, Property, Scalar
from core.parse.faults import Fault, find_faults
from core.parse.places import Places

CODE = "invalid-frontmatter"
_OPEN = re.compile(r"---[ \t]*(?:\r\n|\n|\r)")
_CLOSE = re.compile(r"---[ \t]*(?=[\r\n]|\Z)")
_KEY = re.compile(
    r"(?![\s#\-\[\]{},&*!|>%@`?:])"
    r"(\"[^\"\r\n]*\"[ \t]*|'[^'\r\n]*'[ \t]*|(?:[^:\r\n]|:(?!\s|\Z))++):(?=\s|\Z)"
)
_LINK = re.compile(r"!?\[\[[^\[\]\r\n]+\]\]")
_CUT = re.compile(r"[ \t]+(#[^\s#][^\r\n]*)")
_LONGEST_YAML = 128 * 1024
_MOST_ENTRIES = 2000
_MOST_FAULTS = 100
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NULLS = ("", "~", "null", "Null", "NULL")


class Fence(NamedTuple):
    """Offsets: `content`..`close` is what stands between the fences, `end` is behind the
    closing one (before its line end)."""

    content: int
    close: int
    end: int


class _Value(NamedTuple):
    start: int
    end: int
    text: str


class _Entry(NamedTuple):
    key_start: int
    key_end: int
    key: str
    values: list[_Value]
    is_list: bool
    nested: bool
    end: int


def find_fence(text: str) -> Fence | None:
    """The frontmatter's fences: `---` alone on the first line and on a later one.

    None where there is none, or where it is never closed: then it is text.
    """
    opened = _OPEN.match(text)
    if opened is None:
        return None
    at = opened.end()
    while True:
        at = text.find("---", at)
        if at < 0:
            return None
        closed = _CLOSE.match(text, at)
        if closed and text[at - 1] in "\r\n":
            return Fence(opened.end(), at, closed.end())
        at += 3


def read_frontmatter(
    text: str, fence: Fence, places: Places
) -> tuple[Frontmatter | None, tuple[Problem, ...]]:
    """The frontmatter between `fence`, and what is wrong with it.

    The first is None where the block holds no `key: value` at all: a text between two
    rules is a text. `places` is of the flattened text.
    """
    block = text[fence.content : fence.close]
    entries: list[_Entry] = []
    faults: list[Fault] = []
    valid = False
    root = None if len(block) > _LONGEST_YAML else _compose(block)
    if isinstance(root, yaml.MappingNode):
        entries, valid = list(islice(_entries(root, block, 0), _MOST_ENTRIES)), True
    elif not _content_lines(block):
        valid = True
    else:
        entries, faults = _read_by_key(block, root)
        if not entries:
            line = _content_lines(block)[0]
            fault = Fault(line[0], line[1], "not-a-mapping", "")
            return None, _problems(text, fence.content, [fault], places, {})
    if len(entries) >= _MOST_ENTRIES:
        last = entries[-1]
        faults.append(Fault(last.key_start, last.key_end, "too-many-keys", str(_MOST_ENTRIES)))
    faults += _duplicates(entries)
    faults += _cut_values(entries, block)
    faults.sort()
    shift = fence.content
    properties = tuple(_property(entry, text, shift, places) for entry in entries)
    lines = {prop.start: prop.line for prop in properties}
    problems = _problems(text, shift, faults[:_MOST_FAULTS], places, lines)
    end_line = places.at(fence.end)[0]
    return Frontmatter(0, fence.end, end_line, properties, valid), problems


def is_null(scalar: Scalar) -> bool:
    """Whether a value is YAML's null, written in any way."""
    return scalar.raw in _NULLS


def _compose(block: str) -> Any:
    """The root node; a YAMLError where the block is no YAML; None for an empty one."""
    try:
        return yaml.compose(block, Loader=_LOADER)
    except yaml.YAMLError as error:
        return error
    except (UnicodeError, ValueError, RecursionError) as error:
        # lone surrogates, and too deep nesting without libyaml
        return yaml.YAMLError(str(error))


def _entries(root: Any, block: str, shift: int) -> Iterator[_Entry]:
    """The entries of a mapping node; `shift` is where its text begins in the block."""
    for key, value in root.value:
        start, end = key.start_mark.index, key.end_mark.index
        name = key.value if isinstance(key, yaml.ScalarNode) else block[shift + start : shift + end]
        values, is_list, nested = _values(value, block, shift)
        last = max([end + shift, *(item.end for item in values)])
        if nested:
            last = shift + value.end_mark.index
        yield _Entry(shift + start, shift + end, name, values, is_list, nested, last)


def _values(node: Any, block: str, shift: int) -> tuple[list[_Value], bool, bool]:
    """`(values, is_list, nested)` of a value node."""
    written = _written(node, block, shift)
    if written is not None:
        return ([written] if written.end > written.start else []), False, False
    if isinstance(node, yaml.SequenceNode):
        found: list[_Value] = []
        for child in node.value:
            item = _written(child, block, shift)
            if item is not None and item.end > item.start:
                found.append(item)
        return found, True, False
    return [], False, True


def _written(node: Any, block: str, shift: int) -> _Value | None:
    """A scalar, or what people mean as one: `[[a link]]` and `{{a placeholder}}` without
    quotes, which YAML takes for nested collections."""
    start, end = shift + node.start_mark.index, shift + node.end_mark.index
    if isinstance(node, yaml.ScalarNode):
        raw = block[start:end]
        kept = raw.rstrip()
        return _Value(start, start + len(kept), node.value if kept else "")
    raw = block[start:end].rstrip()
    if raw.startswith("{{") or _LINK.fullmatch(raw):
        return _Value(start, start + len(raw), raw)
    return None


def _read_by_key(block: str, error: Any) -> tuple[list[_Entry], list[Fault]]:
    """Entries of a block that is no mapping as a whole, with what is wrong in it."""
    keys = list(islice(_lines_with_keys(block), _MOST_ENTRIES))
    entries: list[_Entry] = []
    faults: list[Fault] = []
    before = block[: keys[0].start()] if keys else block
    if keys:
        faults += [Fault(start, end, "yaml-syntax", "") for start, end in _content_lines(before)]
    for at, match in enumerate(keys):
        begin = match.start()
        end = keys[at + 1].start() if at + 1 < len(keys) else len(block)
        chunk = block[begin:end]
        node = _compose(chunk) if len(chunk) <= _LONGEST_YAML else yaml.YAMLError("too long")
        if isinstance(node, yaml.MappingNode):
            entries += _entries(node, block, begin)
            continue
        found, values, is_list = find_faults(chunk, match.end() - begin, node)
        faults += [fault.moved(begin) for fault in found]
        moved = [_Value(start + begin, stop + begin, text) for start, stop, text in values]
        last = max([match.end(), *(value.end for value in moved)])
        raw = match[1].rstrip()
        name = raw.strip("\"'")
        entries.append(_Entry(begin, begin + len(raw), name, moved, is_list, False, last))
    if keys and not faults and isinstance(error, yaml.YAMLError):
        # every part is fine alone
        mark = getattr(error, "problem_mark", None)
        start, end = _line_at(block, mark.index if mark else 0)
        faults.append(Fault(start, end, "yaml-syntax", getattr(error, "problem", "") or ""))
    return entries, faults


def _lines_with_keys(block: str) -> Iterator[re.Match[str]]:
    at = 0
    for line in re.split(r"(?<=\n)|(?<=\r)(?!\n)", block):
        if match := _KEY.match(block, at, at + len(line.rstrip("\r\n"))):
            yield match
        at += len(line)


def _content_lines(block: str) -> list[tuple[int, int]]:
    """Lines that are neither blank nor a comment, as `(start, end)` without outer blanks."""
    return [
        (match.start(), match.start() + len(match[0].rstrip()))
        for match in re.finditer(r"[^\s#][^\r\n]*|#[^\r\n]*", block)
        if match[0][0] != "#"
    ]


def _line_at(block: str, offset: int) -> tuple[int, int]:
    """The line of content at `offset`, or the last one before it."""
    lines = _content_lines(block)
    before = [line for line in lines if line[0] <= offset]
    return (before or lines or [(0, 0)])[-1]


def _duplicates(entries: list[_Entry]) -> Iterator[Fault]:
    first: dict[str, _Entry] = {}
    for entry in entries:
        earlier = first.setdefault(entry.key, entry)
        if earlier is not entry:
            yield Fault(
                entry.key_start, entry.key_end, "duplicate-key", entry.key, earlier.key_start
            )


def _cut_values(entries: list[_Entry], block: str) -> Iterator[Fault]:
    """Plain values that a `#` cuts short where hardly a comment is meant."""
    for entry in entries:
        if entry.nested or entry.is_list:
            continue
        start, end = (
            (entry.values[-1].start, entry.values[-1].end)
            if entry.values
            else (entry.key_end + 1, entry.key_end + 1)
        )
        if block[start : start + 1] in ("'", '"', "|", ">"):
            continue
        match = _CUT.match(block, end)
        if match is None:
            continue
        if not entry.values:
            start = match.start(1)
        yield Fault(start, match.start(1) + len(match[1].rstrip()), "comment-cuts-value",
                    match[1].rstrip())  # fmt: skip


def _property(entry: _Entry, text: str, shift: int, places: Places) -> Property:
    start = entry.key_start + shift
    raw = text[start : entry.key_end + shift]
    line, col, wide8, wide16 = places.at(start)
    scalars = []
    for value in entry.values:
        at = value.start + shift
        scalars.append(
            Scalar(at, *_place(places, at, text[at : value.end + shift]), text=value.text)
        )
    last = places.at(max(entry.end + shift - 1, start))[0]
    return Property(
        start, line, col, raw, wide8, wide16, entry.key, tuple(scalars), entry.is_list,
        entry.nested, last,
    )  # fmt: skip


def _place(places: Places, at: int, raw: str) -> tuple[int, int, str, int, int]:
    line, col, wide8, wide16 = places.at(at)
    return line, col, raw, wide8, wide16


def _problems(
    text: str, shift: int, faults: list[Fault], places: Places, lines: dict[int, int]
) -> tuple[Problem, ...]:
    """`lines` maps the offsets of keys to their lines."""
    found = []
    for fault in faults:
        at = fault.start + shift
        raw = text[at : fault.end + shift]
        other = lines.get(fault.other + shift, -1)
        found.append(Problem(at, *_place(places, at, raw), CODE, fault.reason, fault.detail, other))
    return tuple(found)
