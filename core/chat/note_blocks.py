"""Where the note stands in a model's answer: code fences, chatter, frontmatter and body.

Works on lines. What is not the note is given back as `around`, so that nothing is lost.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.chat.loose_yaml import KNOWN
from core.text import fold

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*$")
_RULE = re.compile(r"[ \t]*(?:-{3,}|—-?|–{2,}-?|—{2,})[ \t]*(?:ya?ml)?[ \t]*$", re.I)
_KEY = re.compile(
    r"[ \t]{0,1}(?:[-*•+][ \t]+)?(?:\*\*|__|[\"'])?([^\W\d_][\w -]{0,40}?)(?:\*\*|__|[\"'])?"
    r"[ \t]*(?::(?:\*\*|__)?(?=\s|$)|：|:(?=[\"'\[\w]))"
)
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+\S")
_NESTED = re.compile(r"[ \t]+\S|[-*•+][ \t]+\S|[\[\]{}]")
_NOTE_INFOS = frozenset(("markdown", "md", "mdx", "obsidian", "note"))
_YAML_INFOS = frozenset(("yaml", "yml", "frontmatter"))
_FLOW = re.compile(r"[ \t]*\{[ \t]*[\"'\w}]")
_STRAY_LINES = 20
"""Lines that are no YAML, between two that are, at most."""
_LOOK = 8
"""Lines that are looked at for the beginning of frontmatter in a block."""
_DEPTH = 4


class Located(NamedTuple):
    """`front` are the lines of the frontmatter, None where there is none. `found` says that
    there is a note, and not only a text."""

    front: list[str] | None
    body: list[str]
    around: list[str]
    found: bool
    repairs: tuple[str, ...] = ()


class CodeBlock(NamedTuple):
    """Lines `start` (the fence) to `end` (the closing one, or behind the last)."""

    start: int
    end: int
    info: str
    closed: bool


def locate(lines: list[str], depth: int = _DEPTH) -> Located:
    """The note in the lines of an answer."""
    blocks = code_blocks(lines)
    opener = front_begin(lines)
    block = next((one for one in blocks if _is_note(lines, one)), None)
    if block is not None and depth and (opener is None or block.start < opener):
        return _in_block(lines, block, blocks, depth)
    if opener is None:
        body = _without_open_fence(lines)
        return Located(None, body, [], False, ("code-fence",) if body is not lines else ())
    front, body, repairs = split_front(lines[opener:])
    around = lines[:opener]
    if any(line.strip() for line in around):
        repairs = (*repairs, "chatter")
    whole = _without_open_fence(body)
    if whole is not body:
        body, repairs = whole, (*repairs, "code-fence")
    return Located(front, body, around, True, repairs)


def _without_open_fence(lines: list[str]) -> list[str]:
    """The lines without a last fence that opens nothing: the end of one that was not opened."""
    for block in code_blocks(lines):
        if not block.closed and not any(line.strip() for line in lines[block.start + 1 :]):
            return lines[: block.start]
    return lines


def code_blocks(lines: list[str]) -> list[CodeBlock]:
    """The outermost code blocks."""
    found, at = [], 0
    while at < len(lines):
        opened = _FENCE.match(lines[at])
        if opened is None:
            at += 1
            continue
        end, closed = _closing(lines, at, opened)
        found.append(CodeBlock(at, end, opened[2].lower(), closed))
        at = end + closed
    return found


def front_begin(lines: list[str]) -> int | None:
    """The line with which frontmatter begins: a rule with a key behind it, or, at the very
    beginning, a key that notes have."""
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return None
    at = first
    while at < len(lines):
        if not _RULE.match(lines[at]):
            at += 1
            continue
        key = _next_content(lines, at + 1)
        if key is None:
            break
        if _begins_front(lines, key):
            return at
        at = key  # what is between are rules like this one
    return first if _begins_bare(lines, first) else None


def _begins_front(lines: list[str], at: int) -> bool:
    """Whether a line behind a rule is the first of frontmatter, all of which may be indented."""
    line = lines[at]
    if _HEADING.match(line):
        return _goes_on(lines, at)  # a comment of YAML
    return bool(_KEY.match(line) or _FLOW.match(line)) or _key(line.strip()) in KNOWN


def _begins_bare(lines: list[str], first: int) -> bool:
    """Whether frontmatter begins without a fence: with a key that notes have."""
    if _key(lines[first]) not in KNOWN:
        return False
    below = lines[first + 1] if first + 1 < len(lines) else "---"
    return any(form.match(below) for form in (_KEY, _RULE, _FENCE, _NESTED))


def split_front(lines: list[str]) -> tuple[list[str], list[str], tuple[str, ...]]:
    """`(frontmatter, body, repairs)` of lines that begin with frontmatter."""
    repairs: list[str] = []
    at = 0
    opened = 0
    while at < len(lines) and (
        not lines[at].strip() or _RULE.match(lines[at]) or _FENCE.match(lines[at])
    ):
        opened += bool(_RULE.match(lines[at]))
        if _FENCE.match(lines[at]):
            repairs.append("code-fence")
        at += 1
    if opened != 1:
        repairs.append("opening-fence" if opened == 0 else "doubled-fence")
    end, body = _front_end(lines, at)
    front = [line for line in lines[at:end] if not _FENCE.match(line)]
    if len(front) < end - at:
        repairs.append("code-fence")
    if body == end or (lines[end].strip() != "---" and _RULE.match(lines[end])):
        repairs.append("closing-fence")
    while body < len(lines) and _RULE.match(lines[body]):
        repairs.append("doubled-fence")
        body += 1
    rest = lines[body:]
    again = _next_content(rest, 0, rules=False)
    if again is not None and _RULE.match(rest[again]) and _is_front(rest, again):
        stop, behind = _front_end(rest, again + 1)
        if behind > stop and _key(rest[again + 1]) in KNOWN:
            repairs.append("second-frontmatter")
            return [*front, *rest[again + 1 : stop]], rest[behind:], tuple(dict.fromkeys(repairs))
    return front, rest, tuple(dict.fromkeys(repairs))


def _front_end(lines: list[str], at: int) -> tuple[int, int]:
    """`(end, body)`: behind the last line of the frontmatter, and where the body begins."""
    while at < len(lines):
        line = lines[at]
        if _RULE.match(line):
            return at, at + 1
        if not line.strip() or _FENCE.match(line):
            upcoming = _next_content(lines, at + 1, rules=False)
            if upcoming is None:
                return at, at
            if _RULE.match(lines[upcoming]):
                return upcoming, upcoming + 1
            if not (_key(lines[upcoming]) or lines[upcoming][:1] in " \t-"):
                return at, at + bool(_FENCE.match(line))
            at = upcoming
            continue
        elif not _is_yaml(line) and not _goes_on(lines, at):
            return at, at
        at += 1
    return len(lines), len(lines)


def _is_yaml(line: str) -> bool:
    return bool(_KEY.match(line) or _NESTED.match(line)) and not _HEADING.match(line)


def _goes_on(lines: list[str], at: int) -> bool:
    """Whether the frontmatter goes on behind a line that is no YAML: a fence follows soon, and
    no heading before it, or only keys."""
    keys = 0
    for below in lines[at + 1 : at + 1 + _STRAY_LINES]:
        if _RULE.match(below):
            return bool(keys) or not _HEADING.match(lines[at])
        if _HEADING.match(below) or not below.strip():
            return False
        keys += bool(_key(below))
    return False


def _in_block(lines: list[str], block: CodeBlock, blocks: list[CodeBlock], depth: int) -> Located:
    inner = locate(lines[block.start + 1 : block.end], depth - 1)
    behind = lines[block.end + block.closed :]
    around = [*lines[: block.start], *inner.around]
    repairs = ["code-fence", *inner.repairs] if not block.closed else list(inner.repairs)
    front, body = inner.front, inner.body
    if front is None and block.info in _YAML_INFOS:
        front, body, more = split_front(lines[block.start + 1 : block.end])
        repairs += [one for one in more if one != "closing-fence"]
    if front is not None and not any(line.strip() for line in body):
        # the body stands in a block of its own, or behind the block
        follower = next((one for one in blocks if one.start >= block.end + block.closed), None)
        if follower is not None and follower.info in _NOTE_INFOS:
            body = lines[follower.start + 1 : follower.end]
            around += lines[block.end + block.closed : follower.start]
            behind = lines[follower.end + follower.closed :]
        else:
            body, behind = behind, []
        repairs.append("split-blocks")
    around += behind
    if any(line.strip() for line in around):
        repairs.append("chatter")
    return Located(front, body, around, True, tuple(dict.fromkeys(repairs)))


def _closing(lines: list[str], start: int, opened: re.Match[str]) -> tuple[int, bool]:
    """`(line, whether it closes)` of the fence that ends a block. In a note, blocks of code
    may stand within fences of the same length."""
    mark, info = opened[1], opened[2].lower()
    nests = info in _NOTE_INFOS or info in _YAML_INFOS or _is_front(lines, start + 1)
    bare: list[int] = []
    inner = False
    for at in range(start + 1, len(lines)):
        found = _FENCE.match(lines[at])
        if found is None or found[1][0] != mark[0] or len(found[1]) < len(mark):
            continue
        if found[2]:
            if nests and not inner and found[2].lower() in _NOTE_INFOS and bare:
                break
            inner = inner or nests
        elif inner:
            inner = False
        elif not nests:
            return at, True
        else:
            bare.append(at)
    if len(bare) % 2:
        return bare[-1], True
    return len(lines), False


def _is_note(lines: list[str], block: CodeBlock) -> bool:
    return block.info in _NOTE_INFOS or _is_front(lines, block.start + 1)


def _is_front(lines: list[str], at: int) -> bool:
    """Whether frontmatter begins at a line, maybe behind further fences."""
    near = lines[at : at + _LOOK]
    first = _next_content(near, 0, rules=False)
    if first is None:
        return False
    if not _RULE.match(near[first]):
        return _begins_bare(near, first)
    key = _next_content(near, first + 1)
    return key is not None and _begins_front(near, key)


def _next_content(lines: list[str], at: int, *, rules: bool = True) -> int | None:
    """The next line that is neither blank nor a code fence nor, if wanted, a rule."""
    for number in range(at, len(lines)):
        line = lines[number]
        if line.strip() and not _FENCE.match(line) and not (rules and _RULE.match(line)):
            return number
    return None


def _key(line: str) -> str:
    """The key that a line begins with, "" for none."""
    found = _KEY.match(line)
    return fold(found[1]) if found else ""
