"""`mindnet doctor`: which parts are there, and what to do about what is not."""

from __future__ import annotations

import msgspec
import typer

from core.cli.common import (
    FINDINGS,
    JsonOption,
    PrefixOption,
    VaultOption,
    expected_failures,
    find_vault,
    print_json,
    settings_quietly,
)
from core.version import __version__

_MARKS = {"ok": "✓", "off": "·", "wrong": "✗"}


@expected_failures
def doctor(
    vault: VaultOption = None, prefix: PrefixOption = None, as_json: JsonOption = False
) -> None:
    """Look at every part and say what to do about what is wrong; exit code 1 if something is.

    Vault, settings files, data folder, disk, link cache, index, embedding model and Ollama
    (at its configured address, and only on this machine). Changes nothing.
    """
    from core.cli.examine import Case, examine

    root = find_vault(vault)
    tree, settings = settings_quietly(prefix)
    found = []
    for one in examine(Case(root, tree, settings)):
        found.append(one)
        if not as_json:
            typer.echo(f"{_MARKS[one.state]} {one.part:<12}{one.message}")
            if one.hint and one.state != "ok":
                typer.echo(f"{'':14}{one.hint}")
    wrong = sum(one.state == "wrong" for one in found)
    if as_json:
        findings = [msgspec.to_builtins(one) for one in found]
        print_json({"version": __version__, "vault": str(root), "ok": not wrong, "parts": findings})
    elif wrong:
        typer.echo(f"{wrong} to mend", err=True)
    if wrong:
        raise typer.Exit(FINDINGS)
