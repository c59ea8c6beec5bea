"""`mindnet export` and `mindnet compare`: the notes of the store as files, and the proof."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli.common import (
    FAILURE,
    FINDINGS,
    JsonOption,
    PrefixOption,
    VaultOption,
    expected_failures,
    fail,
    find_vault,
    print_json,
    settings_of,
    settings_tree,
)
from core.cli.reading import note_lines
from core.errors import MindnetError


@expected_failures
def export(
    out: Annotated[Path, typer.Option("--out", help="The folder to write to, outside the vault.")],
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write every note from the index back as a file, byte for byte as it was imported.

    Never over another file: a file that is there already must be the same. Attachments are
    not in the index; copy them from the vault. `mindnet compare` proves the result.
    """
    from core.roundtrip.export import Exporter
    from core.roundtrip.stored import StoredNote

    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    written = same = 0
    refused: list[dict[str, str]] = []
    exporter: Exporter | None = None

    def tell(line: dict[str, Any]) -> None:
        nonlocal written, same, exporter
        if line["kind"] != "note":
            return
        exporter = exporter or Exporter(out, root)
        note = StoredNote.model_validate(line)
        try:
            outcome = exporter.write(note)
        except MindnetError as error:
            refused.append({"path": note.path, "reason": error.message})
        except OSError as error:
            reason = f"{note.path}: {error.strerror or type(error).__name__}"
            refused.append({"path": note.path, "reason": reason})
        else:
            written += outcome == "written"
            same += outcome == "same"

    Exporter.check(out, root)
    note_lines(root, tree, settings, tell)
    if as_json:
        counts = {"written": written, "same": same, "refused": refused, "attachments": False}
        print_json({"out": str(out.absolute()), **counts})
    else:
        typer.echo(f"{written} notes written to {out}, {same} were there already")
        typer.echo("attachments are not in the index; copy them from the vault", err=True)
        for one in refused:
            typer.echo(f"mindnet: {one['reason']}; left alone", err=True)
    if refused:
        raise typer.Exit(FAILURE)


@expected_failures
def compare(
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="[VAULT] DIR",
            help="The vault, and the folder that was exported to; the latter alone for the vault "
            "that --vault means.",
        ),
    ],
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare the notes of a vault with an export, byte for byte; exit code 1 if they differ.

    Each difference is named with its line and byte, and whether hash and chunks are the same.
    """
    from core.config.load import load_config
    from core.ingest.hashing import hash_options
    from core.roundtrip import compare as comparing

    if len(places) > 2:
        fail("there are more than a vault and a folder", "Name two.")
    folder = places[-1]
    root = find_vault(places[0] if len(places) == 2 else vault)
    if not folder.is_dir():
        fail(f"{folder} is not a folder")
    settings = settings_of(settings_tree(prefix))
    found = comparing.compare(
        root, folder, settings.vault.ignore, hash_options(os.environ), load_config(root, os.environ)
    )
    if as_json:
        print_json({"ok": not found.differences, **found.model_dump()})
    else:
        for one in found.differences:
            typer.echo(f"{one.path or '.'}: {one.message}")
        verdict = f"{len(found.differences)} differ" if found.differences else "OK"
        typer.echo(f"{found.notes} notes ({found.chunks} chunks) are the same: {verdict}")
    if found.differences:
        raise typer.Exit(FINDINGS)
