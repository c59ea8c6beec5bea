"""The outline of a note."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.features.document_symbol import document_symbols
from core.features.results import Symbol
from tests.core.features.kit import RELATIONS, Vault

CASES = {
    "tree": ("# A\nx\n## B\n### C\n## D\n# E\n", ["A", ".B", "..C", ".D", "E"]),
    "skipped level": ("### A\n## B\n#### C\n", ["A", "B", ".C"]),
    "frontmatter": ("---\ntitle: Gauge\n# reviewed in spring\n---\n# Gauge room\n\n[[Gone]]\n",
                    ["Gauge room"]),
    "empty frontmatter": ("---\n---\n# Test\n\n[[Gone]]\n", ["Test"]),
    "code": ("# A\n```sh\n# no\n```\n", ["A"]),
    "empty heading": ("#\n# A\n", ["#", "A"]),
    "relations": ("[[rel:depends_on X]]\n# A\nblocks:: [[Y]]\n[[Z]]\n## B\n[[rel:blocks W]]\n",
                  ["X depends on", "A", ".Y blocks", ".B", "..W blocks"]),
    "no text": ("", []),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_outline(text: str, expected: list[str], eol: str) -> None:
    vault = Vault.of(f"//- /n.md\n{text}", eol=eol)
    found = document_symbols(vault.document, RELATIONS, "en")
    assert _lines(found) == expected
    assert all("\r" not in line for line in _lines(found))
    _check_nesting(found)


def test_in_german() -> None:
    vault = Vault.of("//- /n.md\n[[rel:depends_on X]]\n")
    assert _lines(document_symbols(vault.document, RELATIONS, "de")) == ["X hängt ab von"]


def test_sections_reach_to_the_next_heading() -> None:
    vault = Vault.of("//- /n.md\n# A\n\ntext\n\n## B\nmore\n\n# C\n")
    first, last = document_symbols(vault.document, RELATIONS, "en")
    text = vault.fixture.text
    assert text[first.span.start : first.span.end] == "# A\n\ntext\n\n## B\nmore"
    assert text[last.span.start : last.span.end] == "# C"


def _lines(symbols: Sequence[Symbol], depth: int = 0) -> list[str]:
    found = []
    for symbol in symbols:
        detail = f" {symbol.detail}" if symbol.kind == "relation" else ""
        found.append("." * depth + symbol.name + detail)
        found += _lines(symbol.children, depth + 1)
    return found


def _check_nesting(symbols: Sequence[Symbol]) -> None:
    for symbol in symbols:
        assert symbol.span.start <= symbol.place.start <= symbol.place.end <= symbol.span.end
        for child in symbol.children:
            assert symbol.span.start <= child.span.start <= child.span.end <= symbol.span.end
        _check_nesting(symbol.children)
