"""Round trips through real vaults: what is used most is renamed there and back again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from urllib.parse import unquote

import pytest

from core.features.linkage import linked
from core.features.rename_block import rename_block
from core.features.rename_heading import rename_heading
from core.features.rename_kind import rename_kind
from core.features.rename_tag import rename_tag
from core.features.results import PlaceEdit, VaultEdit
from core.model import Block, Heading
from core.parse import parse_note
from core.parse.properties import TEXT_LINK_KEYS
from core.vault.index import VaultIndex
from core.vault.read import read_note
from core.vault.scan import scan
from tests.core.features.rename_kit import Meaning, Texts, applied, differences, meanings, reparsed

REPOSITORY = Path(__file__).parents[3]
SHARED = REPOSITORY.parent / "shared" / "vaults"
VAULTS = [REPOSITORY / "examples" / "vault"]
VAULTS += sorted(path for path in SHARED.glob("*") if path.is_dir()) if SHARED.is_dir() else []
MOST = 10


class RealVault:
    def __init__(self, root: Path) -> None:
        found = scan(root)
        self.texts: Texts = {path: read_note(root, path).text for path in found.notes}
        notes = [parse_note(path, text) for path, text in self.texts.items()]
        self.index = VaultIndex.build(notes, found.attachments)

    @cached_property
    def places(self) -> list[tuple[str, Heading | Block]]:
        """The most linked headings and blocks."""
        counts: Counter[tuple[str, int]] = Counter()
        places = {}
        for note in self.index.notes.values():
            for link in note.links:
                means = linked(self.index, link, note)
                if means.note is not None and means.place is not None:
                    key = (means.note.path, means.place.start)
                    counts[key] += 1
                    places[key] = means.place
        most = sorted(counts, key=lambda key: (-counts[key], key))
        headings = [key for key in most if isinstance(places[key], Heading)]
        blocks = [key for key in most if isinstance(places[key], Block)]
        return [(key[0], places[key]) for key in (*headings[:MOST], *blocks[:MOST])]

    @cached_property
    def meanings(self) -> dict[str, list[Meaning]]:
        return meanings(self.index)

    def there_and_back(self, there: VaultEdit, back: Callable[[VaultIndex], VaultEdit]) -> None:
        """`there` loses no link's meaning and changes nothing else; the edit that `back` makes
        of the index after it writes what was there before, but for odd spellings of links."""
        after = applied(self.texts, there)
        touched = {edit.path for edit in there.edits}
        assert {path for path in after if after[path] != self.texts[path]} == touched
        index = reparsed(self.index, after, touched)
        now = meanings(index)
        assert not differences(self.meanings, now)
        edit = back(index)
        again = applied(after, edit)
        assert len(edit.edits) == len(there.edits)
        odd = set()
        for one, other in zip(there.edits, edit.edits, strict=True):
            assert isinstance(one, PlaceEdit)
            before = one.place.raw[one.start : one.end]
            if other.new_text != before:
                odd.add(one.path)
                assert letters(other.new_text) == letters(before)
        for path in touched - odd:
            assert again[path] == self.texts[path], path
        last = reparsed(index, again, touched)
        assert not differences(now, meanings(last))


def letters(text: str) -> str:
    """What different spellings of one name have in common."""
    return re.sub(r"[\W_]+", "", unquote(text)).casefold()


@pytest.fixture(scope="module", params=VAULTS, ids=lambda path: path.name)
def vault(request: pytest.FixtureRequest) -> RealVault:
    return RealVault(request.param)


def test_headings(vault: RealVault) -> None:
    for path, place in vault.places:
        if isinstance(place, Heading):
            at, raw = vault.index.notes[path].headings.index(place), place.raw

            def back(
                index: VaultIndex, path: str = path, at: int = at, raw: str = raw
            ) -> VaultEdit:
                return rename_heading(index, path, index.notes[path].headings[at], raw)

            there = rename_heading(vault.index, path, place, "Ganz neu: 7 Übungen")
            vault.there_and_back(there, back)


def test_blocks(vault: RealVault) -> None:
    for path, place in vault.places:
        if isinstance(place, Block):
            at, raw = vault.index.notes[path].blocks.index(place), place.raw

            def back(
                index: VaultIndex, path: str = path, at: int = at, raw: str = raw
            ) -> VaultEdit:
                return rename_block(index, path, index.notes[path].blocks[at], raw)

            there = rename_block(vault.index, path, place, "zz-7")
            vault.there_and_back(there, back)


def test_tags(vault: RealVault) -> None:
    tags = sorted(vault.index.tags, key=lambda tag: (-vault.index.tags[tag], tag))
    for tag in tags[:MOST]:
        there = rename_tag(vault.index, tag, "zz/neu")
        vault.there_and_back(there, partial(rename_tag, tag="zz/neu", new_name=tag))


def test_kinds(vault: RealVault) -> None:
    kinds = sorted(vault.index.kinds, key=lambda kind: (-vault.index.kinds[kind], kind))
    for kind in kinds[:MOST]:
        if kind in TEXT_LINK_KEYS:
            continue  # its plain values become links with brackets, and stay so
        there = rename_kind(vault.index, kind, "zz_neu")
        vault.there_and_back(there, partial(rename_kind, kind="zz_neu", new_name=kind))
