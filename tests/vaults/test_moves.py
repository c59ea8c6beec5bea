"""Real vaults: their most linked notes are renamed and moved, and back again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

import pytest

from core.features.linkage import target_span
from core.features.moving import move, moved_files, rename_note
from core.features.results import PlaceEdit, TextEdit
from core.model import REFERENCE, Link, Note
from core.parse import parse_note
from core.vault.index import VaultIndex
from core.vault.load import load_vault
from core.vault.scan import is_note_path
from tests.core.features.moving_kit import compared, meanings

REPOSITORY = Path(__file__).parents[2]
SHARED = REPOSITORY.parent / "shared" / "vaults"
VAULTS = [REPOSITORY / "examples" / "vault", *sorted(SHARED.glob("*/vault"))]
"""Those that are there: beside the repository there may be more."""
MOST = 10
ALONE = 3
NAMES = ("zug.größe_2", "Zug Größe 2 (v1.2)")
"""Dendron's `[[label|target]]` takes targets that look like one: no second name of this kind."""
FOLDER = "Ver schoben/tief"


class Files:
    """A copy of a vault on disk, with its index."""

    def __init__(self, source: Path, root: Path) -> None:
        shutil.copytree(source, root)
        self.root = root
        self.index = load_vault(root).index
        self.meanings = meanings(self.index)
        self.bytes = {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }

    def change(self, edits: tuple[TextEdit | PlaceEdit, ...], moves: Mapping[str, str]) -> None:
        """Make the edits, then the moves, then read again what was touched."""
        touched: dict[str, list[tuple[int, int, str]]] = {}
        for edit in edits:
            assert isinstance(edit, PlaceEdit)
            start = edit.place.start
            touched.setdefault(edit.path, []).append(
                (start + edit.start, start + edit.end, edit.new_text)
            )
        for path, changes in touched.items():
            text = (self.root / path).read_bytes().decode()
            # what a note's text does not count
            mark = "\ufeff" if text.startswith("\ufeff") else ""
            text, last = text[len(mark) :], len(text)
            for start, end, new in sorted(changes, reverse=True):
                assert end <= last, "edits overlap"
                text, last = text[:start] + new + text[end:], start
            (self.root / path).write_bytes(f"{mark}{text}".encode())
        for old, new in moves.items():
            (self.root / new).parent.mkdir(parents=True, exist_ok=True)
            (self.root / old).rename(self.root / new)
        paths = {moves.get(path, path) for path in touched} | set(moves.values())
        self.index = self.index.update(
            [self._read(path) for path in paths if is_note_path(path)],
            [path for path in moves if is_note_path(path)],
            [path for path in paths if not is_note_path(path)],
            [path for path in moves if not is_note_path(path)],
        )
        self.meanings = meanings(self.index)

    def differing(self, folded: frozenset[str] = frozenset()) -> list[str]:
        """The files that have other bytes than at first; of those in `folded` without regard to
        letter case."""
        found = []
        for path, data in self.bytes.items():
            now = (self.root / path).read_bytes()
            same = now.decode().casefold() == data.decode().casefold() if path in folded else False
            if now != data and not same:
                found.append(path)
        return found

    def _read(self, path: str) -> Note:
        return parse_note(path, (self.root / path).read_bytes().decode().removeprefix("\ufeff"))


def check_there(files: Files, moves: Mapping[str, str]) -> dict[str, str]:
    """Moves files: every link means what it meant. The moves that lead back."""
    before, wanted = files.index, files.meanings
    real = moved_files(before, moves)
    files.change(move(before, moves).edits, real)
    compared(wanted, files.meanings, real)
    assert files.index.counts.unresolved <= before.counts.unresolved
    return {new: old for old, new in real.items()}


def by_name(index: VaultIndex, path: str) -> Iterator[tuple[str, Link, str]]:
    """The links that name the file, and nothing else of the note: source, link and the name as
    written."""
    for source, link in index.backlinks(path):
        found = index.resolve(link, source)
        if found.way in ("path", "name") and link.form != REFERENCE:
            yield source, link, link.raw[slice(*target_span(link, found))]


def otherwise_spelled(index: VaultIndex, path: str) -> frozenset[str]:
    """The notes that name the file in other letters; how, is forgotten with the name."""
    stem = index.notes[path].stem
    links = by_name(index, path)
    return frozenset(source for source, _, written in links if stem not in unquote(written))


@pytest.mark.parametrize("vault", VAULTS, ids=lambda vault: vault.parent.name)
def test_the_most_linked_notes_are_renamed(vault: Path, tmp_path: Path) -> None:
    """Exactly the links by file name change; back again, all bytes are as before."""
    files = Files(vault, tmp_path / "vault")
    most = files.index.hubs[:MOST] or files.index.paths[:MOST]
    for path in most:
        before, meant = files.index, files.meanings
        folded = otherwise_spelled(before, path)
        edit = rename_note(before, path, NAMES[0])
        (renamed,) = edit.renames
        wanted = {(source, link.start) for source, link, _ in by_name(before, path)}
        assert {(edited.path, edited.place.start) for edited in edit.edits} >= wanted
        back = check_there(files, {path: renamed.new_path})
        check_there(files, back)
        assert files.differing(folded) == [], path
        assert files.index.counts == before.counts
        # a name with blanks in it, after which some links have to be turned around
        back = check_there(files, {path: renamed.new_path.replace(*NAMES)})
        check_there(files, back)
        for again, data in files.bytes.items():
            (files.root / again).write_bytes(data)
        files.index, files.meanings = before, meant
    # what was followed step by step is what a fresh look finds
    assert meanings(load_vault(files.root).index) == files.meanings


@pytest.mark.parametrize("vault", VAULTS, ids=lambda vault: vault.parent.name)
def test_the_most_linked_notes_are_moved(vault: Path, tmp_path: Path) -> None:
    """Some one by one into a folder three deep, then all at once."""
    files = Files(vault, tmp_path / "vault")
    most = files.index.hubs[:MOST] or files.index.paths[:MOST]
    moves = {
        path: f"{FOLDER}/{at}/{path.rpartition('/')[2]}" for at, path in enumerate(most, start=1)
    }
    for part in (*({old: new} for old, new in list(moves.items())[:ALONE]), moves):
        check_there(files, check_there(files, part))


@pytest.mark.parametrize("vault", VAULTS, ids=lambda vault: vault.parent.name)
def test_folders_are_renamed(vault: Path, tmp_path: Path) -> None:
    files = Files(vault, tmp_path / "vault")
    folders = sorted({path.partition("/")[0] for path in files.index.paths if "/" in path})
    for folder in folders:
        check_there(files, check_there(files, {folder: f"{folder} Größe"}))
        assert files.differing() == [], folder
