"""Another title, alias or id in a note's frontmatter, and in the links that use it."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import structs

from core.errors import AlreadyExists, InvalidArguments
from core.features.keeping import kept
from core.features.linktext import yaml_inside
from core.features.pointed import Value
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale, say
from core.model import Note, Scalar, Span
from core.parse.frontmatter import is_null
from core.vault.index import VaultIndex


class NamedValue(NamedTuple):
    """`name` stands at `scalar.raw[start:end]` as the note's `what`."""

    what: str
    name: str
    scalar: Scalar
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.scalar.start + self.start, self.scalar.start + self.end)


def value_span(note: Note, value: Value, offset: int) -> NamedValue | None:
    """The title, alias or id at `offset`; None for other values, and for values in a form
    (several lines, an anchor) that has no one place for a name."""
    scalar, raw = value.scalar, value.scalar.raw
    if is_null(scalar) or raw[:1] in "|>&*!" or "\n" in raw or "\r" in raw:
        return None
    quoted = len(raw) > 1 and raw[0] in "\"'" and raw[-1] == raw[0]
    name = " ".join(scalar.text.split())
    start, end = int(quoted), len(raw) - quoted
    if value.key == "title" and name == note.title:
        return NamedValue("title", name, scalar, start, end)
    if value.key == "id" and name == note.note_id:
        return NamedValue("id", name, scalar, start, end)
    if value.key in ("alias", "aliases"):
        if not quoted and not value.named.is_list:
            start, end = _part_at(raw, offset - scalar.start)
            name = " ".join(raw[start:end].split())
        if name in note.aliases:
            return NamedValue("alias", name, scalar, start, end)
    return None


def rename_value(
    index: VaultIndex, path: str, value: NamedValue, new_name: str, locale: Locale = "en"
) -> VaultEdit:
    """The edits that give the note at `path` another title, alias or id; links that mean the
    note by the old one get the new one, all others stay.

    Raises InvalidArguments for an empty name, AlreadyExists where another note has the id or
    a link would come to mean another note.
    """
    name = " ".join(new_name.split())
    if not name or "\n" in new_name.strip() or "\r" in new_name.strip():
        raise InvalidArguments(
            say(locale, "The name cannot be empty", "Der Name darf nicht leer sein")
        )
    if name == value.name:
        return VaultEdit()
    note = index.notes[path]
    is_part = (value.start, value.end) != (0, len(value.scalar.raw))
    quote = value.scalar.raw[0] if value.start and value.scalar.raw[0] in "\"'" else ""
    if is_part and not quote and "," in name:
        raise InvalidArguments(
            say(locale, "An alias in a row of several cannot hold a comma",
                "Ein Alias in einer Reihe darf kein Komma enthalten")
        )  # fmt: skip
    if value.what == "id":
        other = index.resolve_name(name, path)
        if other.way == "id" and other.path != path:
            raise AlreadyExists(
                say(locale, f"“{other.path}” has this id", f"„{other.path}“ hat diese ID"),
                say(locale, "Choose another id", "Andere ID wählen"),
            )
    if value.what == "title":
        after = structs.replace(note, title=name)
    elif value.what == "id":
        after = structs.replace(note, note_id=name)
    else:
        names = [name if alias == value.name else alias for alias in note.aliases]
        after = structs.replace(note, aliases=tuple(dict.fromkeys(names)))
    edit = PlaceEdit(path, value.scalar, value.start, value.end, yaml_inside(name, quote))
    return kept(index, [edit], {path: after}, locale)


def _part_at(raw: str, at: int) -> tuple[int, int]:
    """The part between commas that `raw[at]` is in, without outer blanks."""
    start = raw.rfind(",", 0, max(at, 0)) + 1
    end = raw.find(",", max(at, start))
    part = raw[start : len(raw) if end < 0 else end]
    start += len(part) - len(part.lstrip())
    return start, start + len(part.strip())
