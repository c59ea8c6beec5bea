"""What no note wants of a model's text: odd characters, thoughts, HTML entities."""

from __future__ import annotations

import html
import re

_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNWRITABLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ufeff\ud800-\udfff\ufffe\uffff]"
)
"""What YAML or a file cannot hold, and marks of no width that nobody sees."""
_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>.*?</\1>\s*", re.I | re.S)
_OPEN_THOUGHT = re.compile(r"\s*<(?:think|thinking|thought|reasoning)>", re.I)
_THOUGHT_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.I)
_NOTE_BEGIN = re.compile(r"^(?:---[ \t]*$|[`~]{3,})", re.M)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#0*3[49]|#x0*2[27]);", re.I)
_CODE = re.compile(
    r"^ {0,3}(?P<mark>`{3,}|~{3,})[^\n]*\n(?:.*\n)*? {0,3}(?P=mark)[`~]*[ \t]*$"
    r"|^ {0,3}(?:`{3,}|~{3,})[^\n]*\n[\s\S]*|(?P<ticks>`+)[^`\n]+(?P=ticks)",
    re.M,
)


def plain_lines(text: str) -> str:
    """The text with `\\n` as its only line end, and without what a note cannot hold."""
    return _UNWRITABLE.sub("", _LINE_ENDS.sub("\n", text))


def without_thoughts(text: str) -> str:
    """The text without what a model thought before it answered: `<think>…</think>` in front,
    also where one of the two tags is missing."""
    while found := _THOUGHT.match(text):
        text = text[found.end() :]
    if opened := _OPEN_THOUGHT.match(text):
        # never ended: from where a note begins it is no thought
        begin = _NOTE_BEGIN.search(text, opened.end())
        return text[begin.start() :] if begin else ""
    begin = _NOTE_BEGIN.search(text)
    ended = _THOUGHT_END.search(text, 0, begin.start() if begin else len(text))
    if ended and "`" not in text[: ended.start()] and not _in_sentence(text, ended):
        text = text[ended.end() :].lstrip()
    return text


def _in_sentence(text: str, ended: re.Match[str]) -> bool:
    """Whether a tag stands in the middle of a line: then the text speaks of it."""
    behind = text[ended.end() : ended.end() + 1]
    return behind not in ("", "\n") and text[max(ended.start() - 1, 0)] != "\n"


def without_entities(text: str, *, has_code: bool = True) -> str:
    """The text with `&amp;` and the like as the signs that they mean, code left as it is."""
    if not _ENTITY.search(text):
        return text
    if not has_code:
        return _unescaped(text)
    parts, at = [], 0
    for found in _CODE.finditer(text):
        parts += [_unescaped(text[at : found.start()]), found[0]]
        at = found.end()
    return "".join((*parts, _unescaped(text[at:])))


def _unescaped(text: str) -> str:
    while True:
        new = _ENTITY.sub(lambda found: html.unescape(found[0]).replace("\xa0", " "), text)
        if new == text:  # `&amp;amp;` was written twice over
            return text
        text = new
