"""Names of a vault: notes, headings, tags."""

from __future__ import annotations

import random

import pytest

from core.features.heading_table import HeadingTable
from core.features.workspace_symbol import workspace_symbols
from core.parse import parse_note
from core.vault.index import VaultIndex
from tests.core.features.kit import Vault

NOTES = """
//- /Pump.md
---
aliases: [Pumpwerk]
tags: [wet/deep]
---
# Pump

## Oil change

## Größe der Rohre
//- /2032-05-17.md
# Meeting at the pump

#wet
[[Pump]] [[Garten]]
//- /sub/Garten.md
# Der Garten

## Oil

# Zweiter Teil
"""

CASES: list[tuple[str, str, list[str]]] = [
    ("title", "pump", ["Pump", "Meeting at the pump"]),
    ("heading", "oil", ["Der Garten › Oil", "Pump › Oil change"]),
    ("words of a heading", "change oil", ["Pump › Oil change"]),
    ("umlauts spelled out", "groesse", ["Pump › Größe der Rohre"]),
    ("umlauts", "Größe", ["Pump › Größe der Rohre"]),
    ("file name", "2032", ["2032-05-17 (Meeting at the pump)"]),
    ("letters in order", "zwtl", ["Der Garten › Zweiter Teil"]),
    ("tags", "#wet", ["#wet", "#wet/deep"]),
    ("alias", "pumpwerk", ["Pumpwerk (Pump)"]),
    ("tag without mark", "deep", ["#wet/deep"]),
    ("note and heading", "pump › oil", ["Pump › Oil change"]),
    ("note and heading as a link", "garten#zweit", ["Der Garten › Zweiter Teil"]),
    ("a title is found once", "der garten", ["Der Garten"]),
    ("nothing", "xyzzy", []),
    ("most linked first", "", ["Der Garten", "Pump"]),
]


def _names(vault: Vault, query: str, limit: int = 200) -> list[str]:
    table = HeadingTable.of(vault.index)
    return [s.name for s in workspace_symbols(vault.index, table, query, limit)]


@pytest.mark.parametrize(("query", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_symbols(query: str, expected: list[str], eol: str) -> None:
    assert sorted(_names(Vault.of(NOTES.lstrip(), eol=eol), query)) == sorted(expected)


@pytest.mark.parametrize("query", ["pump", "oil", ""])
def test_best_first_and_bounded(query: str) -> None:
    vault = Vault.of(NOTES.lstrip())
    names = _names(vault, query)
    wanted = {"pump": "Pump", "oil": "Der Garten › Oil", "": "Pump"}
    assert wanted[query] in names[:2]
    assert _names(vault, query, 1) == names[:1]


def test_open_notes_come_first() -> None:
    vault = Vault.of(NOTES.lstrip())
    table = HeadingTable.of(vault.index)
    recent = ["2032-05-17.md", "gone.md"]
    found = workspace_symbols(vault.index, table, " ", 9, recent)
    assert [s.path for s in found] == ["2032-05-17.md", "Pump.md", "sub/Garten.md"]


def test_places() -> None:
    vault = Vault.of("//- /a.md\nx\n\n## 🚢 Kai\n#tag\n")
    table = HeadingTable.of(vault.index)
    (heading,) = workspace_symbols(vault.index, table, "kai", 9)
    assert heading.place == vault.document.note.headings[0]
    (tag,) = workspace_symbols(vault.index, table, "#tag", 9)
    assert tag.place == vault.document.note.tags[0]


def test_updated_is_as_built_anew() -> None:
    chance = random.Random(7)
    notes = {f"{n}.md": parse_note(f"{n}.md", f"# T{n}\n\n## H{n}\n") for n in range(12)}
    index = VaultIndex.build(notes.values())
    table = HeadingTable.of(index)
    for step in range(60):
        path = f"{chance.randrange(14)}.md"
        if chance.random() < 0.3:
            index = index.update(removed=[path])
        else:
            heads = "".join(f"## H{chance.randrange(9)}\n\n" for _ in range(chance.randrange(4)))
            index = index.update([parse_note(path, f"# T{step}\n\n{heads}")])
        table = table.updated(index, [path])
        fresh = HeadingTable.of(index)
        for query in ("h", "h1", "t"):
            assert table.search(query, 99) == fresh.search(query, 99)


def test_every_heading_is_found_where_it_stands() -> None:
    texts = ["Alpha", "Beta gamma", "alpha beta", "Ünder", "a.b", "x" * 300]
    notes = [
        parse_note(f"{n}.md", "".join(f"## {text}\n\n" for text in texts[n:])) for n in range(6)
    ]
    index = VaultIndex.build(notes)
    table = HeadingTable.of(index)
    for note in notes:
        for number, heading in enumerate(note.headings):
            hits = table.search(heading.text, 99)
            assert (note.path, number) in [(hit.path, hit.number) for hit in hits]
            assert hits[0].score == 100.0
