"""What an import would write of each note, made by the importer's own parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from core.config.load import Config
from core.config.origin import TypeOrigins, note_origins
from core.errors import MindnetError
from core.ingest.catalog import Record
from core.ingest.derivation import Derivation
from core.ingest.hashing import HashOptions, hash_signature
from core.ingest.look import FileReader
from core.ingest.prepare import payloads, prepare
from core.ingest.records import excluded
from core.ingest.relink import Linker
from core.store.store import memory_store
from core.vault.index import VaultIndex


def dry_lines(
    root: Path,
    index: VaultIndex,
    paths: Iterable[str],
    config: Config,
    options: HashOptions,
    model: str,
    failed: dict[str, str],
    *,
    explain: bool = False,
    environ: Mapping[str, str] | None = None,
) -> Iterator[dict[str, Any]]:
    """`{"kind": ..., "payload": {...}}` of each note, its chunks and its edges.

    `model` is the embedding model that the payloads would be written with, "" for none. What
    cannot be imported goes to `failed`, by path with the reason. `explain` adds to each note
    `effective`: where its values come from (`core.config.origin`).
    """
    derivation = Derivation(config, model)
    linker = Linker(memory_store(), config)
    reader = FileReader(root, options, (), None)
    origins = TypeOrigins(root, environ or {}, config) if explain else None
    for path in paths:
        note_id = index.note_id(path)
        if (owner := index.path_of(note_id)) != path:
            failed[path] = f"has the same id as {owner}"
            continue
        try:
            content = reader.read(path)
        except MindnetError as error:
            failed[path] = error.message
            continue
        note = content.note
        if note != index.notes[path]:
            failed[path] = "changed while the vault was read"
            continue
        type_ = config.types.effective(note)
        signature = hash_signature(note, content.text, options)
        made = derivation.of(type_, excluded=excluded(note))
        draft = prepare(
            Record(note_id, path, signature, made, content.file_hash),
            content,
            index,
            config,
            linker,
        )
        for kind, payload in payloads(draft):
            line: dict[str, Any] = {"kind": kind, "payload": payload}
            if kind == "note" and origins is not None:
                found = {**note_origins(note, note_id), **origins.of(note, type_)}
                line["effective"] = {k: msgspec.to_builtins(one) for k, one in found.items()}
            yield line
