"""What references finds."""

from __future__ import annotations

import pytest

from core.config.relations import Relation, RelationsConfig
from core.features.references import references
from core.text import fold
from tests.core.features.kit import RELATIONS, Vault, uses

BASE = """
//- /a.md
🚢 [[Pump]] and [[pump|x]] [[Pump#Oil]]
//- /sub/b.md
---
depends_on: [Pump]
---
[m](../Pump.md#oil) ![[Pump#^b1]] `[[Pump]]` #wet/deep
"""
PUMP = """//- /Pump.md
# Pump

## Oil

Text [[#Oil]] #wet ^b1
"""

CASES: list[tuple[str, str, list[str]]] = [
    ("title heading", PUMP.replace("# Pump", "# Pu$0mp"),
     ["a.md 0:4-8", "a.md 0:17-21", "a.md 0:28-32", "sub/b.md 1:13-17", "sub/b.md 3:4-14",
      "sub/b.md 3:23-27"]),
    ("heading", PUMP.replace("## Oil", "## O$0il"),
     ["Pump.md 4:8-11", "a.md 0:33-36", "sub/b.md 3:15-18"]),
    ("heading marks", PUMP.replace("## Oil", "#$0# Oil"),
     ["Pump.md 4:8-11", "a.md 0:33-36", "sub/b.md 3:15-18"]),
    ("block", PUMP.replace("^b1", "^b$01"), ["sub/b.md 3:28-31"]),
    ("tag", PUMP.replace("#wet", "#w$0et"), ["Pump.md 4:14-18", "sub/b.md 3:45-54"]),
    ("link to a heading", PUMP.replace("[[#Oil]]", "[[#O$0il]]"),
     ["Pump.md 4:8-11", "a.md 0:33-36", "sub/b.md 3:15-18"]),
    ("plain text", PUMP.replace("Text", "Te$0xt"), []),
]  # fmt: skip


@pytest.mark.parametrize(("pump", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_references(pump: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(pump + BASE.lstrip("\n"), eol=eol)
    assert uses(references(vault.index, vault.document, vault.at, RELATIONS)) == expected


def test_from_a_link_it_is_the_links_note() -> None:
    vault = Vault.of("//- /c.md\n[[Pu$0mp]]\n" + PUMP)
    assert uses(references(vault.index, vault.document, vault.at, RELATIONS)) == ["c.md 0:2-6"]


def test_from_the_frontmatter_it_is_the_note() -> None:
    vault = Vault.of("//- /n.md\n---\nstat$0us: draft\n---\n//- /b.md\n[[n]]\n")
    assert uses(references(vault.index, vault.document, vault.at, RELATIONS)) == ["b.md 0:2-3"]


def test_reversed_links_name_the_note_on_their_right() -> None:
    vault = Vault.of("//- /a.md\n[[Words|ref.no$0te#two]] [[ref.note]]\n//- /ref.note.md\n## Two\n")
    found = references(vault.index, vault.document, vault.at, RELATIONS)
    assert uses(found) == ["a.md 0:17-20"]
    vault = Vault.of("//- /a.md\n[[Words|ref.no$0te]] [[ref.note]]\n//- /ref.note.md\n## Two\n")
    found = references(vault.index, vault.document, vault.at, RELATIONS)
    assert uses(found) == ["a.md 0:8-16", "a.md 0:21-29"]


def test_relation_kind_and_what_its_links_name() -> None:
    vault = Vault.of(
        "//- /a.md\n[[rel:depends_$0on b]] [[b]]\n"
        "//- /b.md\n---\ndepends_on: [a]\n---\ndepends_on:: [[a]], [[a]]\n"
    )
    found = uses(references(vault.index, vault.document, vault.at, RELATIONS))
    assert found == [
        "a.md 0:6-16", "a.md 0:17-18",
        "b.md 1:0-10", "b.md 1:13-14",
        "b.md 3:0-10", "b.md 3:15-16", "b.md 3:22-23",
    ]  # fmt: skip


def test_relation_kind_under_all_its_names() -> None:
    needs = Relation(aliases=("needs",))
    relations = RelationsConfig(relations={"depends_on": needs})
    vault = Vault.of("//- /a.md\ndepends$0_on:: [[b]]\n//- /b.md\nneeds:: [[a]]\n")
    found = uses(references(vault.index, vault.document, vault.at, relations))
    assert found == ["a.md 0:0-10", "a.md 0:15-16", "b.md 0:0-5", "b.md 0:10-11"]


def test_missing_note_wherever_it_is_named() -> None:
    vault = Vault.of("//- /a.md\n[[Go$0ne]]\n//- /b.md\n[[gone|x]] [[Gone too]]\n")
    found = uses(references(vault.index, vault.document, vault.at, RELATIONS))
    assert found == ["a.md 0:2-6", "b.md 0:2-6"]


DECLARED = [
    ("heading", "[[b#Tw$0o]]", ["a.md 0:4-7"], ["b.md 1:3-6"]),
    ("note by its title", "[[$0b]]", ["a.md 0:2-3"], ["b.md 0:2-5"]),
    ("note without one", "[[$0c]]", ["a.md 0:2-3"], ["c.md 0:0-0"]),
    ("block", "[[b#^x$0]]", ["a.md 0:4-6"], ["b.md 2:5-7"]),
    ("footnote", "a[^$01]\n\n[^1]: x\n", ["a.md 0:1-5"], ["a.md 2:0-4"]),
    ("missing note", "[[Go$0ne]]", ["a.md 0:2-6"], []),
    ("tag", "#ta$0g", ["a.md 0:0-4"], []),
]


@pytest.mark.parametrize(
    ("text", "used", "own"), [c[1:] for c in DECLARED], ids=[c[0] for c in DECLARED]
)
def test_declaration_where_asked_for(text: str, used: list[str], own: list[str]) -> None:
    vault = Vault.of(f"//- /a.md\n{text}\n//- /b.md\n# One\n## Two\ntext ^x\n//- /c.md\n")
    without = references(vault.index, vault.document, vault.at, RELATIONS)
    assert uses(without) == used
    found = references(vault.index, vault.document, vault.at, RELATIONS, declaration=True)
    assert uses(found) == used + own


@pytest.mark.parametrize("target", ["Gone", "gone", "sub/Gone", "Gone.md", "dendron://v/Gone"])
def test_missing_notes_are_found_without_a_look_at_all(target: str) -> None:
    """The same as from a look at every note, whatever the name is."""
    vault = Vault.of(
        f"//- /a.md\n[[{target}$0]]\n//- /b.md\n[[Gone]] [[gone]] [[sub/Gone]]\n"
        "[x](Gone.md) [x](../Gone.md) [[dendron://v/Gone]] [[Gone.md]]\n"
    )
    index = vault.index
    every = sorted(
        f"{path} {link.line}:{link.col}"
        for path in index.paths
        for link in index.unresolved_in(path)
        if fold(link.target) == fold(target)
    )
    found = references(index, vault.document, vault.at, RELATIONS)
    assert sorted(f"{use.path} {use.place.line}:{use.place.col}" for use in found) == every
    assert every


def test_a_name_with_a_mark_in_it() -> None:
    source = (
        "//- /Talk #2.md\n# Se$0cond\n//- /a.md\n[[Talk #2]] [[rel:part_of talk #2|x]] [[Talk]]\n"
    )
    vault = Vault.of(source)
    found = references(vault.index, vault.document, vault.at, RELATIONS)
    assert uses(found)[-2:] == ["a.md 0:2-9", "a.md 0:26-33"]
