"""`mindnet dryrun`: what an import would write, as JSON lines. No store, no model."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli.common import (
    FINDINGS,
    PrefixOption,
    VaultOption,
    expected_failures,
    find_vault,
    settings_of,
    settings_tree,
)
from core.cli.notes import named_path, read_vault
from core.settings import Settings
from core.vault.index import VaultIndex


@expected_failures
def dryrun(
    notes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NOTE]...", help="Files, note ids or titles; without any, the whole vault."
        ),
    ] = None,
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON lines: it always does.")
    ] = True,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Add `effective` to each note: where its type, chunk profile, weight, default "
            "edges, id and title come from, with file and line.",
        ),
    ] = False,
) -> None:
    """Print the payloads of notes, chunks and edges that an import writes, one a line.

    Each line is {"kind": "note" | "chunk" | "edge", "payload": {...}}, notes in the order of
    their paths, each followed by its chunks and edges. The same vault gives the same lines.
    Neither a store nor a model is needed, and nothing is written. Exit code 1 if a note cannot
    be imported.
    """
    root = find_vault(vault)
    settings = settings_of(settings_tree(prefix))
    loaded = read_vault(root, settings)
    paths = [_path(root, loaded.index, one) for one in notes or ()] or list(loaded.index.paths)
    failed = {p.path: f"{p.reason} {p.detail}".strip() for p in loaded.problems}
    failed = {} if notes else {p: why for p, why in failed.items() if p not in loaded.index.notes}
    for line in dry_lines(root, settings, loaded.index, dict.fromkeys(paths), failed, explain):
        typer.echo(json.dumps(line, ensure_ascii=False))
    for path, reason in sorted(failed.items()):
        typer.echo(f"mindnet: {path}: {reason}", err=True)
    if failed:
        raise typer.Exit(FINDINGS)


def dry_lines(
    root: Path,
    settings: Settings,
    index: VaultIndex,
    paths: dict[str, None],
    failed: dict[str, str],
    explain: bool,
) -> Iterator[dict[str, Any]]:
    """The lines of some notes. What cannot be imported goes to `failed`, with the reason."""
    from core.config.load import load_config
    from core.config.origin import TypeOrigins, note_origins
    from core.embedding.make import make_embedder
    from core.errors import MindnetError
    from core.ingest.catalog import Record
    from core.ingest.derivation import Derivation
    from core.ingest.hashing import hash_options, hash_signature
    from core.ingest.look import FileReader
    from core.ingest.prepare import payloads, prepare
    from core.ingest.records import excluded
    from core.ingest.relink import Linker
    from core.store.store import memory_store

    config, options = load_config(root, os.environ), hash_options(os.environ)
    embedder = make_embedder(settings)
    derivation = Derivation(config, embedder.model if embedder else "")
    linker = Linker(memory_store(), config)
    reader = FileReader(root, options, settings.vault.ignore, None)
    origins = TypeOrigins(root, os.environ, config) if explain else None
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
        record = Record(
            note_id,
            path,
            hash_signature(note, content.text, options),
            derivation.of(type_, excluded=excluded(note)),
        )
        for kind, payload in payloads(prepare(record, content, index, config, linker)):
            line: dict[str, Any] = {"kind": kind, "payload": payload}
            if kind == "note" and origins is not None:
                found = {**note_origins(note, note_id), **origins.of(note, type_)}
                line["effective"] = {
                    name: {"value": o.value, "source": o.source}
                    | ({"file": o.file} if o.file else {})
                    | ({"line": o.line} if o.line else {})
                    for name, o in found.items()
                }
            yield line


def _path(root: Path, index: VaultIndex, given: str) -> str:
    for file in (Path(given), root / given):
        resolved = file.resolve()
        if resolved.is_relative_to(root):
            below = resolved.relative_to(root).as_posix()
            if below in index.notes:
                return below
    return named_path(index, given)
