"""Another text for a heading: in its line, and in every link that leads to it."""

from __future__ import annotations

import re

from core.errors import InvalidArguments
from core.features.keeping import kept
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale, say
from core.model import Heading
from core.parse import parse_note
from core.vault.anchors import comparable
from core.vault.index import VaultIndex

_BLOCK_ID = re.compile(r"\s+\^[A-Za-z0-9-]+\Z")
_PROBE = "probe"
_AFTER = f"\n\n[[{_PROBE}]]\n\n%% -->\n"
"""A link that must still be one behind the heading, and what would end an open comment."""


def rename_heading(
    index: VaultIndex, path: str, heading: Heading, new_name: str, locale: Locale = "en"
) -> VaultEdit:
    """The edits that give a heading of the note at `path` the text `new_name`.

    Its marks and a block id behind it stay. Wikilinks get the text without `[ ] | # ^`,
    Markdown links GitHub's slug; links to other headings of the note whose anchors change
    with it get theirs. Where the text is that of another heading, a link is led by one above
    (`Above#Text`). As title of its note it changes the links by title.

    Raises InvalidArguments for what is no heading's text, AlreadyExists where a link could
    not be written so that it means what it did.
    """
    name = new_name.strip()
    _check(heading, name, locale)
    if name == heading.raw[: text_end(heading)]:
        return VaultEdit()
    return kept(index, [PlaceEdit(path, heading, 0, text_end(heading), name)], {}, locale)


def text_end(heading: Heading) -> int:
    """Where in its `raw` the text of a heading ends: in front of a block id."""
    found = _BLOCK_ID.search(heading.raw)
    return found.start() if found else len(heading.raw)


def _check(heading: Heading, name: str, locale: Locale) -> None:
    if not name or "\n" in name or "\r" in name:
        raise InvalidArguments(
            say(
                locale,
                "A heading must be one line with some text",
                "Eine Überschrift muss eine Zeile mit etwas Text sein",
            )
        )
    if heading.col > heading.level:
        line = f"{'#' * heading.level} {name}"
    else:
        line = f"{name}\n{'===' if heading.level == 1 else '---'}"
    read = parse_note("n.md", f"text\n\n{line}{_AFTER}")
    found = read.headings
    if (
        [one.raw for one in found] != [name]
        or not comparable(found[0].text)
        or read.blocks
        or not read.links
        or read.links[-1].target != _PROBE
    ):
        raise InvalidArguments(
            say(
                locale,
                f"“{name}” would be read as something else than a heading",
                f"„{name}“ würde nicht als Überschrift gelesen",
            )
        )
