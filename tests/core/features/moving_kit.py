"""Vaults as texts that are moved about, and what their links mean before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from core.features.linkage import linked
from core.features.moving import moved_files
from core.features.results import PlaceEdit, TextEdit, VaultEdit
from core.model import NOTE_SUFFIXES, Link
from core.parse import parse_note
from core.vault.index import VaultIndex

Files = dict[str, str]
KINDS = ("depends_on",)


class Meaning(NamedTuple):
    """What one link says and means; `target` is a note's or another file's path."""

    form: str
    embed: bool
    origin: str
    relation: str | None
    target: str | None
    anchor: str
    place: int
    shown: str | None
    is_unresolved: bool


_NOTHING: dict[str, Any] = {"target": None, "is_unresolved": True, "anchor": "", "place": -1,
                            "shown": None}  # fmt: skip


def index_of(files: Mapping[str, str]) -> VaultIndex:
    """The index of a vault from nothing but its texts."""
    notes = [
        parse_note(path, text, KINDS)
        for path, text in files.items()
        if path.lower().endswith(NOTE_SUFFIXES)
    ]
    return VaultIndex.build(notes, (p for p in files if not p.lower().endswith(NOTE_SUFFIXES)))


def applied(files: Mapping[str, str], edits: Iterable[TextEdit | PlaceEdit]) -> Files:
    """The texts after edits; asserts that they do not overlap, and that each replaces what it
    says it does."""
    result = dict(files)
    by_path: dict[str, list[tuple[int, int, str]]] = {}
    for edit in edits:
        assert isinstance(edit, PlaceEdit)
        start = edit.place.start
        assert files[edit.path][start : edit.place.end] == edit.place.raw
        assert edit.place.raw[edit.start : edit.end] != edit.new_text, "an edit of nothing"
        by_path.setdefault(edit.path, []).append(
            (start + edit.start, start + edit.end, edit.new_text)
        )
    for path, changes in by_path.items():
        text, last = result[path], len(result[path])
        for start, end, new in sorted(changes, reverse=True):
            assert end <= last, "edits overlap"
            text, last = text[:start] + new + text[end:], start
        result[path] = text
    return result


def after(files: Mapping[str, str], change: VaultEdit, moves: Mapping[str, str]) -> Files:
    """The files when the texts are edited and then moved."""
    edited = applied(files, change.edits)
    real = moved_files(index_of(files), moves)
    taken = set(real.values())
    kept = {path: text for path, text in edited.items() if path not in real and path not in taken}
    return kept | {new: edited[old] for old, new in real.items()}


def meanings(index: VaultIndex) -> dict[str, list[Meaning]]:
    """What all links of all notes mean."""
    return {
        path: [_meaning(index, path, link) for link in note.links]
        for path, note in index.notes.items()
    }


def check_kept(
    before: Mapping[str, str], later: Mapping[str, str], moves: Mapping[str, str]
) -> None:
    """Every link means what it meant, with the moved files in the place of the old ones."""
    index = index_of(before)
    compared(meanings(index), meanings(index_of(later)), moved_files(index, moves), (before, later))


def compared(
    old: Mapping[str, list[Meaning]],
    new: Mapping[str, list[Meaning]],
    moved: Mapping[str, str],
    texts: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> None:
    """Asserts that all links of `new` mean what those of `old` did; `moved` files by old path."""
    for path, wanted in old.items():
        if path in moved.values() and path not in moved:
            continue  # another note took its place
        now = moved.get(path, path)
        found, shown = new[now], (path, texts[0].get(path), texts[1].get(now))
        assert len(found) == len(wanted), shown
        for one, other in zip(wanted, found, strict=True):
            if one.target is None:
                # what a link without a meaning may come to mean is nobody's business
                one, other = (each._replace(**_NOTHING) for each in (one, other))
            elif one.place < 0:
                other = other._replace(place=-1)
            else:
                # a heading may be called otherwise, if there is a link in it
                other = other._replace(anchor=one.anchor)
            one = one._replace(target=one.target and moved.get(one.target, one.target))
            assert one == other, shown


def _meaning(index: VaultIndex, path: str, link: Link) -> Meaning:
    source = index.notes[path]
    meant = linked(index, link, source)
    place = -1
    if meant.note is not None and meant.place is not None:
        places = [*meant.note.headings, *meant.note.blocks]
        place = next(at for at, one in enumerate(places) if one is meant.place)
    found = meant.resolution
    shown = link.target.partition("#")[0] if found.is_reversed else link.alias
    return Meaning(
        link.form, link.embed, link.origin, link.relation, found.path or found.attachment,
        meant.anchor, place, shown, found.is_unresolved,
    )  # fmt: skip
