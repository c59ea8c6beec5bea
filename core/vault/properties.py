"""What frontmatter of a vault looks like: its keys, and their values that come again."""

from __future__ import annotations

from collections.abc import Mapping

from immutables import Map

from core.model import Note
from core.vault.postings import Tally

Values = Map[str, Map[str, int]]
"""Number of notes by key and value."""

_UNIQUE = frozenset((
    "title", "id", "name", "created", "updated", "modified", "date", "due", "start", "end",
    "aliases", "alias", "tags", "tag", "description", "summary", "permalink", "slug", "url",
))  # fmt: skip
"""Keys (lower case) whose values seldom come again, or are known from elsewhere."""
_LONGEST = 40


def values_of(note: Note | None) -> dict[str, dict[str, int]]:
    """The keys of a note's frontmatter, each with its short values, each counted once."""
    found: dict[str, dict[str, int]] = {}
    if note is None or note.frontmatter is None:
        return found
    for prop in note.frontmatter.properties:
        key = prop.key.strip()
        values = found.setdefault(key, {})
        if key.lower() in _UNIQUE:
            continue
        for value in prop.values:
            text = value.text.strip()
            if text and len(text) <= _LONGEST and "[[" not in value.raw and "\n" not in text:
                values[text] = 1
    return found


class ValueTally:
    """Changes to counts of values by key."""

    __slots__ = ("_tallies",)

    def __init__(self) -> None:
        self._tallies: dict[str, Tally] = {}

    def exchange(
        self, old: Mapping[str, Mapping[str, int]], new: Mapping[str, Mapping[str, int]]
    ) -> None:
        """A note had the values `old` and has `new`."""
        if old == new:
            return
        for key in (*new, *(key for key in old if key not in new)):
            before, after = old.get(key, {}), new.get(key, {})
            if before != after:
                if key not in self._tallies:
                    self._tallies[key] = Tally()
                self._tallies[key].exchange(before, after)

    def apply(self, base: Values) -> Values:
        """`base` with the changes; a key without values disappears."""
        if not self._tallies:
            return base
        out = base.mutate()
        for key, tally in self._tallies.items():
            if counts := tally.apply(out.get(key, Map())):
                out[key] = counts
            else:
                out.pop(key, None)
        return out.finish()
