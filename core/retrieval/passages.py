"""Parts of a note whose meaning tells what it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from core.chunking.chunks import SECTION_SEPARATOR, Chunk
from core.text import fold

MIN_WORDS = 20
"""Words of its own that a passage needs: boilerplate and lists of links are near everything."""
MAX_POINTING = 0.3
"""Share of links and addresses in a text from which on it is about other notes."""

MIN_PROSE = 0.5
"""Share of a text that must be neither link nor code nor table: code is near all code."""
SHINGLE = 4
FORMULA_IN = 3
"""Other notes that have a phrase from which on it is a formula of the vault."""
MAX_SHARED = 0.2
"""Share of the shorter text's runs of `SHINGLE` words that the other has too from which on
the two are near because of one template."""

_POINTERS = re.compile(
    r"!?\[\[[^\]\n]*\]\]|!?\[[^\]\n]*\]\([^)\n]*\)|\b[A-Za-z][A-Za-z0-9+.-]*://\S+|(?<!`)`[^`\n]+`(?!`)"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]")
_CALLOUT_TITLE = re.compile(r"^[ >\t]*\[![^\]\n]+\][+-]?[ \t]+(\S.*)", re.MULTILINE)
_FENCED = re.compile(r"^[ >\t]*(`{3,}|~{3,}).*?(?:^[ >\t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^[ >\t]*\|.*", re.MULTILINE)


def is_telling(text: str) -> bool:
    """Whether a chunk's text says something itself, and not what other notes say."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    if _HEADING.match(heading) and "[[" in heading:
        return False
    own = _POINTERS.sub(" ", text)
    if len(text) - len(own) > MAX_POINTING * len(text):
        return False
    own = _ROW.sub("", _FENCED.sub("", own))
    if len(own) < MIN_PROSE * len(text):
        return False
    body = (line for line in own.splitlines() if not _HEADING.match(line))
    return len(_WORD.findall("\n".join(body))) >= MIN_WORDS


def shares_wording(text: str, other: str) -> bool:
    """Whether two texts have runs of words in common, as pages made from one template have."""
    mine, theirs = _shingles(text), _shingles(other)
    return len(mine & theirs) > MAX_SHARED * min(len(mine), len(theirs))


@lru_cache(maxsize=512)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return frozenset(zip(*(words[at:] for at in range(SHINGLE)), strict=False))


def formula(text: str, others: Iterable[str]) -> float:
    """Share of a text's words that stand in phrases which several of the others have too: “is a
    part of the … plugin, see its page for the options”."""
    words = _WORD.findall(text.lower())
    runs = [tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1)]
    seen = Counter(run for other in others for run in _shingles(other).intersection(runs))
    known = {
        at + step
        for at, run in enumerate(runs)
        if seen[run] >= FORMULA_IN
        for step in range(SHINGLE)
    }
    return len(known) / len(words) if words else 0.0


def labels(text: str, section_path: str) -> frozenset[str]:
    """What a chunk says of itself: its own heading, and the titles of its callouts; folded."""
    found = [match[1] for match in _CALLOUT_TITLE.finditer(text)]
    found.append(section_path.rpartition(SECTION_SEPARATOR)[2])
    return frozenset(fold(one) for one in found if one.strip())


def some(chunks: Sequence[Chunk], count: int) -> list[Chunk]:
    """Up to `count` chunks, evenly from the whole note."""
    if len(chunks) <= count:
        return list(chunks)
    return [chunks[at * len(chunks) // count] for at in range(count)]
