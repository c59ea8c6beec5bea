"""An estimate of how many tokens a model makes of a text, the same on every machine.

No model is asked. A word counts one token for each begun run of six letters or digits,
which is near what subword vocabularies make of German and English prose; each CJK
character (Han, kana, Hangul) counts one; other signs count one for each begun run of
three. Blanks count nothing. So the estimate adds up over pieces cut at blanks.
"""

from __future__ import annotations

import re
from itertools import islice

CJK = "\u1100-\u11ff\u2e80-\u2fdf\u3040-\u30ff\u3130-\u318f\u31f0-\u4dbf\u4e00-\u9fff"
CJK += "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
"""Characters of scripts written without blanks, as the inside of a character class."""

TOKEN = re.compile(rf"[{CJK}]|(?:(?![{CJK}])[^\W_]){{1,6}}|[^\w\s]{{1,3}}|_{{1,3}}")
"""Matches one estimated token."""

_TOKEN_ASCII = re.compile(r"[A-Za-z0-9]{1,6}|[^\sA-Za-z0-9_]{1,3}|_{1,3}")


def count_tokens(text: str) -> int:
    """Estimated number of tokens of `text`; linear in its length."""
    pattern = _TOKEN_ASCII if text.isascii() else TOKEN
    return len(pattern.findall(text))


def tail_start(text: str, tokens: int) -> int:
    """Where the last `tokens` tokens of `text` begin, moved on to the start of a word."""
    if tokens <= 0:
        return len(text)
    floor = max(0, len(text) - tokens * _MAX_CHARS)
    pattern = _TOKEN_ASCII if text.isascii() else TOKEN
    starts = [match.start() for match in pattern.finditer(text, floor)]
    start = floor if len(starts) <= tokens else starts[-tokens]
    return start if start == 0 else _word_start(text, start)


def head_end(text: str, tokens: int) -> int:
    """Where the first `tokens` tokens of `text` end, moved back to the end of a word."""
    if tokens <= 0:
        return 0
    end = 0
    pattern = _TOKEN_ASCII if text.isascii() else TOKEN
    for match in islice(pattern.finditer(text, 0, tokens * _MAX_CHARS), tokens):
        end = match.end()
    while end > 0 and _joined(text, end):
        end -= 1
    return end


_MAX_CHARS = 12
"""Code points looked at for one token of overlap; longer gaps give a shorter overlap."""

_CJK_CHAR = re.compile(rf"[{CJK}]")


def _word_start(text: str, at: int) -> int:
    while at < len(text) and _joined(text, at):
        at += 1
    return at


def _joined(text: str, at: int) -> bool:
    """Whether a cut at `at` would go through a word."""
    before, after = text[at - 1 : at], text[at : at + 1]
    if not (before and after) or before.isspace() or after.isspace():
        return False
    return not (_CJK_CHAR.match(before) or _CJK_CHAR.match(after))
