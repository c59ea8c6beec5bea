"""Where a draft is saved, and what a note gains that was saved before and has more now."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from core.chat.interview import draft_path
from core.chat.note_edit import with_property
from core.errors import InvalidArguments, OutsideVault
from core.features.action_context import ActionContext
from core.features.linktext import yaml_value
from core.features.results import CreateFile, TextEdit
from core.filename import SUFFIX, is_file_name, note_stem
from core.ids import path_note_id
from core.model import strip_note_suffix
from core.parse import parse_note
from core.text import LineIndex
from core.vault.ignore import is_hidden
from core.vault.targets import joined

_LINE_ENDS = re.compile(r"\r\n|\n|\r")
_MOST_COPIES = 1000


class Place(NamedTuple):
    """What the caller wishes; None for what the note says."""

    file_name: str | None = None
    folder: str | None = None


def new_file(
    context: ActionContext, markdown: str, place: Place, is_id: Callable[[str], bool]
) -> CreateFile:
    """The file for a draft, under a name that nothing has. Looks at the disk, through
    `context.is_taken`; `is_id` tells whether a note has an id.

    An id that another note has already is replaced, so that no two notes have one. Raises
    InvalidArguments and OutsideVault for names that no note can have.
    """
    note = parse_note("draft.md", markdown)
    folder = None if place.folder is None else checked_folder(context, place.folder)
    if place.file_name is None:
        title = "" if note.title == "draft" else note.title
        path = draft_path(context, note.type or "", title, folder)
    else:
        path = _named_path(context, note.type or "", place.file_name, folder)
    if note.note_id and is_id(note.note_id):
        markdown = with_property(markdown, "id", [f"id: {yaml_value(path_note_id(path))}"])
    return CreateFile(path, markdown if markdown.endswith(("\n", "\r")) else f"{markdown}\n")


def checked_folder(context: ActionContext, folder: str) -> str:
    """A folder as the caller names it, as a vault folder."""
    base = joined("", folder.replace("\\", "/").strip("/"))
    if base is None:
        raise OutsideVault(
            context.say(f"{folder} leaves the vault", f"{folder} liegt außerhalb des Vaults")
        )
    if any(is_hidden(part) or not is_file_name(part) for part in base.split("/") if base):
        raise InvalidArguments(f"folder: {folder} is no name for a folder of notes")
    return base


def grown(path: str, current: str, before: str | None, markdown: str) -> TextEdit | None:
    """The edit of a note that was saved before, so that it holds all of `markdown`.

    `before` is the markdown of the last save, None where that is not known. What is new is
    put at the end; what the person wrote into the note meanwhile stays. Raises ValueError
    where the two cannot be brought together.
    """
    eol = LineIndex(current).eol
    new, now = (_LINE_ENDS.sub("\n", text).rstrip() for text in (markdown, current))
    old = now if before is None else _LINE_ENDS.sub("\n", before).rstrip()
    if not new.startswith(old):
        if before is None and now.endswith(new):
            return None
        raise ValueError("the note is another one than the one that was saved")
    tail = new[len(old) :]
    if not tail.strip() or (before is not None and now != old and now.endswith(tail.strip())):
        return None
    end = len(current.rstrip())
    return TextEdit(path, end, len(current), _LINE_ENDS.sub(lambda _: eol, f"{tail}\n"))


def edited(current: str, edit: TextEdit) -> str:
    """The text after an edit."""
    return current[: edit.start] + edit.new_text + current[edit.end :]


def _named_path(context: ActionContext, kind: str, given: str, folder: str | None) -> str:
    stem = strip_note_suffix(given.strip())
    if "/" in given or "\\" in given or not stem.strip(". "):
        raise InvalidArguments(f"file_name: {given!r} is no file name; use folder for folders")
    stem = stem if is_file_name(stem + SUFFIX) else note_stem(stem)
    if folder is None:
        folder = draft_path(context, kind, "x").rpartition("/")[0]
    for number in range(1, _MOST_COPIES):
        name = stem if number == 1 else f"{note_stem(stem, 1)[:150]}-{number}"
        path = f"{folder}/{name}{SUFFIX}" if folder else f"{name}{SUFFIX}"
        if not context.is_taken(path):
            break
    return path
