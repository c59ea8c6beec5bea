"""Backlinks as edges, and missing notes, as the workspace commands tell them."""

from __future__ import annotations

import pytest

from core.config.note_types import TypesConfig
from core.edges.derive import LinkTarget, derive_edges
from core.features.backlinks import context_of, incoming, missing, nearest_titles
from tests.core.features.kit import RELATIONS, Vault

SOURCE = """\
//- /N.md
# N

[[N]]
//- /a.md
---
depends_on: [N]
---
[[rel:blocks N]] [[N]] [x](N.md#s) [t][r]
depends_on:: [[N]]

> [!edge] related_to: [[N]]

[r]: N.md
"""


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_same_edges_as_the_graph_has(eol: str) -> None:
    vault = Vault.of(SOURCE, eol=eol)
    found = list(incoming(vault.index, "N.md", RELATIONS))
    assert [(e.kind, e.rule_id, e.confidence) for e in found] == [
        ("depends_on", "frontmatter:depends_on", 1.0),
        ("blocks", "inline:rel", 0.95),
        ("references", "explicit:wikilink", 1.0),
        ("references", "explicit:mdlink", 1.0),
        ("references", "explicit:mdlink", 1.0),
        ("depends_on", "inline:field", 0.95),
        ("related_to", "callout:edge", 0.90),
    ]
    note = vault.index.notes["a.md"]
    type_ = TypesConfig().effective(note)
    targets = [LinkTarget("n") for _ in note.links]
    edges = derive_edges(note, "a", [0], targets, type_, RELATIONS)
    written = {
        (e.kind, e.rule_id, e.confidence)
        for e in edges
        if e.provenance == "explicit" and not e.rule_id.endswith(":mirror")
    }
    assert written == {(e.kind, e.rule_id, e.confidence) for e in found}


def test_missing_notes() -> None:
    vault = Vault.of(
        "//- /a.md\n[[Gone]]\n//- /b.md\n🚢 [[Haffen|x]] [[a]]\n//- /Hafen.md\n# Der Hafen\n"
    )
    found = [(one.path, one.link.raw[one.start : one.end]) for one in missing(vault.index)]
    assert found == [("a.md", "Gone"), ("b.md", "Haffen")]
    assert [one.path for one in missing(vault.index, "b.md")] == ["b.md"]
    assert nearest_titles(vault.index, "Haffen", 5) == ["Der Hafen"]


@pytest.mark.parametrize("start", [0, 150, 500, 999])
def test_context_is_short_and_holds_the_link(start: int) -> None:
    line = "".join(f"<{n:03}>" for n in range(200))
    found = context_of(line, start)
    assert len(found) <= 300
    assert line[start : start + 1] in found
    assert found in line
    assert line.index(found) <= start < line.index(found) + 300
    assert context_of("  short ", 2) == "short"
