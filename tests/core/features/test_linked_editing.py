"""What changes together while somebody types."""

from __future__ import annotations

import re

import pytest

from core.features.linked_editing import linked_ranges
from tests.core.features.kit import Vault

CASES: list[tuple[str, str, list[str]]] = [
    ("heading and its links", "## A$0 b\n\n[[#A b]] [[n#A b|x]] [[#a b]] [x](#a-b)\n", ["A b"] * 3),
    ("from a link", "## A b\n\n[[#A $0b]]\n", ["A b"] * 2),
    ("of equal headings the first", "## A$0\n## A\n[[#A]]\n", ["A"] * 2),
    ("not the second", "## A\n## A$0\n[[#A]]\n", []),
    ("other note", "[[o#A$0]]\n//- /o.md\n## A\n", []),
    ("heading with markup", "## A *b$0*\n[[#A b]]\n", []),
    ("no link", "## A$0\n", []),
    ("block id", "text ^i$0d\n\n[[#^id]] ![[n#^id]] [[#^ID]]\n", ["id"] * 3),
    ("from a block link", "text ^id\n\n[[#^i$0d]]\n", ["id"] * 2),
    ("label", "[t][lab$0el] [label]\n\n[label]: n.md\n", ["label"] * 3),
    ("label in other letters", "[t][Lab$0el]\n\n[label]: n.md\n", []),
    ("footnote", "x[^a$0] y[^a]\n\n[^a]: z\n", ["a"] * 3),
    ("footnote's text", "x[^a]\n\n[^a$0]: z\n", ["a"] * 2),
    ("title of a link", "[[n|A$0]]\n\n# A\n", []),
    ("plain", "wo$0rd\n", []),
    ("umlauts and emoji", "## 🚢 Grö$0ße\n\n[[#🚢 Größe]]\n", ["🚢 Größe"] * 2),
    ("table", "## A$0\n\n| x |\n|---|\n| [[#A\\|y]] |\n", ["A"] * 2),
]


@pytest.mark.parametrize(("text", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_linked_ranges(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n{text}", eol=eol)
    found = linked_ranges(vault.index, vault.document, vault.at)
    source = vault.document.text
    spans = found.spans if found else ()
    assert [source[span.start : span.end] for span in spans] == expected
    if found is not None:
        assert any(span.touches(vault.at) for span in found.spans)
        # the editor leaves the mode as soon as the text does not fit the pattern
        assert all(re.fullmatch(found.pattern, text) for text in expected)
        assert all(a.end <= b.start for a, b in zip(found.spans, found.spans[1:], strict=False))
