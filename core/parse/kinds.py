"""Relation kinds as they are compared."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache

_SEPARATORS = re.compile(r"[\s\-]+")


@lru_cache(maxsize=4096)
def normal_kind(kind: str) -> str:
    """The snake_case form of a kind: lower case, NFC, blanks and hyphens as `_`."""
    folded = unicodedata.normalize("NFC", kind).casefold().strip()
    return sys.intern(_SEPARATORS.sub("_", folded))
