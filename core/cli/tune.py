"""`mindnet tune`: weights of the retriever that your ratings speak for."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
)
from core.cli.history import history_of

if TYPE_CHECKING:
    from core.feedback.tune import Tuning


@expected_failures
def tune(
    vault: VaultOption = None,
    prefix: PrefixOption = None,
    as_json: JsonOption = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the proposal to this new file.")
    ] = None,
) -> None:
    """Propose new weights of the search from the ratings of its hits; changes nothing itself.

    Weights are fitted to two thirds of the rated queries and measured on the others. Only a gain
    there that is hardly chance is proposed, as YAML for .mindnet/retriever.yaml. Exit code 1 if
    nothing is proposed.
    """
    from core.config.load import load_config
    from core.feedback.tune import tune as tuned

    root = find_vault(vault)
    settings = settings_of(settings_tree(prefix))
    current = load_config(root, os.environ).retriever.scoring.model_dump()
    found = tuned(history_of(root, settings).entries(), current)
    proposal = _yaml(found, current) if found.weights else ""
    if out is not None and proposal:
        _write(out, proposal)
    if as_json:
        print_json(_numbers(found, current, proposal))
    else:
        _show(found, proposal if out is None else "", out)
    if not found.weights:
        raise typer.Exit(FINDINGS)


def _show(found: Tuning, proposal: str, out: Path | None) -> None:
    from core.feedback.tune import MIN_HELD_OUT, MIN_QUERIES

    if not found.enough:
        typer.echo(
            f"too little feedback: {found.queries} queries can be learned from, of which"
            f" {found.held_out} are for measuring; at least {MIN_QUERIES} and {MIN_HELD_OUT}"
            " are needed"
        )
        typer.echo("rate hits in the editor or with `mindnet feedback`", err=True)
        return
    measured = (
        f"nDCG {found.before:.3f} → {found.after:.3f} on {found.held_out} held-out queries"
        f" ({found.better} better, {found.worse} worse, chance {found.chance:.1%})"
    )
    if not found.weights:
        typer.echo(f"nothing to propose: the best other weights gave {measured}")
    elif out is not None:
        typer.echo(f"{measured}; the proposal is in {out}")
    else:
        typer.echo(proposal, nl=False)


def _yaml(found: Tuning, current: dict[str, float]) -> str:
    lines = [
        f"# Proposed by `mindnet tune` on {date.today():%Y-%m-%d},"
        f" from {found.queries} rated queries.",
        f"# On {found.held_out} of them that the weights were not fitted to, nDCG goes from"
        f" {found.before:.3f} to {found.after:.3f}",
        f"# ({found.better} better, {found.worse} worse; by chance with {found.chance:.1%}).",
        "# To use it, put it into .mindnet/retriever.yaml of the vault.",
        "scoring:",
    ]
    lines += [f"  {name}: {value}  # was {current[name]}" for name, value in found.weights.items()]
    return "\n".join(lines) + "\n"


def _write(out: Path, proposal: str) -> None:
    try:
        with open(out, "x", encoding="utf-8") as file:
            file.write(proposal)
    except FileExistsError:
        fail(f"{out} is there already", "Name another file; nothing is overwritten.")


def _numbers(found: Tuning, current: dict[str, float], proposal: str) -> dict[str, Any]:
    return {
        "rated": found.rated,
        "queries": found.queries,
        "held_out": found.held_out,
        "enough": found.enough,
        "before": found.before,
        "after": found.after,
        "gain": found.gain,
        "chance": found.chance,
        "better": found.better,
        "worse": found.worse,
        "current": current,
        "proposed": dict(found.weights),
        "yaml": proposal,
    }
