"""Edges of a note: every written form, structure, type defaults, dedup."""

from __future__ import annotations

import msgspec
import pytest

from core.chunking.chunks import chunk_note
from core.chunking.profiles import PROFILES
from core.config.load import load_config
from core.config.note_types import EffectiveType
from core.edges.derive import MIRROR, LinkTarget, derive_edges
from core.edges.edge import Edge
from core.ingest.relink import Linker
from core.parse import parse_note
from core.store.store import memory_store
from core.vault.index import VaultIndex

CONFIG = load_config()
PLAIN = EffectiveType("plain", "default", True, "medium", (), 1.0, False)
OTHERS = ("A", "B", "C")


def derive(
    text: str,
    type_: EffectiveType = PLAIN,
    profile: str = "medium",
    others: tuple[str, ...] = OTHERS,
) -> list[Edge]:
    """The edges of `n.md` in a vault with the notes `others`, whose ids are their names."""
    note = msgspec.structs.replace(parse_note("n.md", text), note_id="n")
    notes = [note, *(parse_note(f"{o}.md", f"---\nid: {o}\n---\n") for o in others)]
    index = VaultIndex.build(notes)
    missing = index.unresolved_in("n.md")
    targets = [
        LinkTarget(index.note_id(target) if target else None, target is not None or link in missing)
        for link, target in zip(note.links, index.targets("n.md"), strict=True)
    ]
    starts = [chunk.start for chunk in chunk_note(note, text, PROFILES[profile])]
    return derive_edges(note, "n", starts, targets, type_, CONFIG.relations)


def written(edges: list[Edge]) -> list[tuple[str, str, str, float]]:
    """Neither structure nor mirrors."""
    return [
        (e.kind, e.target_id, e.rule_id, e.confidence)
        for e in edges
        if e.provenance != "structure" and not e.rule_id.endswith(MIRROR)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[A]]", [("references", "A", "explicit:wikilink", 1.0)]),
        ("[[A|x]] [[A#H]] ![[A]]", [("references", "A", "explicit:wikilink", 1.0)]),
        ("[x](A.md)", [("references", "A", "explicit:mdlink", 1.0)]),
        ("[[rel:depends_on A]]", [("depends_on", "A", "inline:rel", 0.95)]),
        ("[[rel:depends_on A#H|x]]", [("depends_on", "A", "inline:rel", 0.95)]),
        (
            "rel: similar_to [[A]] [[B]], [[C]]",
            [("similar_to", target, "inline:rel", 0.95) for target in "ABC"],
        ),
        (
            "depends_on:: [[A]], [[B]]",
            [("depends_on", target, "inline:field", 0.95) for target in "AB"],
        ),
        ("text (depends_on:: [[A]]) text", [("depends_on", "A", "inline:field", 0.95)]),
        (
            "> [!edge] related_to: [[A]] [[B]]\n> blocks: [[C]]\n",
            [
                ("related_to", "A", "callout:edge", 0.90),
                ("related_to", "B", "callout:edge", 0.90),
                ("blocks", "C", "callout:edge", 0.90),
            ],
        ),
        ("rel:beeinflusst_von [[A]]", [("influenced_by", "A", "inline:rel", 0.95)]),
        ("rel:rhymes_with [[A]]", [("rhymes_with", "A", "inline:rel", 0.95)]),
        ("[[Nowhere]]", [("references", "Nowhere", "explicit:wikilink", 1.0)]),
        ("`[[A]]` <!-- [[A]] --> %% [[A]] %%\n\n```\n[[A]]\n```\n", []),
        ("![[picture.png]] [web](https://example.org) [[#Here]] [[n]]", []),
        ("[x][l]\n\n[l]: A.md\n", [("references", "A", "explicit:mdlink", 1.0)]),
    ],
)
def test_written_forms(text: str, expected: list[tuple[str, str, str, float]]) -> None:
    edges = derive(text)
    assert written(edges) == expected
    assert {e.provenance for e in edges} <= {"explicit", "structure"}


def test_frontmatter_relations_have_the_note_as_source() -> None:
    edges = derive('---\ndepends_on: [A, "[[B]]", Nobody]\n---\ntext\n')
    found = [e for e in edges if e.provenance == "explicit"]
    assert [(e.kind, e.target_id, e.target_note_id) for e in found] == [
        ("depends_on", "A", "A"),
        ("depends_on", "B", "B"),
        ("depends_on", "Nobody", None),
    ]
    assert {(e.scope, e.source_id, e.chunk_id, e.rule_id) for e in found} == {
        ("note", "n", None, "frontmatter:depends_on")
    }


def test_unresolved_edges_keep_the_written_target_and_the_line() -> None:
    (edge,) = [e for e in derive("one\n\n[[No where#Top]]\n") if e.provenance == "explicit"]
    assert (edge.target_id, edge.target_note_id, edge.written) == ("No where", None, "No where")
    assert (edge.heading, edge.line) == ("Top", 2)


def test_the_source_is_the_chunk_in_which_the_link_stands() -> None:
    text = "# One\n\nwords [[A]]\n\n# Two\n\nwords [[B]] [[A]]\n"
    edges = derive(text, profile="by_heading")
    found = [(e.source_id, e.chunk_id, e.target_id) for e in edges if e.provenance == "explicit"]
    assert found == [
        ("n#c00", "n#c00", "A"),
        ("n#c01", "n#c01", "B"),
        ("n#c01", "n#c01", "A"),
    ]


@pytest.mark.parametrize("sections", [0, 1, 2, 7])
def test_structure_counts(sections: int) -> None:
    text = "".join(f"# S{n}\n\ntext {n}\n\n" for n in range(sections))
    kinds = [e.kind for e in derive(text, profile="by_heading") if e.provenance == "structure"]
    assert kinds.count("belongs_to") == sections
    assert kinds.count("next") == kinds.count("prev") == max(0, sections - 1)
    assert len(kinds) == sections + 2 * max(0, sections - 1)


def test_type_defaults_add_what_is_not_stated() -> None:
    task = CONFIG.types.effective(parse_note("t.md", "---\ntype: task\n---\n"))
    edges = derive("[[A]] rel:depends_on [[B]]\n\n[[Nowhere]]\n", task)
    rules = [(e.kind, e.target_id, e.rule_id) for e in edges if e.provenance == "rule"]
    assert rules == [
        ("depends_on", "A", "edge_defaults:task:depends_on"),
        ("belongs_to", "A", "edge_defaults:task:belongs_to"),
        ("belongs_to", "B", "edge_defaults:task:belongs_to"),
        ("depends_on", "Nowhere", "edge_defaults:task:depends_on"),
        ("belongs_to", "Nowhere", "edge_defaults:task:belongs_to"),
    ]
    assert {e.confidence for e in edges if e.provenance == "rule"} == {0.7}


def test_a_plain_link_is_the_references_that_the_type_adds() -> None:
    concept = CONFIG.types.effective(parse_note("t.md", ""))
    edges = [
        e
        for e in derive("[[A]]", concept)
        if e.provenance != "structure" and not e.rule_id.endswith(MIRROR)
    ]
    assert [(e.kind, e.provenance) for e in edges] == [
        ("references", "explicit"),
        ("related_to", "rule"),
    ]


@pytest.mark.parametrize(
    ("text", "mirrored"),
    [
        ("rel: similar_to [[A]]", [("similar_to", "A", "inline:rel:mirror", 0.95)]),
        ("contradicts:: [[A]]", [("contradicts", "A", "inline:field:mirror", 0.95)]),
        ("> [!edge] related_to: [[A#H]]\n", [("related_to", "A", "callout:edge:mirror", 0.90)]),
        (
            "---\nsimilar_to: '[[A]]'\n---\n",
            [("similar_to", "A", "frontmatter:similar_to:mirror", 1.0)],
        ),
        ("rel: similar_to [[A]] [[A]]", [("similar_to", "A", "inline:rel:mirror", 0.95)]),
        ("rel: similar_to [[Nowhere]]", []),
        ("depends_on:: [[A]]", []),
        ("[[A]]", []),
    ],
)
def test_symmetric_kinds_are_mirrored(
    text: str, mirrored: list[tuple[str, str, str, float]]
) -> None:
    """From the whole target to the note, owned by the note that says so."""
    found = [edge for edge in derive(text) if edge.rule_id.endswith(MIRROR)]
    assert [(e.kind, e.source_id, e.rule_id, e.confidence) for e in found] == mirrored
    for edge in found:
        ends = (edge.target_id, edge.target_note_id, edge.note_id, edge.chunk_id, edge.scope)
        assert ends == ("n", "n", "n", None, "note")
        assert edge.provenance == "explicit"


def test_type_defaults_are_mirrored_as_well() -> None:
    concept = CONFIG.types.effective(parse_note("t.md", ""))
    found = [edge for edge in derive("[[A]]", concept) if edge.rule_id.endswith(MIRROR)]
    assert [(e.kind, e.source_id, e.rule_id, e.provenance) for e in found] == [
        ("related_to", "A", "edge_defaults:concept:related_to:mirror", "rule")
    ]


def test_defaults_know_a_missing_note_by_its_name() -> None:
    """`Nowhere` and `nowhere` will be the same note."""
    task = CONFIG.types.effective(parse_note("t.md", "---\ntype: task\n---\n"))
    edges = derive("[[nowhere]] rel:depends_on [[Nowhere]]\n", task)
    assert [e.kind for e in edges if e.provenance == "rule"] == ["belongs_to", "belongs_to"]


@pytest.mark.parametrize(
    ("link", "written", "heading"),
    [
        ("[[Talk #24 — x]]", "Talk #24 — x", None),
        ("[[talk #24 — X|shown]]", "talk #24 — X", None),
        ("[[rel:depends_on Talk #24 — x]]", "Talk #24 — x", None),
        ("[[A#24 — x]]", "A", "24 — x"),
        ("[[Shown|a-note-1#Part]]", "a-note-1", "Part"),
        ("[[Shown#Other|a-note-1]]", "a-note-1", None),
        ("[[Gone #1]]", "Gone", "1"),
    ],
)
def test_an_edge_knows_which_part_of_its_link_names_the_target(
    link: str, written: str, heading: str | None
) -> None:
    texts = {"n.md": link, "Talk #24 — x.md": "", "A.md": "", "z.md": "---\nid: a-note-1\n---\n"}
    index = VaultIndex.build([parse_note(path, text) for path, text in texts.items()])
    found = Linker(memory_store(), CONFIG).edges(index, "n.md", "n", [0])
    (edge,) = [e for e in found if e.provenance == "explicit"]
    assert (edge.written, edge.heading) == (written, heading)


def test_each_edge_is_there_once_and_its_id_is_stable() -> None:
    edges = derive("[[A]] [[A]] [[a]] [[A.md]]")
    keys = [edge.key for edge in edges]
    assert len(keys) == len(set(keys))
    assert len(written(edges)) == 1
    again = derive("[[A]] [[A]] [[a]] [[A.md]]")
    assert [e.edge_id for e in edges] == [e.edge_id for e in again]
