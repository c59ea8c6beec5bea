"""Rename in a vault of texts: apply the edits, read it again, compare what links mean."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from core.features.document import Document
from core.features.linkage import linked
from core.features.rename import prepare_rename, rename
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale
from core.model import NOTE_SUFFIXES, Heading
from core.parse import parse_note
from core.vault.index import VaultIndex
from tests.support.fixture import parse_fixture

Texts = dict[str, str]
Meaning = tuple[str, int, str] | None
"""The note that a link means, and the position of the heading or the block in it."""


def index_of(texts: Mapping[str, str]) -> VaultIndex:
    notes = [parse_note(path, text) for path, text in texts.items() if path.endswith(NOTE_SUFFIXES)]
    return VaultIndex.build(notes, [path for path in texts if not path.endswith(NOTE_SUFFIXES)])


def renamed(
    texts: Mapping[str, str], path: str, at: int, name: str, locale: Locale = "en"
) -> Texts:
    """All texts after a rename at an offset."""
    index = index_of(texts)
    note = index.notes[path]
    return applied(texts, rename(index, Document.of(note, texts[path]), at, name, locale))


def applied(texts: Mapping[str, str], edit: VaultEdit) -> Texts:
    """All texts after the edit, which has to be in order and without overlaps."""
    result = dict(texts)
    places = [(e.path, *_span(e)) for e in edit.edits]
    assert places == sorted(places)
    for (path, _, end), (other, start, _) in pairwise(places):
        assert path != other or end <= start
    for one in reversed(edit.edits):
        start, end = _span(one)
        text = result[one.path]
        result[one.path] = text[:start] + one.new_text + text[end:]
    for move in edit.renames:
        assert move.new_path not in result
        result[move.new_path] = result.pop(move.path)
    return result


def meanings(texts: Mapping[str, str]) -> dict[str, list[Meaning]]:
    """What each link of each note means."""
    index = index_of(texts)
    found: dict[str, list[Meaning]] = {}
    for path, note in index.notes.items():
        found[path] = []
        for link in note.links:
            means = linked(index, link, note)
            if means.note is None:
                found[path].append(None)
                continue
            places = means.note.headings if isinstance(means.place, Heading) else means.note.blocks
            at = places.index(means.place) if means.place else -1
            kind = type(means.place).__name__ if means.place else "note" + "?" * bool(means.anchor)
            found[path].append((means.note.path, at, kind))
    return found


def lost(
    before: Mapping[str, str], after: Mapping[str, str], moved: Mapping[str, str] | None = None
) -> list[str]:
    """The links that meant something and mean something else now. That a broken link is
    whole now is no loss. `moved` are the new paths of notes that have another one."""
    moved = moved or {}
    was, now = meanings(before), meanings(after)
    found = []
    for path, old in was.items():
        new = now[moved.get(path, path)]
        if len(old) != len(new):
            found.append(f"{path}: {len(old)} links, now {len(new)}")
            continue
        for at, (one, other) in enumerate(zip(old, new, strict=True)):
            if one is None or one[2].endswith("?"):
                continue
            wanted = (moved.get(one[0], one[0]), *one[1:])
            if other != wanted:
                found.append(f"{path}: link {at} meant {wanted}, now {other}")
    return found


def check(source: str, name: str, expected: str, eol: str = "\n", locale: Locale = "en") -> Texts:
    """Renaming at the cursor gives `expected`: the files that differ, as a fixture."""
    fixture = parse_fixture(source.replace("\n", eol))
    before = fixture.files
    after = renamed(before, fixture.path, fixture.start, name, locale)
    wanted = before | parse_fixture(expected.replace("\n", eol)).files
    if moved := dict(
        zip(sorted(before.keys() - after), sorted(after.keys() - before), strict=True)
    ):
        wanted = {path: text for path, text in wanted.items() if path not in moved}
    assert after == wanted
    assert not lost(before, after, moved)
    return after


def prepared(source: str) -> tuple[str, str] | None:
    """The text of the range, and the placeholder."""
    fixture = parse_fixture(source)
    index = index_of(fixture.files)
    document = Document.of(index.notes[fixture.path], fixture.text)
    found = prepare_rename(index, document, fixture.start)
    if found is None:
        return None
    span, placeholder = found
    assert span.start <= span.end
    return fixture.text[span.start : span.end], placeholder


def _span(edit: object) -> tuple[int, int]:
    assert isinstance(edit, PlaceEdit)
    start, end = edit.place.start + edit.start, edit.place.start + edit.end
    assert edit.place.raw[edit.start : edit.end] != edit.new_text
    return start, end
