"""A vault on disk with its importer: what the ingest tests drive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.api import SyncResult
from core.config.load import Config, load_config
from core.ingest.pipeline import Importer
from core.store.manifest import Expected
from core.store.ports import Eq
from core.store.store import Store, memory_store, open_store
from tests.support.fake_embedder import FakeEmbedder

CONFIG = load_config()


class Vault:
    """A vault in a folder, a store, and an importer that can be started anew."""

    def __init__(self, folder: Path, backend: str, *, embed: bool = True) -> None:
        self.root = folder / "vault"
        self.root.mkdir()
        self.data = folder / "data"
        self.embedder = FakeEmbedder()
        self.embed = embed
        self._backend = backend
        self._expected = (
            Expected(model=self.embedder.model, dim=self.embedder.dim) if embed else Expected()
        )
        self.store = self._open()
        self.importer = self.start()

    def _open(self) -> Store:
        if self._backend == "memory":
            return memory_store(expected=self._expected)
        return open_store(self.data / "store", "test", self._expected)

    def start(self, config: Config = CONFIG, **options: Any) -> Importer:
        """A new importer, as after a restart."""
        embedder = self.embedder if self.embed else None
        self.importer = Importer(
            self.root, self.store, embedder, config, folder=self.data, **options
        )
        return self.importer

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())

    def delete(self, path: str) -> None:
        (self.root / path).unlink()

    def move(self, old: str, new: str) -> None:
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)

    def sync(self, *paths: str, **options: Any) -> SyncResult:
        """A sync of these paths, of all without any; nothing may fail."""
        result = self.importer.sync(list(paths) or None, **options)
        assert result.failed == []
        return result

    def counted(self, action: Callable[[], Any]) -> list[str]:
        """The texts that were embedded by the action."""
        before = len(self.embedder.inputs)
        action()
        return self.embedder.inputs[before:]

    def content(self) -> dict[str, dict[str, Any]]:
        """All payloads by role and id."""
        roles = {"notes": self.store.notes, "chunks": self.store.chunks, "edges": self.store.edges}
        return {r: {p.id: dict(p.payload) for p in c.scan()} for r, c in sorted(roles.items())}

    def edges(self, source: str, **fields: str) -> list[tuple[str, str, str | None]]:
        """Kind, target and target note of the written edges of a note."""
        found = self.store.edges.scan(Eq("note_id", source))
        wanted = [
            p.payload
            for p in found
            if p.payload["provenance"] == "explicit"
            and all(p.payload.get(name) == value for name, value in fields.items())
        ]
        return sorted((p["kind"], p["target_id"], p.get("target_note_id")) for p in wanted)

    def check(self) -> None:
        """What holds for every store after every sync."""
        content = self.content()
        notes, chunks, edges = content["notes"], content["chunks"], content["edges"]
        files = {p.relative_to(self.root).as_posix() for p in self.root.rglob("*.md")}
        assert {note["path"] for note in notes.values()} == files
        assert all(note["hash_signature"] for note in notes.values())
        per_note = Counter(chunk["note_id"] for chunk in chunks.values())
        assert {n: note["chunk_count"] for n, note in notes.items()} == {
            n: per_note[n] for n in notes
        }
        assert per_note.keys() <= notes.keys()
        assert {edge["note_id"] for edge in edges.values()} <= notes.keys()
        kinds = Counter(
            (e["note_id"], e["kind"]) for e in edges.values() if e["provenance"] == "structure"
        )
        for note_id in notes:
            count = per_note[note_id]
            assert kinds[note_id, "belongs_to"] == count
            assert kinds[note_id, "next"] == kinds[note_id, "prev"] == max(0, count - 1)
        for edge in edges.values():
            if edge["provenance"] != "structure" and edge.get("target_note_id"):
                assert edge["target_note_id"] in notes
                assert edge["target_id"] == edge["target_note_id"]
