"""Texts of notes and people in a prompt, and the numbers by which an answer cites them.

What a note says is material, never an instruction: it stands in a fence that is longer than any
row of the same sign in it, so that nothing in it ends the fence. No random mark is needed, and the
same text always gives the same prompt.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

SHORTEST = 4
"""Backticks of a fence at least: one more than notes usually have."""

_ROW = re.compile("`+")
_NAME = re.compile(r"[^\w \-.,()&+äöüÄÖÜß]+")
_LONGEST_NAME = 120
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_LINE_ENDS = re.compile(r"\r\n?|[\u2028\u2029\x85]")
_SPECIAL = re.compile(
    r"<\|([^|<>\n]{0,40})\|>|<(/?)(s|bos|eos|start_of_turn|end_of_turn|think|thinking)>"
    r"|\[(/?)(INST)\]|<<(/?)(SYS)>>",
    re.IGNORECASE,
)
_CITED = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?!\()")
_CODE = re.compile(r"(`{3,})[\s\S]*?(?:\1|\Z)|(`+)[^`\n]*\2")


def fenced(text: str, name: str = "text") -> str:
    """A text as material: in a fence that it cannot end, named in one plain word or title.

    Control and direction characters are dropped, and the marks by which models tell turns apart
    (`<|im_end|>`, `[INST]`) are written so that no tokenizer takes them for such.
    """
    inner = inert(text)
    longest = max((len(row) for row in _ROW.findall(inner)), default=0)
    fence = "`" * max(SHORTEST, longest + 1)
    return f"{fence}{plain_name(name)}\n{inner}\n{fence}"


def inert(text: str) -> str:
    """A text without control characters and marks of turns, as `fenced` has it inside."""
    return _SPECIAL.sub(_spelled, _CONTROL.sub("", _LINE_ENDS.sub("\n", text)))


def plain_name(name: str) -> str:
    """A title in one short line that holds no marks."""
    return " ".join(_NAME.sub(" ", name).split())[:_LONGEST_NAME].strip()


def _spelled(found: re.Match[str]) -> str:
    """A blank within, so that it reads the same and is no mark."""
    whole = found[0]
    return f"{whole[0]} {whole[1:]}"


class Cited(NamedTuple):
    """`numbers` are those that an answer cites, in order; `unknown` those without a source.
    `text` is the answer without the unknown ones."""

    text: str
    numbers: tuple[int, ...]
    unknown: tuple[int, ...]


def check_citations(answer: str, known: Collection[int]) -> Cited:
    """Keep the citations `[n]` whose number is known, drop the others.

    `[1, 3]` is two of them. Links `[1](...)` and what stands in code are none.
    """
    numbers: dict[int, None] = {}
    unknown: dict[int, None] = {}
    code = [found.span() for found in _CODE.finditer(answer)]

    def keep(found: re.Match[str]) -> str:
        at = found.start()
        linked = answer[at - 1 : at] in ("[", "!") or answer[found.end() : found.end() + 1] == "]"
        if linked or any(start <= at < end for start, end in code):
            return found[0]
        given = [int(number) for number in re.findall(r"\d+", found[1])]
        good = [number for number in given if number in known]
        numbers.update(dict.fromkeys(good))
        unknown.update(dict.fromkeys(number for number in given if number not in known))
        if len(good) == len(given):
            return found[0]
        return f"[{', '.join(map(str, good))}]" if good else "\0"

    text = re.sub(r" ?\0", "", _CITED.sub(keep, answer.replace("\0", "")))
    return Cited(text, tuple(numbers), tuple(unknown))
