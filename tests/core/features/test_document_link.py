"""Links of a note as the editor underlines them."""

from __future__ import annotations

import pytest

from core.features.document_link import document_links
from tests.core.features.kit import Vault

NOTES = """
//- /sub/Log book.md
# Log

## Day

x
y ^b1
//- /map.png
x
"""

CASES: list[tuple[str, str, list[str]]] = [
    ("wikilink", "[[Log book]]", ["Log book -> sub/Log book.md:0 Log"]),
    ("alias", "[[Log book|x]]", ["Log book|x -> sub/Log book.md:0 Log"]),
    ("embed", "![[Log book#Day]]", ["Log book#Day -> sub/Log book.md:2 Log › Day"]),
    ("block", "[[Log book#^b1]]", ["Log book#^b1 -> sub/Log book.md:4 Log › ^b1"]),
    ("markdown", "[a](sub/Log%20book.md#day)",
     ["[a](sub/Log%20book.md#day) -> sub/Log book.md:2 Log › Day"]),
    ("reference", "[a][r]\n\n[r]: <sub/Log book.md>\n",
     ["[a][r] -> sub/Log book.md:0 Log", "sub/Log book.md -> sub/Log book.md:0 Log"]),
    ("frontmatter", "---\ndepends_on: [Log]\n---\n", ["Log -> sub/Log book.md:0 Log"]),
    ("file", "![[map.png]]", ["map.png -> map.png:0 map.png"]),
    ("own heading", "# Own\n[[#Own]]", ["#Own -> use.md:0 Own › Own"]),
    ("missing", "[[Gone]] ![[gone.png]]", []),
    ("external", "[a](https://ex.org) <https://ex.org> [[https://ex.org]]", []),
    ("code", "`[[Log book]]`", []),
    ("table", "| a |\n|---|\n| [[Log book\\|x]] |",
     ["Log book\\|x -> sub/Log book.md:0 Log"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_document_links(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /use.md\n{text}{NOTES}", eol=eol)
    source = vault.document.text
    found = [
        f"{source[one.span.start : one.span.end]} -> {one.path}:{one.line} {one.title}"
        for one in document_links(vault.index, vault.document)
    ]
    assert found == expected
