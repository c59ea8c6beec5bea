"""Where definition goes."""

from __future__ import annotations

import pytest

from core.features.definition import definition
from tests.core.features.kit import Vault

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
    ("table", "| a |\n|---|\n| [[Log\\|x$0]] |", ["Log.md:0"]),
]


@pytest.mark.parametrize(("text", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_definition(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /use.md\n{text}{NOTES}", eol=eol)
    found = definition(vault.index, vault.document, vault.at)
    assert [f"{target.path}:{target.line}" for target in found] == expected
    assert all(target.origin.touches(vault.at) for target in found)


def test_a_tag_leads_to_its_notes() -> None:
    vault = Vault.of(
        "//- /a.md\n#to$0p\n//- /b.md\nx\n#top/sub\n//- /c.md\n---\ntags: [top]\n---\n"
    )
    found = definition(vault.index, vault.document, vault.at)
    assert [f"{target.path}:{target.line}" for target in found] == ["a.md:0", "b.md:1", "c.md:1"]


def test_the_same_answer_from_every_index() -> None:
    vault = Vault.of("//- /top.md\n[[In$0tro]]\n//- /y/Intro.md\n\n//- /x/Intro.md\n")
    assert definition(vault.index, vault.document, vault.at)[0].path == "x/Intro.md"
