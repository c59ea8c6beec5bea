"""Which notes' findings can differ between two snapshots: what to diagnose again."""

from __future__ import annotations

from collections.abc import Iterable

from core.model import Note
from core.vault.index import VaultIndex
from core.vault.registry import link_key, names_of


def affected(
    old: VaultIndex, new: VaultIndex, changed: Iterable[str], attachments: Iterable[str] = ()
) -> set[str]:
    """The paths of notes that `diagnose` may see differently in `new` than in `old`.

    `changed` are the notes and `attachments` the files that came, changed or went. Removed
    notes are in the result. Never too few; costs what the changed notes and the users of
    their names cost, not what the vault costs.
    """
    found = set(changed)
    keys = {link_key(path) for path in attachments}
    kinds: set[str] = set()
    for path in list(found):
        before, after = old.get(path), new.get(path)
        names = {*names_of(before)} if before else set()
        names ^= {*names_of(after)} if after else set()
        keys.update(link_key(written) for _, _, written in names)
        for index, note in ((old, before), (new, after)):
            if note is not None:
                found.update(index.duplicates(path))
                kinds.update(mention.kind for mention in note.kinds)
        if _told(before) != _told(after):
            found.update(old.sources(path), new.sources(path))
    for key in keys:
        found.update(old.users_of(key), new.users_of(key))
    for kind in kinds:
        if (old.kinds.get(kind, 0) > 1) != (new.kinds.get(kind, 0) > 1):
            for index in (old, new):
                found.update(path for path, _ in index.kind_mentions(kind))
    return found


def _told(note: Note | None) -> object:
    """What a finding at a link to the note says of it."""
    if note is None:
        return None
    headings = [(heading.level, heading.raw, heading.slug) for heading in note.headings]
    return note.title, headings, [block.id for block in note.blocks]
