"""What a language model found counts less than what is written, and is told as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.edges.edge import Edge
from core.ingest.write import edge_point
from tests.core.retrieval.kit import Space

VAULT = """\
//- /flood.md
---
id: flood
---
Water over the weir. See [[weir]].
//- /weir.md
---
id: weir
---
A weir holds the water back.
"""


def with_smart(folder: Path, kind: str, confidence: float) -> Space:
    space = Space.of(folder, VAULT)
    edge = Edge(
        kind=kind,
        scope="chunk",
        source_id="flood#c00",
        target_id="weir",
        target_note_id="weir",
        note_id="flood",
        chunk_id="flood#c00",
        rule_id="smart:phi3:mini",
        confidence=confidence,
        provenance="smart",
        written="weir",
    )
    space.store.edges.upsert([edge_point(edge)])
    return space


@pytest.mark.parametrize(
    ("kind", "locale", "told"),
    [
        ("influenced_by", "en", "“weir” (is influenced by, by the language model)"),
        ("influenced_by", "de", "(beeinflusst von, laut Sprachmodell)"),
    ],
)
def test_a_reason_says_that_a_model_found_it(
    tmp_path: Path, kind: str, locale: str, told: str
) -> None:
    hits = with_smart(tmp_path, kind, 0.85).hits("water", locale=locale)
    flood = next(hit for hit in hits if hit.path == "flood.md")
    assert any(told in reason for reason in flood.reasons), flood.reasons
    links = [note for fact in flood.reason_facts if hasattr(fact, "notes") for note in fact.notes]
    assert [(note.kind, note.smart) for note in links] == [(kind, True)]


def test_what_is_written_is_told_where_it_weighs_more(tmp_path: Path) -> None:
    hits = with_smart(tmp_path, "related_to", 0.5).hits("water")
    flood = next(hit for hit in hits if hit.path == "flood.md")
    assert not any("language model" in reason for reason in flood.reasons)
