"""Another name for a tag and those nested below it, in texts and in frontmatter."""

from __future__ import annotations

import re

from core.errors import InvalidArguments
from core.features.keeping import kept
from core.features.references import to_tag
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale, say
from core.model import Tag
from core.parse.tags import NAME, is_tag
from core.vault.index import VaultIndex

_NAME = re.compile(NAME)


def tag_prefix(tag: Tag, offset: int) -> tuple[int, str]:
    """Where the name begins, and the name up to the end of the segment under the cursor: on
    `area` in `#area/sub` it is `area`, which has `sub` below it."""
    start = tag.start + len(tag.raw) - len(tag.raw.lstrip("#"))
    end = tag.name.find("/", max(offset - start, 0))
    return start, tag.name if end < 0 else tag.name[:end]


def rename_tag(index: VaultIndex, tag: str, new_name: str, locale: Locale = "en") -> VaultEdit:
    """The edits that call the tag `new_name`, wherever it is written and in whatever letter
    case, with all tags below it; each keeps its `#`, quotes and list.

    The name may be one that is used already: then the two become one. Raises InvalidArguments
    for what is no tag.
    """
    name = new_name.strip().removeprefix("#")
    if not _is_valid(name):
        raise InvalidArguments(
            say(
                locale,
                f"“{name}” cannot be a tag",
                f"„{name}“ kann kein Tag sein",
            ),
            say(
                locale,
                "A tag is letters, digits, _, - and / for nesting, and not digits alone",
                "Ein Tag besteht aus Buchstaben, Ziffern, _, - und / dazwischen, "
                "nicht nur aus Ziffern",
            ),
        )
    depth = tag.count("/") + 1
    edits = []
    for use in to_tag(index, tag):
        mark = len(use.place.raw) - len(use.place.raw.lstrip("#"))
        old = "/".join(use.place.raw[mark:].split("/")[:depth])
        if old != name:
            edits.append(PlaceEdit(use.path, use.place, mark, mark + len(old), name))
    return kept(index, edits, {}, locale)


def _is_valid(name: str) -> bool:
    """Whether `name` is a tag in a text and in frontmatter, also as a plain YAML value."""
    return (
        _NAME.fullmatch(name) is not None
        and is_tag(name)
        and all(name.split("/"))
        and any(char.isalnum() or not char.isascii() for char in name)
        and name.lower() != "null"
    )
