"""Rename in a vault of texts: apply the edits, read it again, compare what links mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from types import MappingProxyType

from core.features.document import Document
from core.features.linkage import linked
from core.features.rename import prepare_rename, rename
from core.features.results import PlaceEdit, VaultEdit
from core.locale import Locale
from core.model import NOTE_SUFFIXES, Heading, Link, Note
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
        assert isinstance(one, PlaceEdit)
        assert text[start:end] == one.place.raw[one.start : one.end]
        result[one.path] = text[:start] + one.new_text + text[end:]
    for move in edit.renames:
        assert move.new_path not in result
        result[move.new_path] = result.pop(move.path)
    return result


def reparsed(index: VaultIndex, texts: Mapping[str, str], paths: Iterable[str]) -> VaultIndex:
    """The index after these notes got these texts."""
    return index.update([parse_note(path, texts[path]) for path in paths])


def meanings(index: VaultIndex) -> dict[str, list[Meaning]]:
    """What each link of each note means."""
    return {
        path: [
            _meaning(index, note, link, target)
            for link, target in zip(note.links, index.targets(path), strict=True)
        ]
        for path, note in index.notes.items()
    }


def _meaning(index: VaultIndex, note: Note, link: Link, target: str | None) -> Meaning:
    if link.heading is None and link.block is None and "#" not in (link.alias or ""):
        return (target, -1, "note") if target is not None else None
    means = linked(index, link, note)
    if means.note is None:
        return None
    places = means.note.headings if isinstance(means.place, Heading) else means.note.blocks
    at = places.index(means.place) if means.place else -1
    kind = type(means.place).__name__ if means.place else "note" + "?" * bool(means.anchor)
    return means.note.path, at, kind


def lost(
    before: Mapping[str, str], after: Mapping[str, str], moved: Mapping[str, str] | None = None
) -> list[str]:
    """The links that meant something and mean something else now. That a broken link is
    whole now is no loss. `moved` are the new paths of notes that have another one."""
    return differences(meanings(index_of(before)), meanings(index_of(after)), moved or {})


def differences(
    was: Mapping[str, list[Meaning]],
    now: Mapping[str, list[Meaning]],
    moved: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """The same of what was read already."""
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
    assert after == wanted, {path: after.get(path) for path in wanted}
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
