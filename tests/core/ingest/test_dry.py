"""A dry run shows what an import stores: the very same payloads, in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.config.load import load_config
from core.embedding.bundled import MODEL
from core.ingest.dry import dry_lines
from core.ingest.hashing import HashOptions
from core.ingest.pipeline import Importer
from core.store.store import memory_store
from core.vault.load import load_vault
from tests.support.fixture import parse_fixture

EXAMPLE = Path(__file__).parents[3] / "examples" / "vault"
TYPES = """\
types:
  Werkzeug:
    retriever_weight: 0.25
    paths: [werkstatt]
  task:
    edge_defaults: [blocks]
default:
  chunk_profile: long
"""
VAULT = """\
//- /a.md
---
title: Anfang
id: start
type: task
---
[[b]] and [[Nirgends]]
//- /werkstatt/b.md
# Bohrer

rel: similar_to [[start]]
//- /c.md
Only a text.
"""


def lines(root: Path, *paths: str, model: str = "", explain: bool = False) -> list[dict[str, Any]]:
    index = load_vault(root).index
    config = load_config(root)
    failed: dict[str, str] = {}
    chosen = paths or index.paths
    made = dry_lines(root, index, chosen, config, HashOptions(), model, failed, explain=explain)
    found = list(made)
    assert failed == {}
    return found


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    parse_fixture(VAULT).write(tmp_path)
    (tmp_path / "odd.md").write_bytes("\ufeffGröße\0 ".encode() + b"\xff\r\n")
    (tmp_path / ".mindnet").mkdir()
    (tmp_path / ".mindnet" / "types.yaml").write_text(TYPES, "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["made", "example"])
def test_payloads_are_those_of_the_store(name: str, vault: Path) -> None:
    root = vault if name == "made" else EXAMPLE
    store = memory_store()
    result = Importer(root, store, None, load_config(root)).sync()
    failed = {one.path for one in result.failed}
    stored = {
        (kind, point.id): point.payload
        for kind, part in (("note", store.notes), ("chunk", store.chunks), ("edge", store.edges))
        for point in part.scan()
    }
    dry = lines(root, *(p for p in load_vault(root).index.paths if p not in failed))
    ids = {"note": "note_id", "chunk": "chunk_id", "edge": "edge_id"}
    assert {
        (line["kind"], line["payload"][ids[line["kind"]]]): line["payload"] for line in dry
    } == (stored)
    assert len(dry) == len(stored)


def test_the_order_is_fixed(vault: Path) -> None:
    found = lines(vault)
    assert found == lines(vault)
    notes = [line["payload"]["path"] for line in found if line["kind"] == "note"]
    assert notes == sorted(notes)
    kinds = [line["kind"] for line in found if line["payload"]["note_id"] == "start"]
    assert kinds == sorted(kinds, key=["note", "chunk", "edge"].index)


def test_chosen_notes_alone(vault: Path) -> None:
    assert lines(vault, "a.md") == [
        line for line in lines(vault) if line["payload"]["note_id"] == "start"
    ]


def test_the_model_changes_the_derivation_alone(vault: Path) -> None:
    with_model, without = lines(vault, "a.md", model=MODEL), lines(vault, "a.md")
    assert with_model[0]["payload"].pop("derivation") != without[0]["payload"].pop("derivation")
    assert with_model == without


def origins(found: list[dict[str, Any]], path: str) -> Mapping[str, tuple[Any, ...]]:
    line = next(one for one in found if one["payload"].get("path") == path and "effective" in one)
    return {
        name: (one["value"], one["source"], one.get("file"), one.get("line"))
        for name, one in line["effective"].items()
    }


def test_effective_values_say_where_they_come_from(vault: Path) -> None:
    found = lines(vault, explain=True)
    own = ".mindnet/types.yaml"
    a = origins(found, "a.md")
    assert a["id"] == ("start", "frontmatter", "a.md", 3)
    assert a["title"] == ("Anfang", "frontmatter", "a.md", 2)
    assert a["type"] == ("task", "frontmatter", "a.md", 4)
    assert a["edge_defaults"] == (["blocks"], "vault", own, 6)
    assert a["chunk_profile"][:3] == ("short", "packaged", "types.yaml")
    b = origins(found, "werkstatt/b.md")
    assert b["id"][1] == "path"
    assert b["title"] == ("Bohrer", "heading", "werkstatt/b.md", 1)
    assert b["type"] == ("werkzeug", "path", own, 4)
    assert b["retriever_weight"] == (0.25, "vault", own, 3)
    assert b["chunk_profile"] == ("long", "vault", own, 8)
    c = origins(found, "c.md")
    assert c["title"] == ("c", "file name", "c.md", None)
    assert c["type"][:2] == ("concept", "default")
    # the packaged type has a value of its own, which beats the vault's default
    assert c["chunk_profile"][:3] == ("medium", "packaged", "types.yaml")
    assert all("effective" not in line for line in lines(vault))


def test_lines_of_packaged_values_are_true(vault: Path) -> None:
    from core.config.files import packaged_config_dir

    text = (packaged_config_dir() / "types.yaml").read_text("utf-8").split("\n")
    for found in (
        origins(lines(vault, explain=True), "a.md"),
        origins(lines(vault, explain=True), "c.md"),
    ):
        for name, (_, source, _, line) in found.items():
            if source == "packaged":
                assert text[line - 1].strip().startswith(f"{name}:")
