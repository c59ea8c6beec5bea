"""A vault in a real store, with the product's own searcher and suggestions."""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.config.load import Config, load_config
from core.embedding.bundled import BundledEmbedder
from core.embedding.ports import EmbedderState
from core.ingest.pipeline import Importer
from core.retrieval.discover import Discoverer
from core.retrieval.search import Searcher
from core.store.manifest import Expected
from core.store.store import Store, open_store
from core.vault.index import VaultIndex
from tests.eval.vaults import Vault

Vectors = NDArray[np.float32]


class CachedEmbedder:
    """The bundled model, which embeds each text once and for all runs that share `file`."""

    provider = "bundled"

    def __init__(self, file: Path) -> None:
        self._inner = BundledEmbedder()
        self.model, self.dim = self._inner.model, self._inner.dim
        file.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(file)
        self._db.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)")

    @property
    def state(self) -> EmbedderState:
        return self._inner.state

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        keys = [self._key(text) for text in texts]
        found = {key: row for key in dict.fromkeys(keys) if (row := self._stored(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            made = self._inner.embed_documents(list(missing.values()))
            rows = [(key, row.tobytes()) for key, row in zip(missing, made, strict=True)]
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            self._db.commit()
            found.update(zip(missing, made, strict=True))
        return np.array([found[key] for key in keys], dtype=np.float32).reshape(-1, self.dim)

    def embed_query(self, text: str) -> Vectors:
        query: Vectors = self.embed_documents([text])[0]
        return query

    def close(self) -> None:
        self._db.close()

    def _key(self, text: str) -> bytes:
        named = f"{self.model}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(named).digest()

    def _stored(self, key: bytes) -> Vectors | None:
        row = self._db.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return None if row is None else np.frombuffer(row[0], dtype=np.float32)


class Indexed:
    """A vault that can be asked. `config` may be replaced between two questions."""

    def __init__(self, root: Path, store: Store, embedder: CachedEmbedder) -> None:
        self.store, self.embedder = store, embedder
        self.config: Config = load_config(root)
        self._root, self._texts = root, dict[str, str]()
        self._importer = Importer(root, store, embedder, self.config)
        parts = (lambda: store.generation, lambda: self.index, embedder, lambda: self.config)
        self.searcher = Searcher(*parts)
        self.discoverer = Discoverer(root, *parts)

    @property
    def index(self) -> VaultIndex:
        return self._importer.index

    def become(self, vault: Vault) -> None:
        """Write what differs, and index it as after a save."""
        for path, text in vault.texts.items():
            if self._texts.get(path) != text:
                file = self._root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode("utf-8", "surrogatepass"))
        changed = sorted(p for p, text in vault.texts.items() if self._texts.get(p) != text)
        self._texts = dict(vault.texts)
        failed = self._importer.sync(changed).failed
        if failed:
            raise ValueError(f"{failed[0].path} could not be indexed: {failed[0].reason}")


@contextmanager
def indexed(vault: Vault, embedder: CachedEmbedder) -> Iterator[Indexed]:
    """Write the vault into a temporary folder and index it in an embedded store there."""
    with tempfile.TemporaryDirectory(prefix="mindnet-eval-") as folder:
        root = Path(folder) / "vault"
        root.mkdir()
        expected = Expected(model=embedder.model, dim=embedder.dim)
        with open_store(Path(folder) / "store", "eval", expected) as store:
            space = Indexed(root, store, embedder)
            space.become(vault)
            yield space
