"""Values that several YAML files have: lists of texts, and relation kinds."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BeforeValidator

from core.parse.kinds import normal_kind

_KIND = re.compile(r"[^\W\d_][^\[\](){}:`|<>#\"\s]*")


def as_list(value: Any) -> Any:
    """A text where a list is expected is a list of one, nothing is an empty one."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def check_kind(kind: str) -> str:
    """The normal form of a relation kind; raises ValueError for what is none."""
    normal = normal_kind(kind)
    if not _KIND.fullmatch(normal):
        raise ValueError(f"“{kind}” is no relation kind: a letter, then letters, digits and `_`")
    return normal


Texts = Annotated[tuple[str, ...], BeforeValidator(as_list)]
"""A list of texts."""
