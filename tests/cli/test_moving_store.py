"""A vault goes from the embedded store to a server, as a person does it, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.ids import point_id
from core.store.home import current_folder
from core.store.manifest import Expected, read_manifest
from core.store.store import open_store
from tests.cli.shell import Shell
from tests.support.fixture import parse_fixture
from tests.support.qdrant_server import QdrantServer

ROLES = ("notes", "chunks", "edges")
VAULT = """\
//- /Größe.md
---
id: groesse
tags: [wasser, 港]
depends_on: [Otter, "[[Nirgends]]"]
---
# Größe 🚢

rel: similar_to [[heron]] und [[Otter#Bau|der Bau]]

## Teil

(caused_by:: [[heron]]), siehe [[fehlt]].
//- /tief/leer.md
"""

Stored = dict[str, dict[str, tuple[dict[str, Any], Any]]]
"""Payload and dense vector, by role and point id."""


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    made = QdrantServer(api_key="swordfish").start()
    yield made
    made.stop()


def embedded(shell: Shell) -> Stored:
    folder = current_folder(shell.data / "store" / "mindnet")
    assert folder is not None
    manifest = read_manifest(folder)
    assert manifest is not None
    expected = Expected(
        model=manifest.model, dim=manifest.dim, chunking_version=manifest.chunking_version
    )
    with open_store(shell.data / "store", "mindnet", expected) as store:
        assert store.report.state == "ready"
        parts = dict(zip(ROLES, (store.notes, store.chunks, store.edges), strict=True))
        return {
            role: {point_id(p.id): (dict(p.payload), p.vector) for p in part.scan(vectors=True)}
            for role, part in parts.items()
        }


def on_server(server: QdrantServer) -> Stored:
    found: Stored = {}
    for role in ROLES:
        records, rest = server.engine.scroll(
            collection_name=f"mindnet_{role}", limit=10_000, with_payload=True, with_vectors=True
        )
        assert rest is None
        found[role] = {
            str(one.id): (one.payload, (one.vector or {}).get("dense")) for one in records
        }
    return found


def test_every_id_payload_and_vector_is_the_same(shell: Shell, server: QdrantServer) -> None:
    parse_fixture(VAULT).write(shell.root)
    shell.environ["MINDNET_EMBEDDING_PROVIDER"] = "bundled"
    first = shell.json("import", "--apply")
    assert first["changed"] == 4
    before = embedded(shell)
    assert [len(before[role]) > 2 for role in ROLES] == [True] * 3
    home = dict(shell.environ)
    shell.environ |= {
        "MINDNET_STORE_MODE": "server",
        "MINDNET_QDRANT_URL": server.url,
        "MINDNET_QDRANT_API_KEY": "swordfish",
    }
    moved = shell.json("import", "--apply")
    assert {k: moved[k] for k in ROLES} == {k: first[k] for k in ROLES}
    after = on_server(server)
    for role in ROLES:
        assert after[role].keys() == before[role].keys()
        for key, (payload, vector) in before[role].items():
            there, other = after[role][key]
            assert there == payload
            assert (vector is None) == (other is None)
            assert vector is None or np.allclose(vector, other, atol=1e-6)
    assert shell.json("check")["findings"] == []
    again = shell.json("import", "--apply")
    assert (again["changed"], again["embedded"], on_server(server)) == (0, 0, after)
    hits = shell.json("query", "der Bau des Otters")["hits"]
    shell.environ = home
    back = shell.json("import", "--apply")
    assert (back["changed"], back["embedded"]) == (0, 0)
    mine = shell.json("query", "der Bau des Otters")["hits"]
    assert [hit["chunk_id"] for hit in mine] == [hit["chunk_id"] for hit in hits]
    assert [hit["score"] for hit in mine] == pytest.approx([hit["score"] for hit in hits], abs=1e-5)
