"""What references finds."""

from __future__ import annotations

import pytest

from core.features.references import references
from tests.core.features.kit import Vault, uses

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
    assert uses(references(vault.index, vault.document, vault.at)) == expected


def test_from_a_link_it_is_the_links_note() -> None:
    vault = Vault.of("//- /c.md\n[[Pu$0mp]]\n" + PUMP)
    assert uses(references(vault.index, vault.document, vault.at)) == ["c.md 0:2-6"]


def test_from_the_frontmatter_it_is_the_note() -> None:
    vault = Vault.of("//- /n.md\n---\nstat$0us: draft\n---\n//- /b.md\n[[n]]\n")
    assert uses(references(vault.index, vault.document, vault.at)) == ["b.md 0:2-3"]


def test_reversed_links_name_the_note_on_their_right() -> None:
    vault = Vault.of("//- /a.md\n[[Words|ref.no$0te#two]] [[ref.note]]\n//- /ref.note.md\n## Two\n")
    found = references(vault.index, vault.document, vault.at)
    assert uses(found) == ["a.md 0:17-20"]
    vault = Vault.of("//- /a.md\n[[Words|ref.no$0te]] [[ref.note]]\n//- /ref.note.md\n## Two\n")
    found = references(vault.index, vault.document, vault.at)
    assert uses(found) == ["a.md 0:8-16", "a.md 0:21-29"]


def test_relation_kind() -> None:
    vault = Vault.of(
        "//- /a.md\n[[rel:depends_$0on b]]\n"
        "//- /b.md\n---\ndepends_on: [a]\n---\ndepends_on:: [[a]]\n"
    )
    found = uses(references(vault.index, vault.document, vault.at))
    assert found == ["a.md 0:6-16", "b.md 1:0-10", "b.md 3:0-10"]


def test_missing_note_wherever_it_is_named() -> None:
    vault = Vault.of("//- /a.md\n[[Go$0ne]]\n//- /b.md\n[[gone|x]] [[Gone too]]\n")
    found = uses(references(vault.index, vault.document, vault.at))
    assert found == ["a.md 0:2-6", "b.md 0:2-6"]


def test_declaration() -> None:
    vault = Vault.of("//- /a.md\n[[b#Tw$0o]]\n//- /b.md\n# One\n## Two\n")
    found = references(vault.index, vault.document, vault.at, declaration=True)
    assert uses(found) == ["a.md 0:4-7", "b.md 1:3-6"]
