"""`mindnet reset`: drop the collections of a vault, or create what is missing of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from core.cli.access import LOCK_PATIENCE, running_core
from core.cli.common import (
    FAILURE,
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
from core.paths import vault_data_dir
from core.settings import Settings


@expected_failures
def reset(
    mode: Annotated[
        Literal["wipe", "ensure"],
        typer.Option(
            help="wipe: drop the collections, so that the next import starts from nothing. "
            "ensure: create collections and payload indexes that are missing."
        ),
    ],
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a wipe.")] = False,
) -> None:
    """Drop the index of a vault, or create what is missing of it. The notes are never touched.

    A wipe asks first, and is refused while a core (that of an open editor) holds the index.
    """
    root = find_vault(vault)
    tree = settings_tree(prefix)
    settings = settings_of(tree)
    core = running_core(root, tree)
    if mode == "wipe":
        if core is not None:
            fail(
                "a core serves this vault just now",
                "Close the editors that have it open or end `mindnet serve`, then try again.",
            )
        names = ", ".join(f"{settings.prefix}_{role}" for role in ("notes", "chunks", "edges"))
        if not yes:
            shared = ", for all who share the server" if settings.store.mode == "server" else ""
            _ask(f"Drop {names} of {root}{shared}? The notes themselves stay.")
        done = {"mode": mode, "prefix": settings.prefix, "dropped": _wipe(root, settings)}
        said = f"{names} dropped" if done["dropped"] else "there was nothing to drop"
    else:
        state = "in use" if core is not None else _ensure(root, settings)
        done = {"mode": mode, "prefix": settings.prefix, "state": state}
        said = {
            "in use": "a core serves this vault; all collections and indexes are there",
            "new": "the collections and their indexes are there, and empty",
            "rebuild": "the collections are there; the next import builds them anew",
        }.get(state, "all collections and indexes are there")
    if as_json:
        print_json(done)
    else:
        typer.echo(said)


def _ask(question: str) -> None:
    if not sys.stdin.isatty():
        fail("a wipe wants to be confirmed", "Say --yes.")
    if not typer.confirm(question, err=True):
        typer.echo("nothing was dropped", err=True)
        raise typer.Exit(FAILURE)


def _wipe(root: Path, settings: Settings) -> bool:
    from core.service.lifecycle import vault_lock
    from core.store.opening import wipe_vault_store

    folder = vault_data_dir(root)
    with vault_lock(folder, LOCK_PATIENCE):
        return wipe_vault_store(root, folder, settings) > 0


def _ensure(root: Path, settings: Settings) -> str:
    from core.embedding.make import make_embedder
    from core.embedding.state import expected_store
    from core.service.lifecycle import vault_lock
    from core.store.opening import open_vault_store

    folder = vault_data_dir(root)
    with vault_lock(folder, LOCK_PATIENCE):
        expected = expected_store(make_embedder(settings, root, folder))
        with open_vault_store(root, folder, settings, expected) as store:
            return store.report.state
