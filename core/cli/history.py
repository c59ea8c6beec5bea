"""`mindnet history`: what was asked, and what people thought of it."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.common import (
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
    user_locale,
)
from core.cli.notes import read_vault
from core.paths import vault_data_dir
from core.settings import Settings

if TYPE_CHECKING:
    from core.feedback.history import History
    from core.feedback.shapes import HistoryEntry

SHOWN_HITS = 5
STANDARD_OUTPUT = "-"


@expected_failures
def history(
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Newest entries shown.")] = 20,
    export_pairs: Annotated[
        str | None,
        typer.Option(
            "--export-pairs",
            metavar="FILE",
            help="Write query, passage and rating of every rated hit as JSON lines; - prints them.",
        ),
    ] = None,
) -> None:
    """List what was asked, the newest first, with the ratings; exit code 1 if there is nothing.

    The history lies in the data folder, holds no text of notes, and is kept while the setting
    history.enabled is on. Exported pairs do hold text; notes with embedding_exclude are left
    out, as are passages that are no longer there.
    """
    root = find_vault(vault)
    settings = settings_of(settings_tree(prefix))
    kept = history_of(root, settings)
    if export_pairs is not None:
        _export(root, settings, kept, export_pairs, as_json=as_json)
        return
    found = kept.read(limit, user_locale(settings))
    if as_json:
        print_json(found)
    else:
        for entry in found.entries:
            _show(entry)
        if found.notice:
            typer.echo(f"({found.notice})", err=True)
    if not found.entries:
        raise typer.Exit(FINDINGS)


def history_of(root: Path, settings: Settings) -> History:
    """The history of a vault, whether a core runs or not."""
    from core.feedback.history import History

    return History(vault_data_dir(root), enabled=settings.history.enabled)


def _show(entry: HistoryEntry) -> None:
    when = datetime.fromisoformat(entry.timestamp).astimezone()
    kind = "chat" if entry.source == "chat" else entry.mode
    typer.echo(f"{when:%Y-%m-%d %H:%M}  {kind}  {' '.join(entry.query.split())}")
    typer.echo(f"    {entry.query_id}")
    ratings = {rating.node_id: rating for rating in entry.feedback}
    for number, hit in enumerate(entry.hits, 1):
        rating = ratings.pop(hit.note_id, None)
        if number <= SHOWN_HITS or rating:
            said = f"  rated {rating.score}" if rating else ""
            typer.echo(f"    {number:2}. {hit.score:.3f}  {hit.title}  ({hit.note_id}){said}")
            if rating and rating.comment:
                typer.echo(f"        {' '.join(rating.comment.split())}")
    for rating in ratings.values():
        typer.echo(f"    {rating.node_id}  rated {rating.score}")


def _export(root: Path, settings: Settings, kept: History, file: str, *, as_json: bool) -> None:
    from core.config.load import load_config
    from core.feedback.pairs import pairs, vault_passages

    passages = vault_passages(root, read_vault(root, settings).index, load_config(root, os.environ))
    lines = [pair.model_dump_json() for pair in pairs(kept.entries(), passages)]
    if not lines:
        typer.echo("mindnet: no hit was rated yet; see `mindnet feedback --help`", err=True)
        raise typer.Exit(FINDINGS)
    if file == STANDARD_OUTPUT:
        for line in lines:
            typer.echo(line)
        return
    try:
        with open(file, "x", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines)
    except FileExistsError:
        fail(f"{file} is there already", "Name another file; nothing is overwritten.")
    if as_json:
        print_json({"pairs": len(lines), "file": file})
    else:
        typer.echo(f"{len(lines)} pairs written to {file}")
