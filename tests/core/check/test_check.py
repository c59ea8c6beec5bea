"""A check finds nothing in what was imported, and each planted fault by its code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.check.run import check
from core.check.schema import FIELDS
from core.check.shapes import NAMES, CheckName, CheckResult, Fact, Finding
from core.check.view import VaultFiles
from core.cli.check import Name
from core.ingest.hashing import HashOptions
from core.store.ports import Point
from core.store.schema import collections
from tests.core.ingest.kit import CONFIG, Vault

LONG = "---\ntype: journal\ntags: [wasser]\n---\n" + "".join(
    f"# Schleuse {n}\n\n" + f"Der Müller {n} hebt das Wehr, siehe [[ziel]]. " * 30 + "\n\n"
    for n in range(4)
)


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    made = Vault(tmp_path, "memory")
    made.write("lang.md", LONG)
    made.write("ordner/ziel.md", "# Ziel\r\n\r\nrel: related_to [[lang]] und [[Nirgends]]\r\n")
    made.write("geheim.md", "---\nembedding_exclude: true\n---\nKein Vektor 🚢.\n")
    made.write("leer.md", "")
    made.sync()
    yield made
    made.store.close()


def run(vault: Vault, *what: CheckName, **options: Any) -> tuple[list[Finding], list[Fact], Any]:
    files = VaultFiles(vault.root, (), HashOptions(), CONFIG, vault.embedder.model)
    lines = list(check(vault.store, files, what, dim=vault.embedder.dim, **options))
    findings = [line for line in lines if isinstance(line, Finding)]
    result = lines[-1]
    assert isinstance(result, CheckResult)
    assert result.findings == len(findings)
    return findings, [line for line in lines if isinstance(line, Fact)], result


def test_what_was_imported_is_right(vault: Vault) -> None:
    before = vault.content()
    findings, facts, result = run(vault)
    assert findings == []
    assert (result.notes, result.checks) == (4, list(NAMES))
    assert (result.chunks, result.edges) == (vault.store.chunks.count(), vault.store.edges.count())
    figures = {fact.name: fact.value for fact in facts}
    assert figures["window_differs"] > 0.6
    assert figures["same"] == 4
    assert figures["unresolved"] >= 1
    assert figures["indexes"] == 22
    assert vault.content() == before


def change(collection: Any, found: Callable[[Point], bool], **fields: Any) -> None:
    """Give the first point that fits other fields; None removes one."""
    point = next(p for p in collection.scan(vectors=True) if found(p))
    payload = {**point.payload, **fields}
    payload = {name: value for name, value in payload.items() if value is not None}
    collection.upsert([Point(point.id, point.vector, point.sparse, payload)])


def is_kind(kind: str) -> Callable[[Point], bool]:
    return lambda point: point.payload["kind"] == kind


def is_last(point: Point) -> bool:
    return point.payload["neighbors_prev"] is not None and not point.payload["neighbors_next"]


def anything(_: Point) -> bool:
    return True


def lose(collection: Any, found: Callable[[Point], bool]) -> None:
    collection.delete_ids([next(p.id for p in collection.scan() if found(p))])


def without_vector(collection: Any) -> None:
    point = next(p for p in collection.scan(vectors=True) if p.vector is not None)
    collection.upsert([Point(point.id, None, point.sparse, point.payload)])


def with_vector(store: Any) -> None:
    vector = next(p.vector for p in store.chunks.scan(vectors=True) if p.vector is not None)
    point = next(p for p in store.chunks.scan(vectors=True) if p.vector is None)
    store.chunks.upsert([Point(point.id, vector, point.sparse, point.payload)])


def copied(collection: Any, **fields: Any) -> None:
    point = next(iter(collection.scan()))
    collection.upsert([Point("another", payload={**point.payload, **fields})])


FAULTS: list[tuple[CheckName, str, Callable[[Vault], None]]] = [
    ("edges", "edge-count", lambda v: lose(v.store.edges, is_kind("belongs_to"))),
    ("edges", "edge-count", lambda v: lose(v.store.edges, is_kind("next"))),
    ("edges", "duplicate-edge", lambda v: copied(v.store.edges)),
    ("edges", "wrong-edge-id", lambda v: change(v.store.edges, anything, rule_id="x:y")),
    (
        "edges",
        "dangling-target",
        lambda v: change(
            v.store.edges,
            lambda p: p.payload["provenance"] == "explicit" and "target_note_id" in p.payload,
            target_note_id="gone",
            target_id="gone",
        ),
    ),
    ("edges", "wrong-smart-edge", lambda v: change(v.store.edges, anything, provenance="smart")),
    ("edges", "dangling-source", lambda v: change(v.store.edges, anything, source_id="gone#c00")),
    ("edges", "orphans", lambda v: copied(v.store.edges, note_id="gone")),
    ("chunks", "orphans", lambda v: copied(v.store.chunks, note_id="gone")),
    ("chunks", "chunk-count", lambda v: lose(v.store.chunks, is_last)),
    ("chunks", "text-lost", lambda v: lose(v.store.chunks, is_last)),
    ("chunks", "chunk-order", lambda v: change(v.store.chunks, is_last, ord=1)),
    ("chunks", "empty-chunk", lambda v: change(v.store.chunks, is_last, text="")),
    ("chunks", "text-differs", lambda v: v.write("lang.md", LONG.replace("Wehr", "Brett"))),
    ("chunks", "cut-differs", lambda v: change(v.store.chunks, is_last, end_line=0)),
    ("windows", "wrong-window", lambda v: change(v.store.chunks, is_last, window="a\n\nb")),
    ("windows", "missing-vector", lambda v: without_vector(v.store.chunks)),
    ("windows", "unwanted-vector", lambda v: with_vector(v.store)),
    ("schema", "missing-field", lambda v: change(v.store.chunks, is_last, tokens=None)),
    ("schema", "wrong-value", lambda v: change(v.store.edges, anything, scope="world")),
    ("schema", "wrong-value", lambda v: change(v.store.edges, anything, confidence=1.5)),
    ("schema", "not-mirrored", lambda v: change(v.store.chunks, is_last, type="task")),
    ("hashes", "hash-differs", lambda v: v.write("lang.md", LONG + "mehr\n")),
    ("hashes", "derivation-differs", lambda v: change(v.store.notes, anything, derivation="old")),
    ("hashes", "incomplete", lambda v: change(v.store.notes, anything, hash_signature="")),
    ("hashes", "no-file", lambda v: v.delete("lang.md")),
    ("hashes", "no-record", lambda v: v.write("neu.md", "neu")),
    ("hashes", "path-twice", lambda v: change(v.store.notes, anything, path="leer.md")),
]


@pytest.mark.parametrize(("name", "code", "damage"), FAULTS)
def test_faults(vault: Vault, name: CheckName, code: str, damage: Callable[[Vault], None]) -> None:
    damage(vault)
    findings, _, result = run(vault, name)
    assert code in {one.code for one in findings}
    assert {one.check for one in findings} == {name}
    assert result.checks == [name]
    for one in findings:
        assert one.message
        assert "Müller" not in one.message


def test_an_index_that_is_missing(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = {"mindnet_notes": frozenset(("path", "type"))}
    there = type(vault.store.notes)
    monkeypatch.setattr(there, "lacking", lambda self: lacking.get(self.schema.name, frozenset()))
    findings, _, _ = run(vault, "schema")
    assert {one.code for one in findings} == {"missing-index"}
    assert "test_notes has no index on path (notes)" in [
        one.message.replace("mindnet_", "test_") for one in findings
    ]


def test_a_store_that_does_not_fit(vault: Vault) -> None:
    findings, _, _ = run(vault, "windows", outdated=["built with a, now b"])
    assert [one.code for one in findings] == ["outdated"]


def test_other_line_ends_alone_are_a_figure(vault: Vault) -> None:
    """They count as unchanged to the importer as well."""
    vault.write("lang.md", LONG.replace("\n", "\r\n"))
    findings, facts, _ = run(vault)
    assert findings == []
    assert {fact.name: fact.value for fact in facts}["other_form"] == 1
    assert vault.sync().changed == 0
    findings, facts, _ = run(vault)
    assert findings == []
    assert "other_form" not in {fact.name for fact in facts}


def test_the_fields_are_those_of_the_schema() -> None:
    """Every indexed field that each point has is asked for."""
    optional = {"target_note_id", "chunk_id"}
    for role, schema in collections("mindnet", 4).items():
        asked = FIELDS[role].keys() | (optional if role == "edges" else set())
        assert schema.indexed.keys() <= asked


def test_the_command_line_names_all_checks() -> None:
    assert [name.value for name in Name] == [*NAMES, "all"]


def test_an_empty_store(tmp_path: Path) -> None:
    vault = Vault(tmp_path, "memory")
    findings, _, result = run(vault)
    assert (findings, result.notes) == ([], 0)
    vault.store.close()


def test_what_was_half_written_is_looked_at_again(vault: Vault) -> None:
    """As through a core that writes meanwhile: a note that is saved, gone or new."""
    vault.write("lang.md", LONG + "mehr\n")
    vault.delete("leer.md")
    vault.write("neu.md", "Neu, siehe [[lang]].\n")
    lost = next(p for p in vault.store.chunks.scan(vectors=True) if is_last(p))
    vault.store.chunks.delete_ids([lost.id])
    findings, _, _ = run(vault)
    assert {one.code for one in findings} > {"hash-differs", "no-file", "no-record", "chunk-count"}

    findings, _, _ = run(vault, settle=lambda: vault.sync() and None)
    assert findings == []


SETTLES = (None, lambda: None)


def test_what_stays_wrong_is_still_found(vault: Vault) -> None:
    change(vault.store.notes, anything, path="leer.md")
    lose(vault.store.edges, is_kind("next"))
    copied(vault.store.chunks, note_id="gone")
    found, again = ({one.model_dump_json() for one in run(vault, settle=s)[0]} for s in SETTLES)
    assert found == again != set()
