"""The same thing elsewhere in the note."""

from __future__ import annotations

import pytest

from core.features.document_highlight import document_highlights
from tests.core.features.kit import Vault

NOTES = "\n//- /Log.md\n# Log\n\n## Day\n\ntext ^b1\n//- /map.png\nx\n"

CASES: list[tuple[str, str, list[str]]] = [
    ("links to one note", "[[Lo$0g]] [l](Log.md#day) [[Other]] [[log|x]]",
     ["Log read", "Log.md read", "log read"]),
    ("text of a link", "[sho$0wn](Log.md) [[Log|x]]", ["[shown](Log.md) read", "Log read"]),
    ("alias of a link", "[[Log|sho$0wn]] [[Log]]", ["[[Log|shown]] read", "Log read"]),
    ("id", "---\nid: us$0e\n---\n[[use]]", ["use write", "use read"]),
    ("one heading", "[[Log#Da$0y]] [l](Log.md#day) [[Log]]", ["Day read", "day read"]),
    ("one block", "[[Log#^b$01]] ![[log#^B1]] [[Log]]", ["^b1 read", "^B1 read"]),
    ("missing note", "[[Go$0ne]] [[gone#x]] [[Gone too]]", ["Gone read", "gone read"]),
    ("file", "![[ma$0p.png]] [m](map.png) [[Log]]", ["map.png read", "map.png read"]),
    ("missing file", "![[no$0.png]] ![[no.png]] [[Gone]]", ["no.png read", "no.png read"]),
    ("heading", "## A$0 b\n[[#A b]] [x](#a-b) [[use#A b]] [[Log#A b]]\n",
     ["A b write", "A b read", "a-b read", "A b read"]),
    ("link to an own heading", "## A b\n[[#A $0b]]\n", ["A b write", "A b read"]),
    ("title", "# U$0se\n[[use]] [[#Use]] [[use#Use]]\n", ["Use write", "use read", "use read"]),
    ("block of this note", "text ^b$07\n\n[[#^b7]]\n", ["^b7 write", "^b7 read"]),
    ("tag", "#wa$0ter #Water #water/deep\n", ["#water text", "#Water text"]),
    ("tag in the frontmatter", "---\ntags: [wa$0ter]\n---\n#water\n",
     ["water text", "#water text"]),
    ("kind", "[[rel:blo$0cks A]] blocks:: [[B]]\nblocks:: [[C]]\n", ["blocks text"] * 2),
    ("label", "[t][a$0] [A]\n\n[a]: Log.md\n", ["a read", "A read", "a write"]),
    ("footnote", "x[^n$0] y[^n] `[^n]`\n\n[^n]: z\n", ["n read", "n read", "n write"]),
    ("table", "| a |\n|---|\n| [[Lo$0g\\|x]] [[Log]] |", ["Log read", "Log read"]),
    ("emoji", "🚢🚢 [[Lo$0g]] 🚢 [[Log]]", ["Log read", "Log read"]),
    ("text", "wo$0rd word", []),
    ("code", "`[[Lo$0g]]` [[Log]]", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_highlights(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /use.md\n{text}{NOTES}", eol=eol)
    found = document_highlights(vault.index, vault.document, vault.at)
    source = vault.document.text
    assert [f"{source[h.span.start : h.span.end]} {h.kind}" for h in found] == expected
    assert len({h.span for h in found}) == len(found)
    assert not found or any(h.span.touches(vault.at) for h in found)
