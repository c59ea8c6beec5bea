"""Another id for a block: where it stands, and in every link that leads to it."""

from __future__ import annotations

import re

from core.errors import AlreadyExists, InvalidArguments
from core.features.keeping import kept
from core.features.references import to_place
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale, say
from core.model import REFERENCE, Block
from core.vault.index import VaultIndex
from core.vault.resolve import find_block

_ID = re.compile(r"[A-Za-z0-9-]+")
_WRITTEN = re.compile(r"(?:\^|%5[Ee])([A-Za-z0-9-]+)")


def rename_block(
    index: VaultIndex, path: str, block: Block, new_name: str, locale: Locale = "en"
) -> VaultEdit:
    """The edits that give a block of the note at `path` the id `new_name`, with or without `^`.

    Raises InvalidArguments for what is no id, AlreadyExists where another block of the note
    has it.
    """
    name = new_name.strip().removeprefix("^")
    if not _ID.fullmatch(name):
        raise InvalidArguments(
            say(
                locale,
                "A block id holds letters from a to z, digits and hyphens only",
                "Eine Block-ID besteht nur aus Buchstaben von a bis z, Ziffern und Bindestrichen",
            )
        )
    if name == block.id:
        return VaultEdit()
    note = index.notes[path]
    if find_block(note, name) not in (None, block):
        raise AlreadyExists(
            say(
                locale,
                f"Another block of this note is called ^{name}",
                f"Ein anderer Block dieser Notiz heißt schon ^{name}",
            ),
            say(locale, "Choose another id", "Andere ID wählen"),
        )
    edits = [PlaceEdit(path, block, 1, len(block.raw), name)]
    for use in to_place(index, note, block):
        if getattr(use.place, "form", "") == REFERENCE:
            continue  # its definition names the block
        for found in _WRITTEN.finditer(use.place.raw, use.start, use.end):
            if found[1].lower() == block.id.lower():
                edits.append(PlaceEdit(use.path, use.place, found.start(1), found.end(1), name))
                break
    return kept(index, edits, {}, locale)
