"""Where definition goes."""

from __future__ import annotations

import pytest

from core.features.definition import definition
from core.features.results import Target
from tests.core.features.kit import RELATIONS, Vault, where

NOTES = """
//- /Log.md
# Log

## `init` step?

## Wind / Tide: A & B

## 港の話

A line
of text ^b1

## Wind / Tide: A & B
//- /map.png
png
//- /Pump House.md
---
id: pump-1
aliases: [Pumpwerk]
---
"""

CASES: list[tuple[str, str, list[str]]] = [
    ("note", "[[L$0og]]", ["Log.md:0"]),
    ("alias part", "[[Log|se$0e]]", ["Log.md:0"]),
    ("brackets", "$0[[Log]]", ["Log.md:0"]),
    ("behind the link", "[[Log]]$0", ["Log.md:0"]),
    ("heading", "[[Log#`init` st$0ep?]]", ["Log.md:2"]),
    ("heading text", "[[Log#init st$0ep]]", ["Log.md:2"]),
    ("punctuation", "[[Log#Wind Tide A$0 & B]]", ["Log.md:4"]),
    ("other script", "[[Log#港$0の話]]", ["Log.md:6"]),
    ("slug", "[m](Log.md#init-$0step)", ["Log.md:2"]),
    ("repeated slug", "[m](Log.md#wind--tide-a--b-1$0)", ["Log.md:11"]),
    ("block", "![[Log#^b$01]]", ["Log.md:8"]),
    ("missing heading", "[[Log#N$0o]]", ["Log.md:0"]),
    ("missing note", "[[N$0o]]", []),
    ("attachment", "![[ma$0p.png]]", ["map.png:0"]),
    ("id", "[[pump$0-1]]", ["Pump House.md:0"]),
    ("alias of the note", "[[pump$0werk]]", ["Pump House.md:0"]),
    ("percent", "[p](Pump%20$0House.md)", ["Pump House.md:0"]),
    ("angle brackets", "[p](<Pump $0House.md>)", ["Pump House.md:0"]),
    ("frontmatter", '---\nrelated: "[[Lo$0g]]"\n---\n', ["Log.md:0"]),
    ("unquoted", "---\nrelated: [[Lo$0g]]\n---\n", ["Log.md:0"]),
    ("frontmatter id", "---\ndepends_on: [pu$0mp-1]\n---\n", ["Pump House.md:0"]),
    ("relation", "[[rel:depends_on Lo$0g]]", ["Log.md:0"]),
    ("own heading", "# Here\n[[#He$0re]]", ["use.md:0"]),
    ("reference link", "[text][r$0]\n\n[r]: Log.md\n", ["Log.md:0"]),
    ("reference definition", "[text][r]\n\n[r]: Lo$0g.md\n", ["Log.md:0"]),
    ("no reference", "see [the har$0bour]", []),
    ("code span", "`[[Lo$0g]]`", []),
    ("fence", "```\n[[Lo$0g]]\n```", []),
    ("external", "[x](https://ex.org/L$0og.md)", []),
    ("plain", "wo$0rd", []),
    ("emoji", "🚢🚢 see [[Lo$0g]]", ["Log.md:0"]),
    ("case", "[[LO$0G]]", ["Log.md:0"]),
    ("second of two", "[[No]][[Lo$0g]]", ["Log.md:0"]),
    ("between two", "[[No]]$0[[Log]]", ["Log.md:0"]),
    ("heading itself", "# One\n\n## T$0wo\n", ["use.md:2"]),
    ("title itself", "x\n\n# O$0ne\n", ["use.md:2"]),
    ("block itself", "a\nb ^i$0d\n", ["use.md:0"]),
    ("id itself", "---\nid: us$0e\n---\n", ["use.md:0"]),
    ("footnote", "a[^$01] b\n\n[^1]: Text\n", ["use.md:2"]),
    ("footnote itself", "a[^1] b\n\n[^$01]: Text\n", ["use.md:2"]),
    ("footnote without text", "a[^$01] b\n", []),
    ("footnote in code", "`a[^$01]`\n\n[^1]: Text\n", []),
    ("first use of a kind", "x\n[[rel:blocks Log]] [[rel:block$0s Log]]\n", ["use.md:1"]),
    ("label alone", "see [r$0]\n\n[r]: Log.md\n", ["Log.md:0"]),
    ("label of the definition", "[text][r]\n\n[$0r]: Log.md\n", ["Log.md:0"]),
    ("image", "![t](ma$0p.png)", ["map.png:0"]),
    ("table", "| a |\n|---|\n| [[Log\\|x$0]] |", ["Log.md:0"]),
]


@pytest.mark.parametrize(("text", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_definition(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /use.md\n{text}{NOTES}", eol=eol)
    found = definition(vault.index, vault.document, vault.at, RELATIONS)
    assert [f"{target.path}:{target.line}" for target in found] == expected
    assert all(target.origin.touches(vault.at) for target in found)


def test_a_tag_leads_to_its_notes() -> None:
    vault = Vault.of(
        "//- /a.md\n#to$0p\n//- /b.md\nx\n#top/sub\n//- /c.md\n---\ntags: [top]\n---\n"
    )
    found = definition(vault.index, vault.document, vault.at, RELATIONS)
    assert [f"{target.path}:{target.line}" for target in found] == ["a.md:0", "b.md:1", "c.md:1"]


def test_the_same_answer_from_every_index() -> None:
    vault = Vault.of("//- /top.md\n[[In$0tro]]\n//- /y/Intro.md\n\n//- /x/Intro.md\n")
    assert definition(vault.index, vault.document, vault.at, RELATIONS)[0].path == "x/Intro.md"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[text][$0R]\n\n[r]: Log.md\n", ["use.md 2:1-2"]),
        ("[r$0]\n\n[r]: Log.md\n", ["use.md 2:1-2"]),
        ("[text][r]\n\n[r$0]: Log.md\n", ["use.md 2:1-2"]),
        ("[te$0xt][r]\n\n[r]: Log.md\n", ["Log.md"]),
        ("[[Lo$0g]]", ["Log.md"]),
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_declaration(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /use.md\n{text}{NOTES}", eol=eol)
    found = definition(vault.index, vault.document, vault.at, RELATIONS, declaration=True)
    assert [_named(target) for target in found] == expected


def test_what_the_vault_describes_itself() -> None:
    places = {("relations", "blocks"): (".mindnet/relations.yaml", 3), ("types", "task"): ("t", 1)}
    for text, expected in {
        "[[rel:block$0s x]]": (".mindnet/relations.yaml", 3),
        "---\ntype: Tas$0k\n---\n": ("t", 1),
    }.items():
        vault = Vault.of(f"//- /a.md\n{text}")
        (found,) = definition(
            vault.index, vault.document, vault.at, RELATIONS,
            lambda what, name: places.get((what, name)),
        )  # fmt: skip
        assert (found.path, found.line) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[L$0og]]", 13),
        ("[[Log#in$0it step?]]", 4),
        ("[[Log#港$0の話]]", 11),
        ("[[Log#^b$01]]", 10),
    ],
)
def test_the_whole_target_ends_where_its_section_ends(text: str, expected: int) -> None:
    vault = Vault.of(f"//- /use.md\n{text}{NOTES}")
    (found,) = definition(vault.index, vault.document, vault.at, RELATIONS)
    assert found.end_line == expected


def _named(target: Target) -> str:
    place = target.place
    return f"{target.path} {where(place, 0, len(place.raw))}" if place else target.path
