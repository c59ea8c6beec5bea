"""What the points of a note depend on besides its own content."""

from __future__ import annotations

import hashlib

import msgspec

from core.chunking.profiles import CHUNKING_VERSION
from core.config.load import Config
from core.config.note_types import EffectiveType
from core.embedding.sparse import TERMS_VERSION
from core.ingest.records import RECORDS_VERSION
from core.parse import PARSER_VERSION
from core.store.schema import SCHEMA_VERSION

EDGES_VERSION = 3
"""Raised whenever the same note would get other edges."""

_KEPT = 1000


class Derivation:
    """Short hashes that change when a note has to be written again though it is the same."""

    def __init__(self, config: Config, model: str) -> None:
        versions = (
            CHUNKING_VERSION,
            EDGES_VERSION,
            PARSER_VERSION,
            RECORDS_VERSION,
            SCHEMA_VERSION,
            TERMS_VERSION,
        )
        kinds = {
            kind: (known.aliases, known.symmetric)
            for kind, known in config.relations.relations.items()
        }
        self._base = msgspec.json.encode((versions, model, kinds))
        self._known: dict[tuple[EffectiveType, bool], str] = {}

    def of(self, type_: EffectiveType, *, excluded: bool) -> str:
        """The hash for a note of this effective type."""
        key = (type_, excluded)
        if key not in self._known:
            digest = hashlib.sha256(self._base + msgspec.json.encode(key))
            if len(self._known) > _KEPT:
                self._known.clear()
            self._known[key] = digest.hexdigest()[:16]
        return self._known[key]
