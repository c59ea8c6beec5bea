"""Folder globs: what `paths` of a type are written in."""

from __future__ import annotations

import re

from core.text import fold

_MANY = "**"


def check_glob(glob: str) -> str:
    """`glob` itself; raises ValueError where it could never match a note of the vault."""
    if "\\" in glob:
        raise ValueError(f"“{glob}”: folders are separated by `/`, on Windows as well")
    segments = fold(glob).strip("/").split("/")
    if not any(segments):
        raise ValueError("names no folder; `**` stands for the whole vault")
    for segment in segments:
        if segment in ("", ".", ".."):
            raise ValueError(
                f"“{glob}” is no folder from the vault root: no empty part, `.` or `..`"
            )
        if _MANY in segment and segment != _MANY:
            raise ValueError(f"“{glob}”: `**` stands alone between two `/`")
    if re.match(r"[a-z]:$|~$", segments[0]):
        raise ValueError(f"“{glob}” is no folder from the vault root")
    return glob


def folder_pattern(glob: str) -> re.Pattern[str]:
    """The pattern of a folder glob, to be matched at the start of a folded note path.

    Globs begin at the vault root and match whole path segments: `*` within one segment,
    `**` over any number of them. Everything below a matching folder matches; upper and
    lower case are the same.
    """
    parts: list[str] = []
    for segment in fold(glob).strip("/").split("/"):
        if segment != _MANY:
            parts.append(_within(segment) + "/")
        elif not parts or parts[-1] != _ANY_FOLDERS:
            parts.append(_ANY_FOLDERS)
    # the last segment may also be the note itself
    body = "".join(parts).removesuffix("/")
    return re.compile(body + r"(?:/|$)" if not body.endswith(")*") else body)


_ANY_FOLDERS = r"(?:[^/]+/)*"


def _within(segment: str) -> str:
    """The pattern of one segment. What lies between two stars is taken at its first place
    and never tried elsewhere, so that many stars take no time."""
    first, *rest = (
        "".join("[^/]" if c == "?" else re.escape(c) for c in part)
        for part in re.sub(r"\*+", "*", segment).split("*")
    )
    if not rest:
        return first
    *middle, last = rest
    return first + "".join(f"(?>[^/]*?{part})" for part in middle) + "[^/]*" + last
