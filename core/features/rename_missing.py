"""Another name for a note that does not exist: in all links that name it."""

from __future__ import annotations

import re

from core.errors import InvalidArguments
from core.features.keeping import kept
from core.features.relink import relinked
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale, say
from core.model import REFERENCE, strip_note_suffix
from core.text import fold
from core.vault.index import VaultIndex

_NOT_IN_TARGET = re.compile(r"[\[\]|#^\n\r\\]")


def rename_missing(
    index: VaultIndex, target: str, new_name: str, locale: Locale = "en"
) -> VaultEdit:
    """The edits that make every link to the missing note `target` name `new_name` instead.

    Links count that are written with the same name, whatever its letter case and with or
    without a note suffix. If there is a note of the new name, they lead there from now on.
    Raises InvalidArguments for a name that a link cannot hold.
    """
    name = new_name.strip()
    wanted = fold(strip_note_suffix(target))
    edits: list[PlaceEdit] = []
    for path in index.may_name(target):
        note = index.notes[path]
        for link in index.unresolved_in(path):
            if link.form == REFERENCE or fold(strip_note_suffix(link.target)) != wanted:
                continue
            found = None
            if name and not _NOT_IN_TARGET.search(name):
                found = relinked(note, link, index.resolve(link, path), name)
            if found is None:
                raise InvalidArguments(
                    say(
                        locale,
                        f"“{name}” cannot be the target of a link",
                        f"„{name}“ kann kein Linkziel sein",
                    )
                )
            edits += found.edits
    return kept(index, edits, {}, locale)
