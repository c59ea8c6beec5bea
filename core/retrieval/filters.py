"""From the filters of a request to a condition of the store."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from core.api import Filters
from core.errors import InvalidArguments
from core.ingest.records import date_number
from core.store.ports import Condition, In, Range, Where
from core.text import fold
from core.vault.index import VaultIndex


def condition_of(filters: Filters, index: VaultIndex) -> Condition | None:
    """What the chunks have to fulfil, None for no filter at all.

    Raises `InvalidArguments` for a date that is none.
    """
    required: list[Condition] = []
    if filters.types:
        required.append(In("type", filters.types))
    if filters.tags:
        required.append(In("tags", _tags(filters.tags, index)))
    if filters.note_ids:
        required.append(In("note_id", filters.note_ids))
    if filters.paths:
        required.append(In("note_id", [index.note_id(path) for path in _paths(filters, index)]))
    if filters.updated_since:
        since = date_number(filters.updated_since)
        if since is None:
            raise InvalidArguments(
                f"filters.updated_since: {filters.updated_since!r} is no date",
                "Write it as 2026-05-17.",
            )
        required.append(Range("updated", gte=since))
    return Where(all=required) if required else None


def _tags(wanted: Iterable[str], index: VaultIndex) -> list[str]:
    """Tags as written in the vault that are one of these or nested below one."""
    folded = [fold(tag.removeprefix("#")) for tag in wanted]
    return [
        tag
        for tag in index.tags
        if any(fold(tag) == one or fold(tag).startswith(f"{one}/") for one in folded)
    ]


def _paths(filters: Filters, index: VaultIndex) -> list[str]:
    return [path for path in index.paths if any(_matches(path, one) for one in filters.paths)]


def _matches(path: str, wanted: str) -> bool:
    wanted = wanted.strip("/")
    if path == wanted or path.startswith(f"{wanted}/"):
        return True
    return any(char in wanted for char in "*?[") and fnmatchcase(path, wanted)
