"""Where a renamed note goes: the path that a person's new name means, or why there is none."""

from __future__ import annotations

import re

from core.errors import AlreadyExists, InvalidArguments, NotIndexed, OutsideVault
from core.locale import Locale, say
from core.model import strip_note_suffix
from core.text import fold
from core.vault.ignore import is_hidden
from core.vault.index import VaultIndex
from core.vault.registry import folded_path
from core.vault.targets import is_relative, joined

_ILLEGAL = re.compile(r'[\\:*?"<>|#^\[\]\x00-\x1f\x7f]')
"""What some file system refuses, and what a wikilink cannot hold."""
_LONGEST = 255
"""Bytes in a file name, of all common file systems."""


def new_path(index: VaultIndex, path: str, new_name: str, locale: Locale = "en") -> str:
    """The vault path that the note at `path` gets with the name `new_name`.

    A name stays in the note's folder; a name with `/` is a path from the vault's root, with
    `./` or `../` in front one from the note's folder. A note suffix may be given, else the
    note keeps its own. Raises InvalidArguments for a name that is empty, hidden, too long or
    has characters that files or links cannot have; OutsideVault; AlreadyExists where another
    note or file has that path in any letter case; NotIndexed where there is no note at `path`.
    """
    if index.get(path) is None:
        raise NotIndexed(say(locale, f"{path} is not a note", f"{path} ist keine Notiz"))
    folder, _, own = path.rpartition("/")
    name = new_name.strip()
    base = folder if "/" not in name or is_relative(name) else ""
    found = joined(base, name)
    if found is None:
        raise OutsideVault(
            say(locale, f"“{name}” leaves the vault", f"„{name}“ liegt außerhalb des Vaults")
        )
    if strip_note_suffix(found) == found:
        found += own[len(strip_note_suffix(own)) :]
    stem = strip_note_suffix(name.rpartition("/")[2]).strip()
    _check_characters(name, stem, found, locale)
    if _is_taken(index, found, path):
        raise AlreadyExists(
            say(locale, f"“{found}” exists already", f"„{found}“ gibt es schon"),
            say(locale, "Choose another name", "Anderen Namen wählen"),
        )
    return found


def _check_characters(name: str, stem: str, path: str, locale: Locale) -> None:
    """Raises InvalidArguments where `path`, made of `name`, cannot be a note's."""
    if not stem or stem in (".", "..", ".md", ".markdown"):
        raise InvalidArguments(
            say(locale, "The name of a note cannot be empty", "Der Name darf nicht leer sein")
        )
    if bad := _ILLEGAL.search(name):
        char = bad[0] if bad[0].isprintable() else f"U+{ord(bad[0]):04X}"
        raise InvalidArguments(
            say(
                locale,
                f"The name of a note cannot hold {char}",
                f"Der Name einer Notiz darf kein {char} enthalten",
            )
        )
    parts = path.split("/")
    if any(is_hidden(part) for part in parts):
        raise InvalidArguments(
            say(locale, f"“{path}” would be hidden", f"„{path}“ wäre verborgen"),
            say(locale, "No name may begin with a dot", "Kein Name darf mit einem Punkt beginnen"),
        )
    if any(part != part.strip() for part in parts[:-1]):
        raise InvalidArguments(
            say(
                locale,
                "A folder's name cannot begin or end with a blank",
                "Ein Ordnername darf nicht mit einem Leerzeichen beginnen oder enden",
            )
        )
    if any(len(part.encode("utf-8", "surrogatepass")) > _LONGEST for part in parts):
        raise InvalidArguments(say(locale, "The name is too long", "Der Name ist zu lang"))


def _is_taken(index: VaultIndex, path: str, by: str) -> bool:
    """Whether a note or file other than `by` has this path, in whatever letter case, with
    whatever note suffix."""
    if fold(path) == fold(by):
        return False
    found = index.resolve_name(f"./{path}", "")
    same = {fold(path), folded_path(path)}
    return any(
        other != by and {fold(other), folded_path(other)} & same for other in found.candidates
    )
