"""A vault from a fixture, indexed in memory, with its searcher and its suggestions."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from core.api import AnalyzeRequest, Filters, QueryHit, QueryRequest, QueryResponse, Suggestion
from core.config.load import Config, load_config
from core.embedding.ports import Embedder
from core.features.document import Document
from core.ingest.pipeline import Importer
from core.parse import parse_note
from core.retrieval.discover import Discoverer
from core.retrieval.mentions import mentions
from core.retrieval.named import NameBook
from core.retrieval.search import Searcher
from core.store.manifest import Expected
from core.store.store import memory_store
from core.vault.index import VaultIndex
from tests.support.fake_embedder import FakeEmbedder
from tests.support.fixture import Fixture, parse_fixture

EXAMPLES = Path(__file__).parents[3] / "examples"


class Space:
    """An indexed vault. `embedder` of None searches by words alone."""

    def __init__(self, root: Path, embedder: Embedder | None) -> None:
        self.root = root
        self.embedder = embedder
        self.config: Config = load_config(root)
        expected = Expected(model=embedder.model, dim=embedder.dim) if embedder else Expected()
        self.store = memory_store(expected=expected)
        self.importer = Importer(root, self.store, embedder, self.config)
        result = self.importer.sync()
        assert result.failed == []
        generation = self.store.generation
        parts = (lambda: generation, lambda: self.index, embedder, lambda: self.config)
        self.searcher = Searcher(*parts)
        self.discoverer = Discoverer(root, *parts)

    @classmethod
    def of(cls, folder: Path, source: str, *, vectors: bool = True, eol: str = "\n") -> Space:
        root = folder / "vault"
        root.mkdir()
        parse_fixture(source.replace("\n", eol)).write(root)
        return cls(root, FakeEmbedder(dim=64) if vectors else None)

    @property
    def index(self) -> VaultIndex:
        return self.importer.index

    def ask(self, query: str, **options: Any) -> QueryResponse:
        return self.searcher.query(QueryRequest(query=query, **options))

    def hits(self, query: str, **options: Any) -> list[QueryHit]:
        return self.ask(query, **options).hits

    def found(self, query: str, **options: Any) -> list[str]:
        """Paths of the hits, best first."""
        return [hit.path for hit in self.hits(query, **options)]

    def filtered(self, query: str, **filters: Any) -> set[str]:
        return set(self.found(query, filters=Filters(**filters), hops=0, top_k=50))

    def suggest(self, path: str, **options: Any) -> list[Suggestion]:
        request = AnalyzeRequest(path=path, **options)
        return self.discoverer.suggest(request).suggestions

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    @cached_property
    def facts(self) -> set[tuple[str, str, str]]:
        """Source, kind and target (note ids) of every edge that is neither structure nor the
        mirror of another."""
        return {
            (p.payload["note_id"], p.payload["kind"], p.payload["target_note_id"])
            for p in self.store.edges.scan()
            if p.payload["provenance"] != "structure"
            and p.payload.get("target_note_id") not in (None, p.payload["note_id"])
        }


def mentioned(source: str, eol: str = "\n") -> list[tuple[str, str]]:
    """What the first file of a fixture mentions: the words and the note."""
    fixture: Fixture = parse_fixture(source.replace("\n", eol))
    notes = [parse_note(path, text) for path, text in fixture.files.items()]
    open_note = notes[0]
    text = fixture.files[open_note.path]
    document = Document.of(open_note, text)
    index = VaultIndex.build(notes)
    names = NameBook(index.notes.values())
    found = mentions(names, document, open_note.body_start, len(text))
    return [(text[one.start : one.end], one.path) for one in found]


def applied(text: str, suggestion: Suggestion) -> str:
    return text[: suggestion.start] + suggestion.new_text + text[suggestion.end :]
