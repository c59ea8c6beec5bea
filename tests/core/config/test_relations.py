"""Relation kinds: names, aliases, inverses, labels; and the retriever's weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config.load import load_config, load_relations
from core.parse.kinds import normal_kind

KNOWN = load_relations()[0]

SHIPPED = [
    "references",
    "related_to",
    "similar_to",
    "depends_on",
    "blocks",
    "derived_from",
    "inspired_by",
    "contradicts",
    "part_of",
    "has_part",
    "caused_by",
    "causes",
    "influenced_by",
    "supports",
    "assigned_to",
]


def test_shipped_kinds_are_complete() -> None:
    assert KNOWN.names() == tuple(sorted(SHIPPED))
    assert set(KNOWN.names(structural=True)) - set(SHIPPED) == {"belongs_to", "next", "prev"}
    for relation in KNOWN.relations.values():
        assert relation.label.de
        assert relation.label.en
        assert relation.description


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("beeinflusst_von", "influenced_by"),
        ("Beeinflusst von", "influenced_by"),
        ("depends-on", "depends_on"),
        ("hängt ab von", "depends_on"),
        ("ha\u0308ngt_ab_von", "depends_on"),
        ("feeds", "feeds"),
    ],
)
def test_canonical(written: str, kind: str) -> None:
    assert KNOWN.canonical(written) == kind


def test_symmetric_and_inverse() -> None:
    symmetric = {kind for kind in KNOWN.names() if KNOWN.symmetric(kind)}
    assert symmetric == {"related_to", "similar_to", "contradicts"}
    assert KNOWN.inverse("depends_on") == "blocks"
    assert KNOWN.inverse("blocks") == "depends_on"
    assert KNOWN.inverse("related_to") == "related_to"
    assert KNOWN.inverse("supports") is None
    for kind in KNOWN.names(structural=True):
        if inverse := KNOWN.inverse(kind):
            assert KNOWN.inverse(inverse) == kind


def test_labels_of_known_and_unknown_kinds() -> None:
    assert KNOWN.label("depends_on", "de") == "hängt ab von"
    assert KNOWN.label("rhymes_with") == "rhymes with"
    assert KNOWN.known("verursacht")
    assert not KNOWN.known("rhymes_with")


def test_no_alias_hides_a_kind_or_means_two() -> None:
    seen: dict[str, str] = {}
    for kind, relation in KNOWN.relations.items():
        for alias in relation.aliases:
            assert alias not in KNOWN.relations
            assert alias not in seen
            assert alias == normal_kind(alias)
            seen[alias] = kind


def test_a_vault_describes_its_own_kinds(tmp_path: Path) -> None:
    (tmp_path / ".mindnet").mkdir()
    (tmp_path / ".mindnet" / "relations.yaml").write_text(
        "relations:\n  rhymes-with: {label: reimt sich auf, symmetric: true}\n"
        "  supports: {aliases: [backs]}\n  feeds: {symmetric: perhaps}\n",
        "utf-8",
    )
    relations, problems = load_relations(tmp_path)
    assert relations.label("rhymes_with", "de") == "reimt sich auf"
    assert relations.symmetric("rhymes with")
    assert relations.canonical("backs") == "supports"
    assert relations.relations["supports"].label.en == "supports"
    assert [(p.key, p.line) for p in problems] == [("relations.feeds.symmetric", 3)]


def test_retriever_weights(tmp_path: Path) -> None:
    (tmp_path / ".mindnet").mkdir()
    (tmp_path / ".mindnet" / "retriever.yaml").write_text(
        "scoring: {edge_weight: -1, lexical_weight: 0.75}\nedge_weights: {Depends-On: 3}\n", "utf-8"
    )
    config = load_config(tmp_path)
    retriever = config.retriever
    shipped = load_config().retriever.scoring
    assert retriever.scoring.edge_weight == shipped.edge_weight != -1
    assert retriever.scoring.lexical_weight == 0.75
    assert (retriever.edge_weight("depends_on"), retriever.edge_weight("other")) == (3, 1)
    assert (retriever.edge_weight("influenced_by"), retriever.provenance_weight("rule")) == (
        1.5,
        0.8,
    )
    assert [p.key for p in config.problems] == ["scoring.edge_weight"]
